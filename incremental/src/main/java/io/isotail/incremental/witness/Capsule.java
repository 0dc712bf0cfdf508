package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.judge.Judge;
import io.isotail.incremental.judge.Outsiders;
import io.isotail.incremental.judge.Promises;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Observed;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Version;
import it.unimi.dsi.fastutil.objects.Reference2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects the operations that a witness rests on, and cuts them down to a minimal history that
 * violates the level by itself.
 */
public final class Capsule {
  /**
   * Transactions of a witness that is searched for; one that is a {@link KnownCycle} may be longer.
   */
  public static final int MAX_TRANSACTIONS = 256;

  private final IsolationLevel level;
  private final IsolationLevel strongest;
  private final Promises promises;
  private final Map<Transaction, BitSet> needed = new Reference2ObjectOpenHashMap<>();
  private final Map<Transaction, Operations> retired = new Reference2ObjectOpenHashMap<>();
  private boolean broken;

  Capsule(IsolationLevel level, IsolationLevel strongest, Promises promises) {
    this.level = level;
    this.strongest = strongest;
    this.promises = promises;
  }

  /** Adds everything that the steps of a cycle rest on. */
  void addCycle(List<Step> cycle) {
    for (Step step : cycle) {
      addStep(step);
    }
  }

  private void addStep(Step step) {
    switch (step.kind()) {
      case SO:
        if (step.from() != Transaction.INITIAL) {
          need(step.from());
          need(step.to());
        }
        break;
      case WR:
        addReadFrom(step.to(), step.from());
        break;
      default:
        addInferred(step);
    }
  }

  /** Some read of {@code reader} from {@code writer}, and the write. */
  private void addReadFrom(Transaction reader, Transaction writer) {
    addRead(reader, TransactionReads.readFrom(reader, writer, 0), writer);
  }

  /** The premise of an edge t2 -> t1 that t3's read of x from t1 implies. */
  private void addInferred(Step step) {
    Transaction t2 = step.from();
    Transaction t1 = step.to();
    Transaction t3 = step.reader();
    if (t3 == null) {
      broken = true;
      return;
    }
    int after = 0;
    Observed observed = step.level().observed();
    if (observed == Observed.READ_FROM_BEFORE) {
      int first = TransactionReads.readFrom(t3, t2, 0);
      addRead(t3, first, t2);
      after = t3.operations.listEnd(Math.max(0, first)) + 1;
    } else if (t2.session != t3.session) {
      addObserved(t2, t3, observed);
    }
    need(t2).set(t2.finalWrite(Math.max(0, t2.writeIndex(step.key()))));
    need(t3);
    int read = TransactionReads.readOf(t3, step.key(), t1, after);
    read = read < 0 ? TransactionReads.listedBehind(t3, step.key(), t2, t1) : read;
    if (read < 0) {
      broken = true;
      return;
    }
    need(t3).set(read);
    if (t1 != Transaction.INITIAL) {
      addWriteOf(t1, t3.operations.key(read), t3.operations.version(read));
    }
  }

  /** How t3 came to observe t2 of another session. */
  private void addObserved(Transaction t2, Transaction t3, Observed observed) {
    if (observed == Observed.SESSION_OR_READ_FROM) {
      addReadFrom(t3, t2);
      return;
    }
    List<Step> path = PathSearch.causal(t2, t3, strongest);
    if (path == null) {
      broken = true;
    } else {
      addCycle(path);
    }
  }

  private void addRead(Transaction reader, int read, Transaction writer) {
    if (read < 0) {
      broken = true;
      return;
    }
    need(reader).set(read);
    addWriteOf(writer, reader.operations.key(read), reader.operations.version(read));
  }

  /** Adds a read and the write that it returned, whatever became of the writer. */
  void addBadRead(Transaction reader, int read, int ownWrite, Version.@Nullable Candidate source) {
    need(reader).set(read);
    if (ownWrite >= 0) {
      need(reader).set(ownWrite);
    }
    Operations ops = reader.operations;
    if (ops.versionKind(read) == VersionKind.INITIAL && source != null) {
      addReadsOf(reader, ops.key(read), read);
    }
    if (source == null) {
      return;
    }
    Transaction writer = source.writer;
    if (writer.state == Transaction.State.TRUNCATED) {
      broken |= ops.versionKind(read) == VersionKind.INITIAL;
      retired.put(writer, rebuilt(reader, read, source));
      return;
    }
    need(writer).set(source.operation);
    int index = writer.writeIndex(ops.key(read));
    if (index >= 0 && !source.undone && writer.committed) {
      need(writer).set(writer.finalWrite(index));
    }
  }

  /** What a transaction had read of a key before. */
  private void addReadsOf(Transaction reader, long key, int before) {
    Operations ops = reader.operations;
    for (int i = 0; i < before; i++) {
      if (ops.shows(i) && ops.key(i) == key) {
        need(reader).set(i);
      }
    }
  }

  /** The writes of a truncated transaction, as far as the read needs them. */
  private static Operations rebuilt(Transaction reader, int read, Version.Candidate source) {
    Operations ops = reader.operations;
    long key = ops.key(read);
    Operations.Builder rebuilt = new Operations.Builder().statement(ops.statement(read));
    rebuilt.write(key, ops.version(read)).names(ops.keyName(read), ops.versionName(read));
    if (source.undone) {
      rebuilt.undoFrom(0);
    }
    if (source.finality == Version.Finality.OVERWRITTEN) {
      rebuilt.write(key, source.lastVersion).names(ops.keyName(read), null);
    } else if (source.finality == Version.Finality.DELETED) {
      rebuilt.delete(key).names(ops.keyName(read), null);
    }
    return rebuilt.build();
  }

  /** Whether it is of more transactions than are put together without a {@link KnownCycle}. */
  boolean isTooLarge() {
    return needed.size() > MAX_TRANSACTIONS;
  }

  /** The least transactions that violate the level by themselves; null if that is not proven. */
  @Nullable Proven build() {
    if (broken || isTooLarge()) {
      return null;
    }
    Map<Transaction, Operations> kept = new Reference2ObjectOpenHashMap<>(retired);
    ListedKeys listed = new ListedKeys();
    needed.forEach((transaction, ops) -> listed.add(transaction.operations, ops));
    needed.forEach(
        (transaction, ops) -> kept.put(transaction, listed.select(transaction.operations, ops)));
    Judge judge = new Judge(level, CheckerConfig.NEVER_COMPARED, promises, Outsiders.NONE);
    return new CapsuleReducer(judge).reduce(cut(kept));
  }

  /** These transactions with these operations, as they arrived. */
  static List<CapsuleTransaction> cut(Map<Transaction, Operations> kept) {
    List<CapsuleTransaction> capsule = new ArrayList<>();
    kept.forEach((transaction, ops) -> capsule.add(cut(transaction, ops)));
    capsule.sort(
        Comparator.comparingLong(CapsuleTransaction::position)
            .thenComparing(CapsuleTransaction::name));
    return capsule;
  }

  /** A transaction with these operations; what they replaced is told where it is believed. */
  static CapsuleTransaction cut(Transaction t, Operations operations) {
    return new CapsuleTransaction(
        t.name(),
        t.session.info,
        t.placeInLog(),
        t.number,
        t.committed ? Outcome.COMMITTED : t.outcome,
        t.ranAt,
        t.offset,
        t.times,
        operations.withReplacedOf(key -> isBelieved(t.replacedOf(key))),
        t.origin);
  }

  private static boolean isBelieved(@Nullable Transaction replaced) {
    return replaced != null && replaced != Transaction.FORGOTTEN;
  }

  private BitSet need(Transaction t) {
    return needed.computeIfAbsent(t, k -> new BitSet());
  }

  private void addWriteOf(Transaction writer, long key, long version) {
    Operations ops = writer.operations;
    int index = writer.writeIndex(key);
    if (index >= 0 && TransactionReads.isWriteOf(ops, writer.finalWrite(index), key, version)) {
      need(writer).set(writer.finalWrite(index));
      return;
    }
    for (int i = ops.size() - 1; i >= 0; i--) {
      if (TransactionReads.isWriteOf(ops, i, key, version)) {
        need(writer).set(i);
        return;
      }
    }
    broken = true;
  }
}
