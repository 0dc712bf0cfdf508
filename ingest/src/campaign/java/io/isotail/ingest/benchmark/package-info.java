/**
 * Benchmarks; {@code deploy/verify --campaign benchmark} runs them, the build only compiles them.
 */
@NullMarked
package io.isotail.ingest.benchmark;

import org.jspecify.annotations.NullMarked;
