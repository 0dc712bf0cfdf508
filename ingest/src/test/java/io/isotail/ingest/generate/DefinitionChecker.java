package io.isotail.ingest.generate;

import io.isotail.incremental.level.IsolationLevel;
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
import java.util.Set;

/**
 * Decides a small history by trying every commit order against the axioms of [1] Fig. 2 and, for
 * read committed with its reads one by one, [2] Def. 2.6. Shares nothing with the checker.
 *
 * <p>Versions are unique. Transaction 0 writes the initial version of every key, before all others.
 *
 * <p>[1] Biswas, Enea, On the Complexity of Checking Transactional Consistency, OOPSLA 2019. [2]
 * Møldrup, Pavlogiannis, AWDIT, PLDI 2025.
 */
final class DefinitionChecker {
  private final List<TransactionRecord> txns = new ArrayList<>();

  /** By transaction: its reads of others' versions, in program order. */
  private final List<List<Read>> reads = new ArrayList<>();

  private final List<Map<Long, Long>> lastWrites = new ArrayList<>();
  private final boolean consistent;
  private boolean[][] causal = {};
  private boolean[][] happensBefore = {};

  /** A read of a version that another transaction wrote last; writer 0 is the initial one. */
  private record Read(long key, int writer) {}

  private record Version(long key, long version) {}

  DefinitionChecker(List<TransactionRecord> history) {
    Set<TransactionRecord> committed = committed(history);
    for (TransactionRecord transaction : history) {
      if (committed.contains(transaction)) {
        txns.add(transaction);
      }
    }
    consistent = resolve();
    if (consistent) {
      relate();
    }
  }

  boolean satisfies(IsolationLevel level) {
    return consistent && place(level, new ArrayList<>(List.of(0)));
  }

  /** The least set with the committed ones and the unknown writers of what they read. */
  private static Set<TransactionRecord> committed(List<TransactionRecord> history) {
    Map<Version, TransactionRecord> unknown = new HashMap<>();
    List<TransactionRecord> open = new ArrayList<>();
    for (TransactionRecord transaction : history) {
      if (transaction.outcome() == Outcome.COMMITTED) {
        open.add(transaction);
      } else if (transaction.outcome() == Outcome.UNKNOWN) {
        Operations ops = transaction.operations();
        for (int i = 0; i < ops.size(); i++) {
          if (ops.kind(i) == OperationKind.WRITE) {
            unknown.put(new Version(ops.key(i), ops.version(i)), transaction);
          }
        }
      }
    }
    Set<TransactionRecord> committed = new HashSet<>();
    while (!open.isEmpty()) {
      TransactionRecord transaction = open.remove(open.size() - 1);
      if (!committed.add(transaction)) {
        continue;
      }
      Operations ops = transaction.operations();
      for (int i = 0; i < ops.size(); i++) {
        TransactionRecord writer = unknown.get(new Version(ops.key(i), ops.version(i)));
        if (ops.kind(i) == OperationKind.READ && writer != null) {
          open.add(writer);
        }
      }
    }
    return committed;
  }

  /** Whether each read returns its own last write, else the last one of another transaction. */
  private boolean resolve() {
    Map<Version, Integer> writers = new HashMap<>();
    reads.add(List.of());
    lastWrites.add(Map.of());
    for (int t = 1; t <= txns.size(); t++) {
      Operations ops = txns.get(t - 1).operations();
      Map<Long, Long> last = new HashMap<>();
      for (int i = 0; i < ops.size(); i++) {
        if (ops.kind(i) == OperationKind.WRITE) {
          last.put(ops.key(i), ops.version(i));
        }
      }
      lastWrites.add(last);
      int writer = t;
      last.forEach((key, version) -> writers.put(new Version(key, version), writer));
    }
    for (int t = 1; t <= txns.size(); t++) {
      Operations ops = txns.get(t - 1).operations();
      Map<Long, Long> own = new HashMap<>();
      List<Read> ofOthers = new ArrayList<>();
      for (int i = 0; i < ops.size(); i++) {
        long key = ops.key(i);
        if (ops.kind(i) == OperationKind.WRITE) {
          own.put(key, ops.version(i));
          continue;
        }
        boolean initial = ops.versionKind(i) == VersionKind.INITIAL;
        if (own.containsKey(key)) {
          if (initial || own.get(key) != ops.version(i)) {
            return false;
          }
          continue;
        }
        int writer = initial ? 0 : writers.getOrDefault(new Version(key, ops.version(i)), -1);
        if (writer < 0 || writer == t) {
          return false;
        }
        ofOthers.add(new Read(key, writer));
      }
      reads.add(ofOthers);
    }
    return true;
  }

  private void relate() {
    int n = txns.size() + 1;
    causal = new boolean[n][n];
    for (int b = 1; b < n; b++) {
      causal[0][b] = true;
      for (Read read : reads.get(b)) {
        causal[read.writer()][b] = true;
      }
      for (int a = 1; a < n; a++) {
        TransactionRecord first = txns.get(a - 1);
        TransactionRecord second = txns.get(b - 1);
        causal[a][b] |=
            first.session().id() == second.session().id() && first.sequence() < second.sequence();
      }
    }
    happensBefore = new boolean[n][];
    for (int i = 0; i < n; i++) {
      happensBefore[i] = causal[i].clone();
    }
    for (int k = 0; k < n; k++) {
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          happensBefore[i][j] |= happensBefore[i][k] && happensBefore[k][j];
        }
      }
    }
  }

  /** Extends a commit order by each transaction that may come next. */
  private boolean place(IsolationLevel level, List<Integer> order) {
    int n = txns.size() + 1;
    if (order.size() == n) {
      return true;
    }
    for (int t = 1; t < n; t++) {
      if (order.contains(t) || !mayFollow(level, order, t)) {
        continue;
      }
      order.add(t);
      if (place(level, order)) {
        return true;
      }
      order.remove(order.size() - 1);
    }
    return false;
  }

  /** Every axiom lets t2 precede its reader, so that only transactions placed before matter. */
  private boolean mayFollow(IsolationLevel level, List<Integer> order, int t3) {
    for (int t = 1; t <= txns.size(); t++) {
      if (causal[t][t3] && !order.contains(t)) {
        return false;
      }
    }
    List<Read> all = reads.get(t3);
    for (int r = 0; r < all.size(); r++) {
      int from = order.indexOf(all.get(r).writer());
      for (int i = from + 1; i < order.size(); i++) {
        int t2 = order.get(i);
        if (lastWrites.get(t2).containsKey(all.get(r).key()) && sees(level, order, i, t3, r)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether t2, the i-th in commit order, must precede what read r of t3 reads. */
  private boolean sees(IsolationLevel level, List<Integer> order, int i, int t3, int r) {
    int t2 = order.get(i);
    return switch (level) {
      case READ_COMMITTED -> reads.get(t3).subList(0, r).stream().anyMatch(x -> x.writer() == t2);
      case READ_ATOMIC -> causal[t2][t3];
      case CAUSAL -> happensBefore[t2][t3];
      case PREFIX -> order.stream().skip(i).anyMatch(t4 -> causal[t4][t3]);
      case SNAPSHOT_ISOLATION ->
          order.stream().skip(i).anyMatch(t4 -> causal[t4][t3] || writeTheSame(t4, t3));
      case SERIALIZABLE -> true;
      case STRICT_SERIALIZABLE -> throw new IllegalArgumentException(level.label());
    };
  }

  private boolean writeTheSame(int a, int b) {
    return lastWrites.get(a).keySet().stream().anyMatch(lastWrites.get(b)::containsKey);
  }
}
