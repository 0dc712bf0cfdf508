package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.Txn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names a cycle after the anomalies of [1] Table I.
 *
 * <p>[1] Wei et al., Boosting End-to-End Database Isolation Checking via Mini-Transactions.
 */
final class Classifier {
  private Classifier() {}

  /** The name of a cycle that violates {@code level} and no weaker one. */
  static AnomalyKind classify(List<Step> cycle, IsolationLevel level) {
    List<Step> inferred = inferred(cycle);
    if (inferred.isEmpty()) {
      return AnomalyKind.CAUSALITY_CYCLE;
    }
    if (level != IsolationLevel.READ_COMMITTED && repeatedRead(inferred) != null) {
      return AnomalyKind.NON_REPEATABLE_READS;
    }
    if (inferred.size() > 1) {
      return AnomalyKind.COMMIT_ORDER_CYCLE;
    }
    Step edge = inferred.get(0);
    Txn reader = edge.reader();
    switch (edge.level()) {
      case READ_COMMITTED:
        return level == IsolationLevel.READ_COMMITTED
            ? AnomalyKind.NON_MONOTONIC_READ
            : AnomalyKind.COMMIT_ORDER_CYCLE;
      case READ_ATOMIC:
        return reader != null && reader.session == edge.from().session
            ? AnomalyKind.SESSION_GUARANTEE_VIOLATION
            : AnomalyKind.FRACTURED_READ;
      default:
        return AnomalyKind.CAUSALITY_VIOLATION;
    }
  }

  /** The steps that are inferred. */
  static List<Step> inferred(List<Step> cycle) {
    List<Step> inferred = new ArrayList<>(2);
    for (Step step : cycle) {
      if (step.kind() == EdgeKind.CO) {
        inferred.add(step);
      }
    }
    return inferred;
  }

  /** An inferred step whose reader read the same key from both of its ends, or null. */
  static @Nullable Step repeatedRead(List<Step> inferred) {
    for (Step step : inferred) {
      Txn reader = step.reader();
      if (reader != null && readKeyFrom(reader, step.key(), step.from()) >= 0) {
        return step;
      }
    }
    return null;
  }

  /** The first operation by which {@code reader} read {@code key} from {@code writer}, or -1. */
  static int readKeyFrom(Txn reader, long key, Txn writer) {
    for (int i = 0; i < reader.readOperations.length; i++) {
      int op = reader.readOperations[i];
      if (reader.readWriters[i] == writer && reader.operations.key(op) == key) {
        return op;
      }
    }
    return -1;
  }

  /** The first operation by which {@code reader} read anything from {@code writer}, or -1. */
  static int readFrom(Txn reader, Txn writer) {
    for (int i = 0; i < reader.readOperations.length; i++) {
      if (reader.readWriters[i] == writer) {
        return reader.readOperations[i];
      }
    }
    return -1;
  }
}
