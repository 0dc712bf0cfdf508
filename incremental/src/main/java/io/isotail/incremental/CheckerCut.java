package io.isotail.incremental;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.snapshot.StateCut;
import io.isotail.incremental.snapshot.StateSink;
import io.isotail.incremental.window.GraphWriter;
import org.jspecify.annotations.Nullable;

/**
 * What was noted of a checker between two records. What it mentions carries its numbers while it is
 * written, so that one cut of a checker is written at a time. Once it is written, or given up, it
 * holds nothing more.
 */
final class CheckerCut implements StateCut {
  private final CheckerConfig config;
  private volatile @Nullable GraphWriter noted;

  CheckerCut(CheckerConfig config, GraphWriter noted) {
    this.config = config;
    this.noted = noted;
  }

  @Override
  public synchronized void write(StateSink sink) {
    GraphWriter all = noted;
    if (all == null) {
      throw new IllegalStateException("the state is written once, until it is saved again");
    }
    try {
      CheckerState.write(config, all, sink);
    } finally {
      noted = null;
    }
  }

  /** Another cut is made: whoever is still writing this one fails, and this waits for that. */
  void giveUp() {
    GraphWriter all = noted;
    if (all != null) {
      all.giveUp();
      awaitWriter();
    }
  }

  private synchronized void awaitWriter() {
    noted = null;
  }
}
