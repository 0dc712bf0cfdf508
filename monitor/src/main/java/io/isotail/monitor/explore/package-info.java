/**
 * {@code isotail explore}: what an isolation level allows a program, before it happens.
 *
 * <p>Input: the text of a program, levels and limits. Output: how many histories each level allows,
 * which assertions fail, and one history that shows it. Threads: the caller's, and as many as it
 * asks for; each has an exploration of its own. Bound: {@link
 * io.isotail.incremental.explore.MemoryBounds}, for all threads together.
 *
 * <p>The classes {@code …Options} read what is asked; of a program they make a {@code …Question},
 * which explores by {@code Explorer} and {@code LevelRun}, and answers by {@code ExploreText} and
 * {@code ExploreJson}. Of an anomaly {@code WitnessRun} does that.
 */
@NullMarked
package io.isotail.monitor.explore;

import org.jspecify.annotations.NullMarked;
