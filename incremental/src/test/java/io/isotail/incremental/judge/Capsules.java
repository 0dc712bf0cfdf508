package io.isotail.incremental.judge;

import io.isotail.incremental.RandomHistory;
import io.isotail.incremental.ReplacedVersionsIn;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Random histories, and changed ones, in the form of capsules. */
final class Capsules {
  private Capsules() {}

  /** One in four without times, the others of a store with snapshots. */
  static List<CapsuleTransaction> random(long seed) {
    return of(
        ReplacedVersionsIn.of(
            seed % 4 == 0 ? RandomHistory.of(seed) : RandomHistory.concurrent(seed), seed));
  }

  static long uncertaintyNs(long seed) {
    return seed % 3 == 0 ? -1 : seed % 5;
  }

  static List<CapsuleTransaction> of(List<TransactionRecord> history) {
    return history.stream().map(t -> CapsuleTransaction.of(t, 0)).toList();
  }

  static List<NaiveChecker.Input> inputs(List<CapsuleTransaction> capsule) {
    return capsule.stream()
        .map(
            t ->
                new NaiveChecker.Input(
                    t.session().id(), t.position(), t.outcome(), t.times(), t.operations()))
        .toList();
  }

  static CapsuleTransaction with(CapsuleTransaction t, Times times, Operations operations) {
    return new CapsuleTransaction(
        t.name(),
        t.session(),
        t.position(),
        t.transaction(),
        t.outcome(),
        t.ranAt(),
        t.offset(),
        times,
        operations);
  }

  /** The capsule without the reads of one of its transactions. */
  static List<CapsuleTransaction> withoutReads(
      List<CapsuleTransaction> capsule, CapsuleTransaction changed) {
    List<CapsuleTransaction> result = new ArrayList<>(capsule);
    Operations ops = changed.operations();
    BitSet writes = new BitSet();
    for (int i = 0; i < ops.size(); i++) {
      writes.set(i, ops.kind(i) == OperationKind.WRITE);
    }
    result.set(capsule.indexOf(changed), with(changed, changed.times(), ops.only(writes)));
    return result;
  }

  static String describe(List<CapsuleTransaction> capsule) {
    StringBuilder text = new StringBuilder();
    for (CapsuleTransaction t : capsule) {
      text.append("%s %s %s %s%n".formatted(t.name(), t.outcome(), t.times(), t.operations()));
    }
    return text.toString();
  }
}
