/**
 * What happened in a test: which isolation level its transactions broke, told as a failure of the
 * test.
 *
 * <p>Input: connections of a {@link io.isotail.junit.CheckedDataSource}, and tests that are {@link
 * io.isotail.junit.CheckIsolation}. Output: a test that fails with a cause, its transactions and
 * advice; files beside those of the build. All runs in the process of the tests: capture, a queue,
 * the checker. Threads: connections are used by any; a daemon thread checks what they did, and the
 * end of a test waits for it. Bound: the window of the checker, and the records of a history that
 * no test has asked about.
 */
@NullMarked
package io.isotail.junit;

import org.jspecify.annotations.NullMarked;
