package io.isotail.incremental;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Random histories of some hundred transactions. Each reads a snapshot of the commits, never one
 * before that which its session has read; now and then one reads what is older. The log has the
 * transactions in another order than that of their commits, more or less.
 */
final class LaggingHistory {
  private static final String[] WEAKER = {"rc", "ra", "ca"};

  /** A version, and the commit that installed it. */
  private record Version(int commit, long number) {}

  /** A transaction, and where it comes in the log. */
  private record Logged(double place, TransactionRecord record) {}

  private final Random random;
  private final List<List<Version>> keys = new ArrayList<>();
  private final int[] snapshots;
  private final int[] lastCommits;
  private final long[] sequences;
  private final double[] lastPlaces;

  /** A snapshot is at most so many commits old when it is first read. */
  private final int lag;

  /** One of so many transactions reads what is older. */
  private final int seldom;

  /** How far the log may be from the order of commits. */
  private final int disorder;

  private final boolean blindWrites;

  private LaggingHistory(Random random) {
    this.random = random;
    int sessions = 5 + random.nextInt(46);
    int mostKeys = random.nextBoolean() ? 20 : 200;
    for (int k = 3 + random.nextInt(mostKeys); k > 0; k--) {
      keys.add(new ArrayList<>(List.of(new Version(-1, 0))));
    }
    snapshots = new int[sessions];
    lastCommits = new int[sessions];
    Arrays.fill(lastCommits, -1);
    sequences = new long[sessions];
    lastPlaces = new double[sessions];
    lag = 1 + random.nextInt(30);
    seldom = random.nextInt(4) == 0 ? Integer.MAX_VALUE : 30 + random.nextInt(1_000);
    disorder = random.nextInt(4) == 0 ? 1 : 1 + random.nextInt(40);
    blindWrites = random.nextBoolean();
  }

  /**
   * So many transactions of a seed, in the order of the log.
   *
   * @param weaker whether some name a service, {@code rc}, {@code ra} or {@code ca}, that may be
   *     promised less
   */
  static List<TransactionRecord> of(long seed, int count, boolean weaker) {
    Random random = Seeds.random(seed);
    LaggingHistory history = new LaggingHistory(random);
    List<Logged> log = new ArrayList<>();
    for (int commit = 0; commit < count; commit++) {
      log.add(history.commit(commit, weaker));
    }
    log.sort(Comparator.comparingDouble(Logged::place));
    return log.stream().map(Logged::record).toList();
  }

  private Logged commit(int commit, boolean weaker) {
    int session = random.nextInt(snapshots.length);
    int at = commit;
    if (random.nextInt(3) == 0) {
      at = commit - random.nextInt(lag);
    }
    if (random.nextInt(3) == 0) {
      at = Math.min(at, snapshots[session] + random.nextInt(5));
    }
    at = Math.max(at, Math.max(snapshots[session], lastCommits[session] + 1));
    snapshots[session] = at;
    boolean wrong = random.nextInt(seldom) == 0;
    Operations.Builder ops = operations(commit, session, at, wrong);
    double far = random.nextInt(50) == 0 ? 10 : 1;
    double place = commit + random.nextDouble() * disorder * far;
    lastPlaces[session] = Math.max(lastPlaces[session] + 1e-6, place);
    String service = weaker && random.nextInt(60) == 0 ? WEAKER[random.nextInt(3)] : null;
    return new Logged(
        lastPlaces[session],
        new TransactionRecord(
            SessionInfo.ofFile(session, "s" + session),
            sequences[session],
            sequences[session]++,
            0,
            Outcome.COMMITTED,
            service,
            TransactionRecord.NO_TIME,
            TransactionRecord.NO_TIME,
            null,
            ops.build()));
  }

  private Operations.Builder operations(int commit, int session, int at, boolean wrong) {
    Operations.Builder ops = new Operations.Builder();
    boolean readOnly = random.nextInt(3) == 0;
    List<Integer> used = new ArrayList<>();
    for (int o = random.nextInt(5); o >= 0; o--) {
      int some = random.nextInt(3) == 0 ? Math.min(keys.size(), 4) : keys.size();
      int key = random.nextInt(some);
      if (used.contains(key)) {
        continue;
      }
      List<Version> versions = keys.get(key);
      Version latest = versions.get(versions.size() - 1);
      if (readOnly || random.nextInt(5) < 3) {
        read(ops, key, wrong && random.nextBoolean() ? older(versions) : asOf(versions, at));
      } else if (blindWrites || wrong || latest.commit < at) {
        if (!blindWrites) {
          read(ops, key, latest);
        }
        Version version = new Version(commit, 10L * commit + o + 1);
        ops.write(key, version.number);
        versions.add(version);
        lastCommits[session] = commit;
      }
      used.add(key);
    }
    return ops;
  }

  private static void read(Operations.Builder ops, int key, Version version) {
    if (version.number == 0) {
      ops.readInitial(key);
    } else {
      ops.read(key, version.number);
    }
  }

  private static Version asOf(List<Version> versions, int at) {
    int i = versions.size() - 1;
    while (versions.get(i).commit >= at && i > 0) {
      i--;
    }
    return versions.get(i);
  }

  private Version older(List<Version> versions) {
    int most = random.nextBoolean() ? versions.size() : Math.min(versions.size(), 4);
    return versions.get(versions.size() - 1 - random.nextInt(most));
  }
}
