package io.isotail.incremental;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Tells writes of a history what they replaced. The truth is that of a database with one row for
 * each key, which the transactions write in the order of the history: those that committed, and
 * some of those whose outcome nobody knows. In some histories not every write is told, in some a
 * few are told another version, and in some nobody is told anything. No version is told twice.
 */
public final class ReplacedVersionsIn {
  private ReplacedVersionsIn() {}

  /** How much is told, and how much of it is wrong. */
  private enum Style {
    NOTHING,
    ALL,
    SOME,
    SOME_WRONG
  }

  /** The history with what is told, by its seed. */
  public static List<TransactionRecord> of(List<TransactionRecord> history, long seed) {
    return of(history, seed, false);
  }

  /** As {@link #of}, but versions may be told twice. */
  static List<TransactionRecord> contradicting(List<TransactionRecord> history, long seed) {
    return of(history, seed, true);
  }

  private static List<TransactionRecord> of(
      List<TransactionRecord> history, long seed, boolean twice) {
    Random random = Seeds.random(seed ^ 0x5eed);
    Style style = Style.values()[random.nextInt(Style.values().length)];
    Map<Long, Long> latest = new HashMap<>();
    Set<List<Long>> claimed = twice ? null : new HashSet<>();
    List<TransactionRecord> told = new ArrayList<>();
    for (TransactionRecord t : history) {
      Operations ops =
          style == Style.NOTHING ? t.operations() : tell(t, latest, claimed, style, random);
      told.add(with(t, ops));
      boolean commits =
          t.outcome() == Outcome.COMMITTED
              || (t.outcome() == Outcome.UNKNOWN && random.nextBoolean());
      for (int i = 0; i < ops.size() && commits; i++) {
        if (ops.installs(i)) {
          latest.put(ops.key(i), ops.version(i));
        }
      }
    }
    return told;
  }

  private static Operations tell(
      TransactionRecord t,
      Map<Long, Long> latest,
      Set<List<Long>> claimed,
      Style style,
      Random random) {
    Operations ops = t.operations();
    Map<Long, Long> now = new HashMap<>(latest);
    Operations.Builder told = new Operations.Builder();
    for (int i = 0; i < ops.size(); i++) {
      told.addOne(ops, i);
      boolean write = ops.kind(i) == OperationKind.WRITE && ops.versionKind(i) == VersionKind.KNOWN;
      if (!write) {
        continue;
      }
      Long replaced = now.get(ops.key(i));
      boolean isTold = style == Style.ALL || random.nextInt(4) > 0;
      if (style == Style.SOME_WRONG && random.nextInt(4) == 0) {
        replaced = 1L + random.nextInt(12);
      }
      if (isTold
          && replaced != null
          && (claimed == null || claimed.add(List.of(ops.key(i), replaced)))) {
        told.replaces(replaced);
      }
      if (!ops.undone(i)) {
        now.put(ops.key(i), ops.version(i));
      }
    }
    return told.build();
  }

  private static TransactionRecord with(TransactionRecord t, Operations operations) {
    return new TransactionRecord(
        t.session(),
        t.sequence(),
        t.transaction(),
        t.chunk(),
        t.outcome(),
        t.ranAt(),
        t.beginNs(),
        t.endNs(),
        t.clock(),
        operations,
        t.origin());
  }
}
