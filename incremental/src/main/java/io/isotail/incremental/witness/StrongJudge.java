package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.events.GraphLimits;
import io.isotail.incremental.events.LevelGraph;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.SessionState;
import io.isotail.incremental.window.Txn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a handful of transactions violate a level from {@code prefix} on by themselves,
 * read as an open history: a read whose writer is not among them is ignored.
 */
final class StrongJudge implements Judge {
  private final IsolationLevel level;
  private final long clockUncertaintyNs;

  StrongJudge(IsolationLevel level, long clockUncertaintyNs) {
    this.level = level;
    this.clockUncertaintyNs = clockUncertaintyNs;
  }

  @Override
  public boolean violates(List<CapsuleTransaction> transactions) {
    List<Txn> waiting = new ArrayList<>();
    Map<Long, SessionState> sessions = new HashMap<>();
    Map<SessionState, Txn> last = new HashMap<>();
    for (CapsuleTransaction t : transactions) {
      if (t.outcome() != Outcome.COMMITTED) {
        continue;
      }
      SessionState session =
          sessions.computeIfAbsent(t.session().id(), id -> new SessionState(t.session()));
      Txn txn = made(t, session);
      txn.soPrev = last.put(session, txn);
      waiting.add(txn);
    }
    for (Txn txn : waiting) {
      resolve(txn, waiting);
    }
    LevelGraph graph = new LevelGraph(level, GraphLimits.ofCapsule(clockUncertaintyNs));
    while (!waiting.isEmpty()) {
      Txn next = ready(waiting);
      if (next == null) {
        return true; // they wait for each other in a circle
      }
      waiting.remove(next);
      next.state = Txn.State.DELIVERED;
      if (graph.add(next) != null) {
        return true;
      }
    }
    return false;
  }

  private static Txn made(CapsuleTransaction t, SessionState session) {
    return new Txn(
        session,
        t.transaction(),
        t.position(),
        t.offset(),
        Outcome.COMMITTED,
        null,
        IsolationLevel.STRICT_SERIALIZABLE,
        t.times(),
        t.operations(),
        false,
        0,
        0);
  }

  private static void resolve(Txn txn, List<Txn> all) {
    Operations ops = txn.operations;
    int[] reads = new int[ops.size()];
    List<Txn> writers = new ArrayList<>();
    for (int i = 0; i < ops.size(); i++) {
      Txn writer = ops.kind(i) == OperationKind.READ && !ops.undone(i) ? writer(txn, i, all) : null;
      if (writer != null) {
        reads[writers.size()] = i;
        writers.add(writer);
      }
    }
    txn.readOperations = java.util.Arrays.copyOf(reads, writers.size());
    txn.readWriters = writers.toArray(new Txn[0]);
  }

  /** The other transaction that left the version that was read, or null. */
  private static @Nullable Txn writer(Txn reader, int read, List<Txn> all) {
    Operations ops = reader.operations;
    long key = ops.key(read);
    for (int i = 0; i < read; i++) {
      boolean write = ops.kind(i) == OperationKind.WRITE || ops.kind(i) == OperationKind.DELETE;
      if (write && ops.key(i) == key && !ops.undone(i)) {
        return null;
      }
    }
    if (ops.versionKind(read) == VersionKind.INITIAL) {
      return Txn.INITIAL;
    }
    for (Txn other : all) {
      int index = other == reader ? -1 : other.writeIndex(key);
      if (index >= 0
          && other.operations.versionKind(other.finalWrite(index)) == VersionKind.KNOWN
          && other.operations.version(other.finalWrite(index)) == ops.version(read)) {
        return other;
      }
    }
    return null;
  }

  private static @Nullable Txn ready(List<Txn> waiting) {
    for (Txn txn : waiting) {
      boolean waits = txn.soPrev != null && txn.soPrev.state != Txn.State.DELIVERED;
      for (Txn writer : txn.readWriters) {
        waits |= writer != Txn.INITIAL && writer != null && writer.state != Txn.State.DELIVERED;
      }
      if (!waits) {
        return txn;
      }
    }
    return null;
  }
}
