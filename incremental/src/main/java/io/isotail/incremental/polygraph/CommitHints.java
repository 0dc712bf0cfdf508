package io.isotail.incremental.polygraph;

import io.isotail.incremental.certificate.Wish;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.objects.Object2LongLinkedOpenHashMap;
import it.unimi.dsi.fastutil.objects.Object2LongMap;

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
  private final Object2LongLinkedOpenHashMap<String> behindNs =
      new Object2LongLinkedOpenHashMap<>();

  private long latest;

  /** The first time that was known, less what others may have ended before it. */
  private long baseNs = Long.MIN_VALUE;

  /**
   * When a transaction whose reads are known committed. Without a time it committed after all that
   * came before, since delivery agrees with session order and reads, and with a file's order as far
   * as that does.
   */
  Wish of(Transaction transaction) {
    Times times = transaction.guess;
    if (!times.hasEnd()) {
      return Wish.NONE;
    }
    long endNs = corrected(transaction, times);
    if (baseNs == Long.MIN_VALUE) {
      baseNs = plus(endNs, -MOST_BEHIND_NS);
    }
    long commitNs = Math.max(0, plus(endNs, -baseNs));
    Wish wish = new Wish(true, commitNs);
    latest = Math.max(latest, wish.commit(latest));
    return wish;
  }

  /** Takes note of a number that a commit has got. */
  void note(long number) {
    latest = Math.max(latest, number);
  }

  /** The largest number of a commit that was wished for, or got. */
  long latest() {
    return latest;
  }

  /** Takes over what another graph has learnt. */
  void addAll(CommitHints other) {
    behindNs.putAll(other.behindNs);
    baseNs = other.baseNs;
    latest = other.latest;
    forgetTooMany();
  }

  private long corrected(Transaction transaction, Times times) {
    String clock = times.clock();
    if (clock == null) {
      return times.endNs();
    }
    long behind = behindNs(clock);
    long moreBehind = behind;
    for (Transaction writer : transaction.readWriters) {
      if (writer != null && !clock.equals(writer.times.clock())) {
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
      behindNs.removeFirstLong();
    }
  }

  /** When it began on the common scale, or the earliest time there is. */
  private long beginNs(Transaction writer) {
    Times times = writer.times;
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
    return behindNs.isEmpty() ? 0 : behindNs.getLong(clock);
  }

  void save(StateWriter out) {
    out.number(latest);
    out.number(baseNs);
    out.count(behindNs.size());
    for (Object2LongMap.Entry<String> each : behindNs.object2LongEntrySet()) {
      out.text(each.getKey());
      out.number(each.getLongValue());
    }
  }

  void load(StateReader in) {
    latest = in.number();
    baseNs = in.number();
    for (int n = in.count(); n > 0; n--) {
      behindNs.put(in.requiredText(), in.number());
    }
  }
}
