package io.isotail.incremental;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Random small histories with unique versions. Half of them come from a store of replicas that lag
 * behind, and so are often valid at some level; in the others reads return anything.
 */
public final class RandomHistory {
  private final Random random;
  private final List<TransactionRecord> transactions = new ArrayList<>();

  private RandomHistory(long seed) {
    this.random = Seeds.random(seed);
  }

  /** The transactions in an order that keeps each session's. */
  public static List<TransactionRecord> of(long seed) {
    return of(seed, 0);
  }

  /**
   * {@code count} transactions in an order that keeps each session's; with 0 the seed draws the
   * number.
   */
  static List<TransactionRecord> of(long seed, int count) {
    RandomHistory history = new RandomHistory(seed);
    history.generate(count);
    return history.transactions;
  }

  /** Those of a store with snapshots, whose transactions overlap; in the order of their commits. */
  public static List<TransactionRecord> concurrent(long seed) {
    return ConcurrentHistory.of(seed);
  }

  /** The transactions in another order that keeps each session's. */
  static List<TransactionRecord> shuffled(List<TransactionRecord> history, long seed) {
    Random random = Seeds.random(seed);
    List<TransactionRecord> rest = new ArrayList<>(history);
    List<TransactionRecord> shuffled = new ArrayList<>();
    while (!rest.isEmpty()) {
      long session = rest.get(random.nextInt(rest.size())).session().id();
      for (int i = 0; i < rest.size(); i++) {
        if (rest.get(i).session().id() == session) {
          shuffled.add(rest.remove(i));
          break;
        }
      }
    }
    return shuffled;
  }

  /** Sessions with one transaction each, of keys that no other history uses. */
  static List<TransactionRecord> ofOtherSessions(int sessions) {
    List<TransactionRecord> history = new ArrayList<>();
    for (int s = 0; s < sessions; s++) {
      history.add(
          new TransactionRecord(
              SessionInfo.ofFile(1_000 + s, "other" + s),
              0,
              0,
              0,
              Outcome.COMMITTED,
              null,
              TransactionRecord.NO_TIME,
              TransactionRecord.NO_TIME,
              null,
              new Operations.Builder().write(1_000 + s, 1).build()));
    }
    return history;
  }

  private void generate(int fixedCount) {
    int sessions = 1 + random.nextInt(4);
    int keys = 1 + random.nextInt(3);
    int drawn = 2 + random.nextInt(8);
    int count = fixedCount == 0 ? drawn : fixedCount;
    boolean wild = random.nextInt(4) == 0;
    boolean odd = random.nextInt(3) == 0;
    int stale = random.nextInt(4);
    long[][] replica = new long[sessions][keys];
    List<long[]> installed = new ArrayList<>(); // key, version
    long[] sequence = new long[sessions];
    long nextVersion = 1;
    long[] latest = new long[keys];
    List<List<long[]>> committedWrites = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      int s = random.nextInt(sessions);
      // The replica catches up with a random number of committed transactions.
      if (random.nextInt(4) >= stale) {
        replica[s] = latest.clone();
      } else if (!committedWrites.isEmpty() && random.nextBoolean()) {
        for (long[] w : committedWrites.get(random.nextInt(committedWrites.size()))) {
          replica[s][(int) w[0]] = w[1];
        }
      }
      Outcome outcome =
          !odd || random.nextInt(5) > 0
              ? Outcome.COMMITTED
              : random.nextBoolean() ? Outcome.ABORTED : Outcome.UNKNOWN;
      Operations.Builder ops = new Operations.Builder();
      List<long[]> writes = new ArrayList<>();
      int length = 1 + random.nextInt(5);
      for (int o = 0; o < length; o++) {
        int key = random.nextInt(keys);
        if (random.nextInt(5) < 2) {
          ops.write(key, nextVersion);
          if (odd && random.nextInt(8) == 0) {
            ops.undoFrom(ops.size() - 1);
          } else {
            writes.removeIf(w -> w[0] == key);
            writes.add(new long[] {key, nextVersion});
          }
          installed.add(new long[] {key, nextVersion});
          nextVersion++;
        } else {
          long version = replica[s][key];
          for (long[] w : writes) {
            version = w[0] == key ? w[1] : version;
          }
          if (wild && random.nextInt(3) == 0) {
            // Anything written so far or about to be, and sometimes something nobody writes.
            version = random.nextInt((int) nextVersion + 2);
          }
          if (version == 0) {
            ops.readInitial(key);
          } else {
            ops.read(key, version);
          }
          if (random.nextInt(6) == 0 && !wild && stale > 1) {
            replica[s] = latest.clone();
          }
        }
      }
      if (outcome == Outcome.COMMITTED || (outcome == Outcome.UNKNOWN && random.nextBoolean())) {
        for (long[] w : writes) {
          replica[s][(int) w[0]] = w[1];
          latest[(int) w[0]] = w[1];
        }
        committedWrites.add(writes);
      } else if (random.nextInt(10) == 0) {
        for (long[] w : writes) {
          latest[(int) w[0]] = w[1];
        }
      }
      transactions.add(
          new TransactionRecord(
              SessionInfo.ofFile(s, "s" + s),
              sequence[s],
              sequence[s]++,
              0,
              outcome,
              null,
              TransactionRecord.NO_TIME,
              TransactionRecord.NO_TIME,
              null,
              ops.build()));
    }
  }

  /** The history as text, for messages of failed tests. */
  public static String describe(List<TransactionRecord> history) {
    StringBuilder text = new StringBuilder();
    for (TransactionRecord t : history) {
      text.append(
          "%s/%d %s %s%n"
              .formatted(t.session().name(), t.transaction(), t.outcome(), t.operations()));
    }
    return text.toString();
  }

  public static long[] seeds(long from, int count) {
    long[] seeds = new long[count];
    Arrays.setAll(seeds, i -> from + i);
    return seeds;
  }
}
