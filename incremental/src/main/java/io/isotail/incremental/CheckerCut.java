package io.isotail.incremental;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.snapshot.StateCut;
import io.isotail.incremental.snapshot.StateSink;
import io.isotail.incremental.window.GraphWriter;

/**
 * What was noted of a checker between two records. What it mentions carries its numbers while it is
 * written, so that one cut of a checker is written at a time.
 */
final class CheckerCut implements StateCut {
  private final CheckerConfig config;
  final GraphWriter noted = new GraphWriter();

  CheckerCut(CheckerConfig config) {
    this.config = config;
  }

  @Override
  public synchronized void write(StateSink sink) {
    CheckerState.write(config, noted, sink);
  }

  /** Another cut is made: whoever is still writing this one fails, and this waits for that. */
  void giveUp() {
    noted.giveUp();
    awaitWriter();
  }

  private synchronized void awaitWriter() {}
}
