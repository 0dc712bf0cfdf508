/**
 * Keeps the commit relation acyclic, one edge at a time.
 *
 * <p>Input: transactions as they are delivered, and edges. Output: for each edge, whether it closes
 * a cycle and at which level. Owner: the checker's thread. Bound: the edges between transactions in
 * the window; a search visits only what lies between the two ends of the new edge in the order.
 */
@NullMarked
package io.isotail.incremental.order;

import org.jspecify.annotations.NullMarked;
