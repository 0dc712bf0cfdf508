/**
 * What the driver costs an application: the same transactions with and without it, in one JVM, in
 * turns. {@code deploy/verify --campaign cost} runs it.
 */
@org.jspecify.annotations.NullMarked
package io.isotail.ingest.cost;
