/**
 * Benchmarks, which the build only compiles. {@code deploy/verify --campaign benchmark} measures a
 * checker at ordinary traffic, {@code --campaign cliffs} what the cost of a step grows with.
 */
@NullMarked
package io.isotail.ingest.benchmark;

import org.jspecify.annotations.NullMarked;
