/**
 * A real broker and a real database on this machine, for the demo and for tests; nothing that runs
 * beside production uses it.
 *
 * <p>Input: ports and folders. Output: addresses to connect to. Owner: the caller that started it
 * closes it. Bound: one node each, small caches, data in a folder of its own.
 */
@NullMarked
package io.isotail.ingest.sandbox;

import org.jspecify.annotations.NullMarked;
