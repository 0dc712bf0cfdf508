package io.isotail.incremental.polygraph;

import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Guesses when transactions committed, on one scale for all clocks: by the end that the client saw,
 * and by how far its clock was seen to be behind. It is behind wherever one of its transactions
 * ended before the writer of what it read began; so clocks that are apart come together as their
 * transactions read from each other.
 */
final class CommitHints {
  /** Clocks whose correction is known; beyond it the one that came first is forgotten. */
  private static final int MOST_CLOCKS = 65_536;

  /** A clock is not believed to be farther behind: one wild time must not spoil all guesses. */
  private static final long MOST_BEHIND_NS = 3_600_000_000_000L;

  /** By how many ns each clock is behind at least, as of the first on. */
  private final Map<String, Long> behindNs = new LinkedHashMap<>();

  private long latest = Long.MIN_VALUE;

  /**
   * The hint for a transaction whose reads are known: without a time it committed after all that
   * came before, since delivery agrees with session order and reads, and with a file's order as far
   * as that does.
   */
  long of(TransactionNode node) {
    Times times = node.transaction.guess;
    long hint = times.hasEnd() ? corrected(node, times) : latest;
    note(hint);
    return hint;
  }

  /** Takes note of the hint of a transaction that was added before. */
  void note(long hint) {
    latest = Math.max(latest, hint);
  }

  /** Takes over what another graph has learnt. */
  void addAll(CommitHints other) {
    behindNs.putAll(other.behindNs);
    forgetTooMany();
  }

  private long corrected(TransactionNode node, Times times) {
    String clock = times.clock();
    if (clock == null) {
      return times.endNs();
    }
    long behind = behindNs(clock);
    long moreBehind = behind;
    for (ReadEdge read = node.firstRead; read != null; read = read.nextOfReader) {
      TransactionNode writer = read.version.writer;
      if (writer != null && !clock.equals(writer.transaction.times.clock())) {
        long apart = plus(beginNs(writer), -times.endNs());
        moreBehind = Math.max(moreBehind, Math.min(apart, MOST_BEHIND_NS));
      }
    }
    if (moreBehind > behind) {
      behindNs.put(clock, moreBehind);
      forgetTooMany();
    }
    return plus(times.endNs(), moreBehind);
  }

  private void forgetTooMany() {
    while (behindNs.size() > MOST_CLOCKS) {
      behindNs.remove(behindNs.keySet().iterator().next());
    }
  }

  /** When it began on the common scale, or the earliest time there is. */
  private long beginNs(TransactionNode writer) {
    Times times = writer.transaction.times;
    String clock = times.clock();
    return clock == null || times.beginNs() == TransactionRecord.NO_TIME
        ? Long.MIN_VALUE / 2
        : plus(times.beginNs(), behindNs(clock));
  }

  /** The sum, or the nearest number that there is. */
  private static long plus(long a, long b) {
    long sum = a + b;
    boolean overflown = ((a ^ sum) & (b ^ sum)) < 0;
    return overflown ? (a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
  }

  private long behindNs(String clock) {
    return behindNs.getOrDefault(clock, 0L);
  }

  void save(StateWriter out) {
    out.number(latest);
    out.count(behindNs.size());
    behindNs.forEach(
        (clock, ns) -> {
          out.text(clock);
          out.number(ns);
        });
  }

  void load(StateReader in) {
    latest = in.number();
    for (int n = in.count(); n > 0; n--) {
      behindNs.put(in.requiredText(), in.number());
    }
  }
}
