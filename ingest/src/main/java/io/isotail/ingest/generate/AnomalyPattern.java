package io.isotail.ingest.generate;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The transactions that make an anomaly, as [1] Fig. 5 draws them, in commit order.
 *
 * <p>A pattern is text: transactions separated by {@code ;}, each {@code session: operations}. An
 * operation is {@code w} or {@code r}, a key letter and the number of a version. {@code !} after
 * the session marks an aborted transaction. Version 9 is written by nobody.
 *
 * <p>[1] Wei et al., Boosting End-to-End Database Isolation Checking via Mini-Transactions.
 *
 * @param apart whether the transactions must not happen before each other by what others do: then
 *     their sessions run nothing else
 */
record AnomalyPattern(
    AnomalyKind kind, boolean apart, int sessions, int keys, int versions, List<Part> parts) {
  /** No pattern has more sessions. */
  static final int MAX_SESSIONS = 5;

  private static final Map<AnomalyKind, AnomalyPattern> ALL = all();

  /** One transaction. Sessions, keys and versions are numbered from 0 within the pattern. */
  record Part(int session, boolean aborted, List<Op> ops) {

    Outcome outcome() {
      return aborted ? Outcome.ABORTED : Outcome.COMMITTED;
    }

    /** Adds its operations, with keys and versions counted from those given. */
    void appendTo(Operations.Builder operations, long firstKey, long firstVersion) {
      for (Op op : ops) {
        if (op.write()) {
          operations.write(firstKey + op.key(), firstVersion + op.version());
        } else {
          operations.read(firstKey + op.key(), firstVersion + op.version());
        }
      }
    }
  }

  /** One operation. */
  record Op(boolean write, int key, int version) {}

  /**
   * The pattern of an anomaly.
   *
   * @throws IllegalArgumentException for an anomaly that is not one of the 14
   */
  static AnomalyPattern of(AnomalyKind kind) {
    AnomalyPattern pattern = ALL.get(kind);
    if (pattern == null) {
      throw new IllegalArgumentException("no pattern for the anomaly " + kind.label());
    }
    return pattern;
  }

  /** The anomalies that have one. */
  static Set<AnomalyKind> kinds() {
    return Collections.unmodifiableSet(ALL.keySet());
  }

  private static Map<AnomalyKind, AnomalyPattern> all() {
    Map<AnomalyKind, AnomalyPattern> all = new EnumMap<>(AnomalyKind.class);
    add(all, AnomalyKind.THIN_AIR_READ, "a: rx9");
    add(all, AnomalyKind.ABORTED_READ, "a!: wx1 ; b: rx1");
    add(all, AnomalyKind.FUTURE_READ, "a: rx1 wx1");
    add(all, AnomalyKind.NOT_MY_LAST_WRITE, "a: wx1 wx2 rx1");
    add(all, AnomalyKind.NOT_MY_OWN_WRITE, "a: wx1 ; b: wx2 rx1");
    add(all, AnomalyKind.INTERMEDIATE_READ, "a: wx1 wx2 ; b: rx1");
    add(all, AnomalyKind.NON_REPEATABLE_READS, "a: wx1 ; b: rx1 wx2 ; c: rx1 rx2");
    add(all, AnomalyKind.SESSION_GUARANTEE_VIOLATION, "a: wx1 ; b: rx1 wx2 ; b: rx1");
    add(all, AnomalyKind.NON_MONOTONIC_READ, "a: wx1 ; b: rx1 wx2 wy3 ; c: ry3 rx1");
    add(all, AnomalyKind.FRACTURED_READ, "a: wx1 ; b: rx1 wx2 wy3 ; c: rx1 ry3");
    add(all, AnomalyKind.CAUSALITY_VIOLATION, "a: wx1 ; b: rx1 wx2 ; c: rx2 wy3 ; d: rx1 ry3");
    add(
        all,
        AnomalyKind.LONG_FORK,
        "a: wx1 wy2 ; b: rx1 wx3 ; c: ry2 wy4 ; d: rx3 ry2 ; e: rx1 ry4");
    add(all, AnomalyKind.LOST_UPDATE, "a: wx1 ; b: rx1 wx2 ; c: rx1 wx3");
    add(all, AnomalyKind.WRITE_SKEW, "a: wx1 wy2 ; b: rx1 ry2 wx3 ; c: rx1 ry2 wy4");
    return all;
  }

  private static void add(Map<AnomalyKind, AnomalyPattern> all, AnomalyKind kind, String text) {
    List<Part> parts = new ArrayList<>();
    int sessions = 0;
    int keys = 0;
    int versions = 0;
    for (String transaction : text.split(" ; ")) {
      int colon = transaction.indexOf(':');
      List<Op> ops = new ArrayList<>();
      for (String op : transaction.substring(colon + 2).split(" ")) {
        int key = op.charAt(1) - 'x';
        int version = op.charAt(2) - '1';
        ops.add(new Op(op.charAt(0) == 'w', key, version));
        keys = Math.max(keys, key + 1);
        versions = Math.max(versions, version + 1);
      }
      int session = transaction.charAt(0) - 'a';
      sessions = Math.max(sessions, session + 1);
      parts.add(new Part(session, transaction.charAt(1) == '!', ops));
    }
    boolean apart =
        kind == AnomalyKind.LONG_FORK
            || kind == AnomalyKind.LOST_UPDATE
            || kind == AnomalyKind.WRITE_SKEW;
    all.put(kind, new AnomalyPattern(kind, apart, sessions, keys, versions, List.copyOf(parts)));
  }
}
