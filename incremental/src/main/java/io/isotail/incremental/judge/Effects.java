package io.isotail.incremental.judge;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the transactions of a capsule did to keys, whatever became of it: who installed versions,
 * who deleted keys, who ran statements that are not understood; and who committed.
 */
final class Effects {
  private final List<CapsuleTransaction> transactions;
  private final Map<Installed, List<Write>> installs = new HashMap<>();
  private final Map<Long, BitSet> deleters = new HashMap<>();
  private final BitSet opaque = new BitSet();
  private final BitSet committed = new BitSet();

  /** An operation that wrote a key. */
  record Write(int writer, int operation) {}

  private record Installed(long key, long version) {}

  Effects(List<CapsuleTransaction> transactions) {
    this.transactions = transactions;
    for (int t = 0; t < transactions.size(); t++) {
      collect(t);
    }
    findCommitted();
  }

  private void collect(int t) {
    Operations ops = ops(t);
    for (int i = 0; i < ops.size(); i++) {
      switch (ops.kind(i)) {
        case WRITE -> {
          if (ops.versionKind(i) == VersionKind.KNOWN) {
            installs
                .computeIfAbsent(new Installed(ops.key(i), ops.version(i)), k -> new ArrayList<>(2))
                .add(new Write(t, i));
          }
        }
        case DELETE -> {
          if (!ops.undone(i)) {
            deleters.computeIfAbsent(ops.key(i), k -> new BitSet()).set(t);
          }
        }
        case OPAQUE -> opaque.set(t);
        default -> {}
      }
    }
  }

  /**
   * The least set that holds the committed ones and, for each reader in it, the writer of unknown
   * outcome of what it read, where nobody else wrote that.
   */
  private void findCommitted() {
    boolean anyUnknown = false;
    for (int t = 0; t < transactions.size(); t++) {
      committed.set(t, outcome(t) == Outcome.COMMITTED);
      anyUnknown |= outcome(t) == Outcome.UNKNOWN;
    }
    for (boolean grown = anyUnknown; grown; ) {
      grown = false;
      for (int t = 0; t < transactions.size(); t++) {
        for (int i = 0; committed.get(t) && i < ops(t).size(); i++) {
          int writer = OperationRules.shows(ops(t), i) ? onlyCandidate(t, i) : Proof.NONE;
          if (writer >= 0 && !committed.get(writer) && outcome(writer) == Outcome.UNKNOWN) {
            committed.set(writer);
            grown = true;
          }
        }
      }
    }
  }

  /**
   * The only transaction that can have written the version read, whatever became of it, or none. A
   * reader that had written the key read its own write, or what is bad whoever else wrote it.
   */
  private int onlyCandidate(int t, int read) {
    int found = Proof.NONE;
    boolean own =
        OperationRules.isRead(ops(t), read)
            ? OperationRules.lastOwnWrite(ops(t), read) >= 0
            : OperationRules.hadWritten(ops(t), read);
    if (!own && ops(t).versionKind(read) == VersionKind.KNOWN) {
      for (Write write : installs(ops(t).key(read), ops(t).version(read))) {
        boolean may = write.writer != t && !isUndone(write);
        if (may && found >= 0 && found != write.writer) {
          return Proof.NONE;
        }
        found = may ? write.writer : found;
      }
    }
    return found;
  }

  /** The writes of a version of a key, also those that were undone or aborted. */
  List<Write> installs(long key, long version) {
    return installs.getOrDefault(new Installed(key, version), List.of());
  }

  boolean isUndone(Write write) {
    return ops(write.writer).undone(write.operation);
  }

  boolean isCommitted(int t) {
    return committed.get(t);
  }

  boolean mayHaveCommitted(int t) {
    return committed.get(t) || outcome(t) == Outcome.UNKNOWN;
  }

  /** Whether a transaction ran statements that are not understood. */
  boolean isOpaque(int t) {
    return opaque.get(t);
  }

  /**
   * Whether another reason than that nobody had written it explains that a key was absent when it
   * was read.
   */
  boolean mayExplainAbsence(int t, int read) {
    BitSet deleted = deleters.getOrDefault(ops(t).key(read), new BitSet());
    for (int d = deleted.nextSetBit(0); d >= 0; d = deleted.nextSetBit(d + 1)) {
      if (d != t && mayHaveCommitted(d) && !sessionBefore(t, d)) {
        return true;
      }
    }
    String table = ops(t).statement(read).table();
    for (int o = opaque.nextSetBit(0); o >= 0; o = opaque.nextSetBit(o + 1)) {
      for (int i = 0; i < ops(o).size(); i++) {
        boolean before = o == t ? i < read : mayHaveCommitted(o) && !sessionBefore(t, o);
        if (before && OperationRules.mayWrite(ops(o), i, table)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether both are of one session, {@code a} before {@code b}. */
  boolean sessionBefore(int a, int b) {
    CapsuleTransaction first = transactions.get(a);
    CapsuleTransaction second = transactions.get(b);
    return first.session().id() == second.session().id() && first.position() < second.position();
  }

  private Outcome outcome(int t) {
    return transactions.get(t).outcome();
  }

  private Operations ops(int t) {
    return transactions.get(t).operations();
  }
}
