/**
 * Decides the levels from {@code prefix} to {@code strict-serializable} online. What the numbers of
 * a {@link io.isotail.incremental.certificate.Certificate} have no room for it decides by a graph
 * over the begin and commit events of transactions, kept acyclic: of those that it may contradict,
 * for one search, or of the whole window while that is needed often.
 *
 * <p>A history satisfies a level if and only if some order of the versions of each key makes the
 * level's graph acyclic [1]. Nobody sees that order; it is guessed, and a guess without a cycle
 * proves the level, whatever the guess came from. Only a cycle that uses a guess is searched
 * ({@link io.isotail.incremental.polygraph.VersionSearch}), exactly, until the graph is acyclic or
 * the choices on the cycles found contradict each other, which proves the violation.
 *
 * <table>
 * <caption>Where a dependency t to s lands</caption>
 * <tr><th>level</th><th>so, wr</th><th>ww</th><th>rw</th></tr>
 * <tr><td>prefix</td><td>c(t) to b(s)</td><td>c(t) to c(s)</td><td>b(t) to c(s)</td></tr>
 * <tr><td>snapshot isolation</td><td>c(t) to b(s)</td><td>c(t) to b(s)</td><td>b(t) to c(s)</td></tr>
 * <tr><td>serializable</td><td colspan="3">one event for begin and commit</td></tr>
 * <tr><td>strict-serializable</td><td colspan="3">the same, and real time ({@link
 * io.isotail.incremental.polygraph.RealTime})</td></tr>
 * </table>
 *
 * <p>Nearly all edges follow from the transaction before in the session, from who read which
 * version, from the order of the versions, and from times; they are no objects ({@link
 * io.isotail.incremental.polygraph.ImpliedEdges}, {@link
 * io.isotail.incremental.polygraph.TimeEdges}). Only what a search puts into force is one.
 *
 * <p>From the bottom: what a graph consists of, one linked structure ({@link
 * io.isotail.incremental.polygraph.EventGraph}); real time, list reads and removal, which change
 * it; what is kept of transactions that have left; the legal place and the search; {@link
 * io.isotail.incremental.polygraph.Polygraph}, which guesses and runs these; what makes a graph of
 * numbers and numbers of a graph ({@link io.isotail.incremental.polygraph.NumberedGraph}); and
 * {@link io.isotail.incremental.polygraph.LevelGraph}, which has numbers or a graph.
 *
 * <p>Input: delivered transactions with decided reads. Output: for each whether the level still
 * holds with it; one that violates it stays out of the graph. Owner: the checker's thread; while it
 * saves, a helper may write a graph of its own. Bound: the transactions in the window and as many
 * that have left it ({@link io.isotail.incremental.polygraph.GraphLimits}), an object for each
 * write and each read; the search ends with its budget.
 *
 * <p>[1] Biswas, Enea, On the Complexity of Checking Transactional Consistency, OOPSLA 2019; Huang
 * et al., Efficient Black-box Checking of Snapshot Isolation in Databases, VLDB 2023, Theorem 16.
 */
@NullMarked
package io.isotail.incremental.polygraph;

import org.jspecify.annotations.NullMarked;
