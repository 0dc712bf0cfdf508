/**
 * Shows that a level holds by numbers alone: each transaction gets one for its begin and one for
 * its commit, so that every dependency leads from a smaller number to a larger one. Then no cycle
 * can exist, whatever the dependencies are.
 *
 * <p>As long as each new transaction finds its numbers between those it comes after and those it
 * comes before, nobody needs a graph. If it does not because a guess was wrong, a few others get
 * larger numbers. Else {@code polygraph} makes a graph of what has larger numbers than it may have,
 * and hands back new ones.
 *
 * <table>
 * <caption>What must be smaller than what, for a dependency t to s</caption>
 * <tr><th>level</th><th>so, wr, real time</th><th>ww</th><th>rw</th></tr>
 * <tr><td>prefix</td><td>c(t), b(s)</td><td>c(t), c(s)</td><td>b(t), c(s)</td></tr>
 * <tr><td>snapshot isolation</td><td>c(t), b(s)</td><td>c(t), b(s)</td><td>b(t), c(s)</td></tr>
 * <tr><td>serializable and above</td><td colspan="3">one number for begin and commit</td></tr>
 * </table>
 *
 * <p>The number of a commit is close to when the transaction ended, as far as is told: so the next
 * one most likely finds room. Its begin comes right before that, or as late as what it read allows:
 * what begins early must be looked at again with all that came since.
 *
 * <p>Input: delivered transactions with decided reads. Owner: the checker's thread. Bound: the
 * transactions in the window and as many that have left it, an object for each and for each of
 * their versions. A step takes time for the reads and writes of the transaction, and for the
 * versions of its keys that are later than its place; one that moves others looks through what came
 * since they did, within a bound and a credit.
 */
@NullMarked
package io.isotail.incremental.certificate;

import org.jspecify.annotations.NullMarked;
