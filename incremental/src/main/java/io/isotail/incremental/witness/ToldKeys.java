package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.record.Operations;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A capsule and its proof with the keys and versions that the proxies told, which is how others
 * find the rows. Where its transactions are of several databases they stay apart as they are.
 */
final class ToldKeys {
  private final Map<Long, Long> told = new HashMap<>();

  private ToldKeys() {}

  static Proven of(Proven proven) {
    List<CapsuleTransaction> capsule = proven.capsule();
    long databases =
        capsule.stream()
            .map(CapsuleTransaction::operations)
            .mapToInt(Operations::database)
            .distinct()
            .count();
    if (databases != 1 || capsule.get(0).operations().database() == 0) {
      return proven;
    }
    ToldKeys keys = new ToldKeys();
    List<CapsuleTransaction> plain =
        capsule.stream().map(t -> t.with(keys.plain(t.operations()))).toList();
    return new Proven(plain, keys.plain(proven.proof()));
  }

  private Operations plain(Operations ops) {
    for (int i = 0; i < ops.size(); i++) {
      told.put(ops.key(i), ops.plainKey(i));
    }
    return ops.inDatabase(0);
  }

  private Proof plain(Proof proof) {
    if (proof instanceof Proof.Cycle cycle) {
      return new Proof.Cycle(plain(cycle.edges()));
    }
    return proof instanceof Proof.Split split
        ? new Proof.Split(
            split.a(),
            split.b(),
            plain(split.key()),
            plain(split.ifFirst()),
            plain(split.ifSecond()))
        : proof;
  }

  private List<Proof.Edge> plain(List<Proof.Edge> edges) {
    return edges.stream()
        .map(
            e ->
                new Proof.Edge(
                    e.from(),
                    e.to(),
                    e.kind(),
                    plain(e.key()),
                    e.reader(),
                    e.operation(),
                    e.source(),
                    plain(e.because())))
        .toList();
  }

  /** Edges of no key have 0. */
  private long plain(long key) {
    return told.getOrDefault(key, key);
  }
}
