package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.HashCommon;

/**
 * Deterministic ids: a 64-bit hash of history, level and the one thing that was left out. Two
 * anomalies of one history share an id with probability 2^-64 for each pair.
 */
final class AnomalyId {
  private AnomalyId() {}

  /** Of an edge that was left out. */
  static long ofEdge(
      String history, IsolationLevel level, Transaction from, Transaction to, long key) {
    return hash(history, level, 1, from, to, key);
  }

  /** Of a bad read. */
  static long ofRead(String history, AnomalyKind kind, Transaction reader, int operation) {
    return hash(
        history, IsolationLevel.READ_COMMITTED, 16 + kind.code(), reader, reader, operation);
  }

  /** Of the reads of {@code reader} from {@code writer} that close a causality cycle. */
  static long ofCausalityCycle(String history, Transaction reader, Transaction writer) {
    return hash(history, IsolationLevel.READ_COMMITTED, 2, reader, writer, 0);
  }

  /** Of a transaction that was left out of a level. */
  static long ofTransaction(String history, IsolationLevel level, Transaction leftOut) {
    return hash(history, level, 3, leftOut, leftOut, 0);
  }

  /** The id as text. */
  static String text(long id) {
    return String.format("%016x", id);
  }

  private static long hash(
      String history, IsolationLevel level, int thing, Transaction a, Transaction b, long detail) {
    long h = 0;
    for (int i = 0; i < history.length(); i++) {
      h = mix(h, history.charAt(i));
    }
    h = mix(h, level.code());
    h = mix(h, thing);
    h = mix(h, a.session.info.id());
    h = mix(h, a.number);
    h = mix(h, b.session.info.id());
    h = mix(h, b.number);
    return mix(h, detail);
  }

  private static long mix(long h, long value) {
    return HashCommon.murmurHash3(h * 31 + value + 0x9E3779B97F4A7C15L);
  }
}
