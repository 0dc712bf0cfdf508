package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a cycle's name is computed from: the dependencies in their order around it, and a few facts
 * about its transactions.
 *
 * @param kinds of the dependencies, around the cycle: so, wr, ww, rw and rt
 * @param keys number of keys that they are about
 * @param readOnly whether one of its transactions wrote nothing
 * @param bothUpdated whether it is of two transactions that both read a key and overwrote it, and
 *     says which of them did not see the other's version; what the other one read need not be known
 * @param newFirst whether the transaction with the rw read what was new before what was old
 * @param listed whether lists show each ww
 */
record CycleShape(
    List<EdgeKind> kinds,
    int keys,
    boolean readOnly,
    boolean bothUpdated,
    boolean newFirst,
    boolean listed) {

  /** Copies the list. */
  CycleShape {
    kinds = List.copyOf(kinds);
  }

  /**
   * The shape of a cycle in a capsule.
   *
   * @param whole the transactions by name, not cut to the operations that matter
   */
  static CycleShape of(CapsuleFacts facts, List<Link> cycle, Map<String, Transaction> whole) {
    List<EdgeKind> kinds = new ArrayList<>();
    Set<Long> keys = new HashSet<>();
    boolean anyReadOnly = false;
    for (Link link : cycle) {
      kinds.add(link.kind());
      if (link.hasKey()) {
        keys.add(link.key());
      }
      Transaction first = whole.get(facts.transaction(link.from()).name());
      anyReadOnly |= first != null && first.writeCount() == 0;
    }
    return new CycleShape(
        kinds,
        keys.size(),
        anyReadOnly,
        isUpdatedByBoth(facts, cycle, whole),
        isNewFirst(cycle),
        isListed(cycle));
  }

  private static boolean isUpdatedByBoth(
      CapsuleFacts facts, List<Link> cycle, Map<String, Transaction> whole) {
    for (Link link : cycle) {
      Transaction writer = whole.get(facts.transaction(link.to()).name());
      if (cycle.size() == 2
          && link.kind() == EdgeKind.RW
          && facts.write(link.from(), link.key()) >= 0
          && writer != null
          && (TransactionReads.reads(writer, link.key())
              || TransactionReads.readsBeforeWriting(writer, link.key()))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isNewFirst(List<Link> cycle) {
    for (int i = 0; i < cycle.size(); i++) {
      Link link = cycle.get(i);
      Link before = cycle.get((i + cycle.size() - 1) % cycle.size());
      if (link.kind() == EdgeKind.RW
          && before.kind() == EdgeKind.WR
          && before.read() < link.read()) {
        return true;
      }
    }
    return false;
  }

  /** Whether lists show in which order transactions wrote, wherever a cycle rests on that. */
  static boolean isListed(List<Link> cycle) {
    return cycle.stream()
        .allMatch(link -> link.kind() != EdgeKind.WW || (link.reader() >= 0 && !link.assumed()));
  }

  /** Number of transactions, and of dependencies. */
  int size() {
    return kinds.size();
  }

  /** Number of dependencies of a kind. */
  int count(EdgeKind kind) {
    return (int) kinds.stream().filter(kind::equals).count();
  }

  /** Whether two rw follow each other. */
  boolean adjacent() {
    return comesBefore(EdgeKind.RW);
  }

  /** Whether a dependency of this kind leads to a transaction that a rw leaves. */
  boolean comesBefore(EdgeKind kind) {
    for (int i = 0; i < kinds.size(); i++) {
      boolean before = kinds.get(i) == kind && kinds.get((i + 1) % kinds.size()) == EdgeKind.RW;
      if (before && kinds.size() > 1) {
        return true;
      }
    }
    return false;
  }
}
