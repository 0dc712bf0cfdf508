/**
 * Tests of transactions that explore every history which an isolation level allows them.
 *
 * <p>Input: a test method that declares variables and transactions as closures. Output: the test
 * passes if all assertions hold in all histories; else its failure tells one. Thread: that of the
 * test. Bound: the time that {@link io.isotail.explore.junit.Explore} sets.
 */
@NullMarked
package io.isotail.explore.junit;

import org.jspecify.annotations.NullMarked;
