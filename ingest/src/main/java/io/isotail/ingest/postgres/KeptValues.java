package io.isotail.ingest.postgres;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The values of a connection's Bind messages that may still be asked for. They are forgotten when
 * their execution is over, and the oldest ones before if they are too many: a value that is
 * forgotten is one that is not known.
 *
 * <p>Bound: {@value #MOST_BYTES} bytes, or those of one message if that has more in short values.
 * For one thread.
 */
final class KeptValues {
  static final int MOST_BYTES = 4 << 20;

  private final Set<BoundValues> kept = new LinkedHashSet<>();
  private final Set<BoundValues> done = new LinkedHashSet<>(0);
  private long bytes;

  /** Values that came with a Bind. */
  void add(BoundValues values) {
    kept.add(values);
    bytes += values.bytes();
    while (bytes > MOST_BYTES && kept.size() > 1) {
      forget(kept.iterator().next());
    }
  }

  /** Their execution is over, but for what the server says at the next Sync. */
  void done(BoundValues values) {
    if (kept.contains(values)) {
      done.add(values);
    }
  }

  /** The server has answered what was sent up to a Sync. */
  void ready() {
    List.copyOf(done).forEach(this::forget);
  }

  /** A transaction has ended, and all portals with it. */
  void forgetAll() {
    List.copyOf(kept).forEach(this::forget);
  }

  /** Of how many messages the execution is over while their values are kept. */
  int doneCount() {
    return done.size();
  }

  /** How many bytes are kept. */
  long bytes() {
    return bytes;
  }

  private void forget(BoundValues values) {
    if (kept.remove(values)) {
      done.remove(values);
      bytes -= values.bytes();
      values.forget();
    }
  }
}
