package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.VersionKind;
import java.util.BitSet;
import java.util.List;

/**
 * Decides whether a handful of transactions violate a level by themselves, read as an open history:
 * a read whose writer is not among them is ignored.
 *
 * <p>Follows the definitions (Def. 2.3 to 2.8 of [1]) by transitive closure, without the shortcuts
 * of the incremental algorithms. Nothing is reported that this judge does not confirm.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
final class CapsuleJudge implements Judge {
  private static final int NOBODY = -1;
  private static final int INITIAL = -2;

  private final IsolationLevel level;
  private List<CapsuleTransaction> txns = List.of();
  private boolean[] committed = {};

  CapsuleJudge(IsolationLevel level) {
    this.level = level;
  }

  @Override
  public boolean violates(List<CapsuleTransaction> transactions) {
    txns = transactions;
    findCommitted();
    int n = txns.size();
    BitSet[] causal = relation(n);
    BitSet[] direct = relation(n);
    for (int t = 0; t < n; t++) {
      if (!committed[t]) {
        continue;
      }
      Operations ops = ops(t);
      for (int i = 0; i < ops.size(); i++) {
        if (!isRead(ops, i)) {
          continue;
        }
        int writer = writer(t, i);
        if (bad(t, i, writer)) {
          return true;
        }
        if (writer >= 0 && writer != t) {
          direct[writer].set(t);
        }
      }
      for (int s = 0; s < n; s++) {
        if (sessionBefore(s, t)) {
          direct[s].set(t);
        }
      }
    }
    for (int t = 0; t < n; t++) {
      causal[t].or(direct[t]);
    }
    close(causal);
    return cyclic(causal) || commitOrderCyclic(causal, direct);
  }

  /** Whether the edges that the level's axiom asks for close a cycle with so ∪ wr. */
  private boolean commitOrderCyclic(BitSet[] causal, BitSet[] direct) {
    int n = txns.size();
    BitSet[] commit = relation(n);
    for (int t = 0; t < n; t++) {
      commit[t].or(direct[t]);
    }
    for (int t3 = 0; t3 < n; t3++) {
      if (!committed[t3]) {
        continue;
      }
      Operations ops = ops(t3);
      for (int i = 0; i < ops.size(); i++) {
        int t1 = isRead(ops, i) && !ownBefore(t3, i) ? writer(t3, i) : NOBODY;
        if (t1 == NOBODY || t1 == t3) {
          continue;
        }
        for (int t2 = 0; t2 < n; t2++) {
          if (t2 != t1
              && t2 != t3
              && writes(t2, ops.key(i))
              && observed(t2, t3, i, causal, direct)) {
            if (t1 == INITIAL) {
              return true;
            }
            commit[t2].set(t1);
          }
        }
      }
    }
    close(commit);
    return cyclic(commit);
  }

  /** Whether t3 has observed t2 in the sense of the level, before its read {@code i}. */
  private boolean observed(int t2, int t3, int i, BitSet[] causal, BitSet[] direct) {
    if (level == IsolationLevel.CAUSAL) {
      return causal[t2].get(t3);
    }
    if (level == IsolationLevel.READ_ATOMIC) {
      return direct[t2].get(t3);
    }
    for (int r = 0; r < i; r++) {
      if (isRead(ops(t3), r) && !ownBefore(t3, r) && writer(t3, r) == t2) {
        return true;
      }
    }
    return false;
  }

  /** The least set that holds the committed ones and the unknown writers of what they read. */
  private void findCommitted() {
    int n = txns.size();
    committed = new boolean[n];
    for (int t = 0; t < n; t++) {
      committed[t] = txns.get(t).outcome() == Outcome.COMMITTED;
    }
    for (boolean grown = true; grown; ) {
      grown = false;
      for (int t = 0; t < n; t++) {
        for (int i = 0; committed[t] && i < ops(t).size(); i++) {
          int writer = isRead(ops(t), i) ? writer(t, i) : NOBODY;
          if (writer >= 0 && !committed[writer] && txns.get(writer).outcome() == Outcome.UNKNOWN) {
            committed[writer] = true;
            grown = true;
          }
        }
      }
    }
  }

  private boolean bad(int t, int read, int writer) {
    Operations ops = ops(t);
    if (writer == NOBODY) {
      return false;
    }
    int own = lastOwn(t, read);
    if (own >= 0) {
      boolean sawOwnDelete =
          ops.kind(own) == OperationKind.DELETE && ops.versionKind(read) == VersionKind.INITIAL;
      return !sawOwnDelete && !versionUnknown(ops, own) && !sameVersion(ops, own, ops, read);
    }
    if (writer == INITIAL) {
      return false;
    }
    if (!committed[writer] || writer == t) {
      return true;
    }
    Operations written = ops(writer);
    for (int i = written.size() - 1; i >= 0; i--) {
      if (isWrite(written, i) && written.key(i) == ops.key(read)) {
        return !versionUnknown(written, i) && !sameVersion(written, i, ops, read);
      }
    }
    return true;
  }

  private static boolean versionUnknown(Operations ops, int i) {
    return ops.kind(i) == OperationKind.WRITE && ops.versionKind(i) == VersionKind.UNKNOWN;
  }

  private boolean ownBefore(int t, int read) {
    return lastOwn(t, read) >= 0;
  }

  private int lastOwn(int t, int read) {
    Operations ops = ops(t);
    for (int i = read - 1; i >= 0; i--) {
      if (isWrite(ops, i) && ops.key(i) == ops.key(read)) {
        return i;
      }
    }
    return -1;
  }

  /** Who wrote what the read returned: one of them, {@link #INITIAL} or {@link #NOBODY}. */
  private int writer(int t, int read) {
    Operations ops = ops(t);
    if (ops.versionKind(read) == VersionKind.INITIAL) {
      return INITIAL;
    }
    int found = NOBODY;
    for (int w = 0; w < txns.size(); w++) {
      Operations written = ops(w);
      for (int i = 0; i < written.size(); i++) {
        if (written.kind(i) == OperationKind.WRITE
            && written.key(i) == ops.key(read)
            && sameVersion(written, i, ops, read)
            && (found == NOBODY || !written.undone(i))) {
          found = w;
        }
      }
    }
    return found;
  }

  private boolean writes(int t, long key) {
    Operations ops = ops(t);
    for (int i = 0; committed[t] && i < ops.size(); i++) {
      if (isWrite(ops, i) && ops.key(i) == key) {
        return true;
      }
    }
    return false;
  }

  private boolean sessionBefore(int s, int t) {
    CapsuleTransaction first = txns.get(s);
    CapsuleTransaction second = txns.get(t);
    return committed[s]
        && first.session().id() == second.session().id()
        && first.position() < second.position();
  }

  private Operations ops(int t) {
    return txns.get(t).operations();
  }

  private static boolean sameVersion(Operations a, int i, Operations b, int j) {
    return a.versionKind(i) == VersionKind.KNOWN
        && b.versionKind(j) == VersionKind.KNOWN
        && a.version(i) == b.version(j);
  }

  private static boolean isRead(Operations ops, int i) {
    return ops.kind(i) == OperationKind.READ
        && !ops.undone(i)
        && ops.versionKind(i) != VersionKind.UNKNOWN;
  }

  private static boolean isWrite(Operations ops, int i) {
    return (ops.kind(i) == OperationKind.WRITE || ops.kind(i) == OperationKind.DELETE)
        && !ops.undone(i);
  }

  private static BitSet[] relation(int n) {
    BitSet[] rows = new BitSet[n];
    for (int i = 0; i < n; i++) {
      rows[i] = new BitSet(n);
    }
    return rows;
  }

  private static void close(BitSet[] rows) {
    for (int k = 0; k < rows.length; k++) {
      for (BitSet row : rows) {
        if (row.get(k)) {
          row.or(rows[k]);
        }
      }
    }
  }

  private static boolean cyclic(BitSet[] rows) {
    for (int i = 0; i < rows.length; i++) {
      if (rows[i].get(i)) {
        return true;
      }
    }
    return false;
  }
}
