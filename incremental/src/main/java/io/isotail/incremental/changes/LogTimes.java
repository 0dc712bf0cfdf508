package io.isotail.incremental.changes;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.longs.LongArrayList;

/**
 * When the marks of a log came. What was told before one was visible when the next one was sent: so
 * who began after that has come sees none of the versions that were replaced by then.
 *
 * <p>Bound: the last {@value #MOST} marks.
 */
final class LogTimes {
  private static final int MOST = 2_048;

  /** Instead of the number of a mark: it is before the first one. */
  static final long NONE = 0;

  /** When each of the last ones came, in ms of the stream. */
  private final LongArrayList times = new LongArrayList();

  /** Number of the last one. */
  private long last = NONE;

  /** A mark has come. */
  void mark(long timeMs) {
    last++;
    times.add(timeMs);
    if (times.size() > MOST) {
      times.removeElements(0, MOST / 2);
    }
  }

  /** With which mark that is visible which is told now. */
  long next() {
    return last + 2;
  }

  /**
   * The last mark that came before a time of the stream.
   *
   * @return {@link #NONE} if it is not known
   */
  long before(long ms) {
    for (int i = times.size() - 1; i >= 0; i--) {
      if (times.getLong(i) < ms) {
        return last - (times.size() - 1 - i);
      }
    }
    return NONE;
  }

  void save(StateWriter out) {
    out.number(last);
    out.numbers(times.toLongArray());
  }

  void load(StateReader in) {
    last = in.number();
    times.addElements(0, in.numbers());
  }
}
