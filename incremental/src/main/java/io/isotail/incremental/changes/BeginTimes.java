package io.isotail.incremental.changes;

import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.ints.Int2ObjectLinkedOpenHashMap;
import org.jspecify.annotations.Nullable;

/**
 * When captured writers began, by their own clocks. Who had ended before that, by the same clock,
 * has read neither what such a writer left of a row nor anything that came behind it.
 *
 * <p>Bound: the last {@value #MOST} writers.
 */
final class BeginTimes {
  private static final int MOST = 50_000;

  private record Begin(String clock, long ns) {}

  /** By the versions that they wrote. */
  private final Int2ObjectLinkedOpenHashMap<Begin> begins = new Int2ObjectLinkedOpenHashMap<>();

  /** A captured transaction has written this version. */
  void add(int version, TransactionRecord writer) {
    if (writer.clock() != null
        && writer.chunk() == 0
        && writer.beginNs() != TransactionRecord.NO_TIME) {
      begins.putAndMoveToLast(version, new Begin(writer.clock(), writer.beginNs()));
      if (begins.size() > MOST) {
        begins.removeFirst();
      }
    }
  }

  /** Whether the writer of a version is known to have begun when a reader had ended. */
  boolean isAfter(int version, Reader reader) {
    @Nullable Begin begin = begins.get(version);
    return begin != null
        && begin.clock().equals(reader.clock())
        && reader.endNs() != TransactionRecord.NO_TIME
        && begin.ns() > reader.endNs();
  }

  void clear() {
    begins.clear();
  }

  void save(StateWriter out) {
    out.count(begins.size());
    begins.forEach(
        (version, begin) -> {
          out.number(version);
          out.text(begin.clock());
          out.number(begin.ns());
        });
  }

  void load(StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      int version = (int) in.number();
      begins.putAndMoveToLast(version, new Begin(in.requiredText(), in.number()));
    }
  }
}
