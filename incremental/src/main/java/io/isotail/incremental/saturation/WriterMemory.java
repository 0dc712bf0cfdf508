package io.isotail.incremental.saturation;

import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.Transaction;

/** How much the writers of all keys may remember together, and how much they do. */
final class WriterMemory {
  final Tuning tuning;
  long used;
  private int sessions;

  WriterMemory(Tuning tuning) {
    this.tuning = tuning;
  }

  /** A session writes: the more there are, the more there is to remember. */
  void noteSession(Transaction writer) {
    sessions = writer.uncaptured() ? sessions : Math.max(sessions, writer.slot + 1);
  }

  long free() {
    return tuning.rememberedWriters(sessions) - used;
  }

  void clear() {
    used = 0;
  }

  void save(StateWriter out) {
    out.number(used);
    out.count(sessions);
  }

  void load(StateReader in) {
    used = in.number();
    sessions = in.count();
  }
}
