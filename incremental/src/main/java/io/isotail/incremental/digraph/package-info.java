/**
 * Topological orders of a directed graph, kept while edges are added.
 *
 * <p>{@link io.isotail.incremental.digraph.TopologicalList} is a list in which a node may stand
 * anywhere. {@link io.isotail.incremental.digraph.TopologicalOrder} has a place for each node and
 * no links between them, so that a node stands in several orders at the cost of a number each, as
 * those of the weak levels' relation do.
 *
 * <p>Input: nodes and edges, which belong to the keeper of the graph. Output: whether an edge
 * closes a cycle. Owner: the checker's thread. Bound: a search visits only nodes that lie between
 * the two ends of the new edge in the order.
 *
 * <p>This package knows no transaction: {@code saturation} and {@code polygraph} say what a node is
 * and where its edges lead.
 */
@NullMarked
package io.isotail.incremental.digraph;

import org.jspecify.annotations.NullMarked;
