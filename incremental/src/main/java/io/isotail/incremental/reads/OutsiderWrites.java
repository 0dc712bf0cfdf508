package io.isotail.incremental.reads;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.Transaction;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which keys an outsider may have written: a transaction that was promised less than {@code
 * serializable}, or one that nobody captured. Databases need not keep serializable transactions
 * apart from outsiders, and PostgreSQL does not.
 *
 * <p>A key is marked when the outsider's record arrives, and stays marked beyond the window. In an
 * open history whose configuration expects outsiders every key counts as marked. Where records were
 * lost, or a transaction had to go on before all records had come that may be of outsiders, every
 * key does. Where a closed history has one promise of {@code serializable} for all, there are none.
 *
 * <p>Bound: {@link BoundedKeys#MAX_KEYS} keys; beyond it whole tables are marked.
 */
public final class OutsiderWrites {
  private static final IsolationLevel KEPT_APART = IsolationLevel.SERIALIZABLE;

  private final boolean expectsUnseen;
  private final boolean excluded;
  private final boolean awaitsRecords;
  private final UnseenEffects unseen;
  private final KeysByTable keys = new KeysByTable(BoundedKeys.MAX_KEYS);
  private final Set<String> tables = new HashSet<>();
  private boolean anyTable;
  private boolean wentOn;

  /** Nothing is marked yet. */
  public OutsiderWrites(CheckerConfig config, UnseenEffects unseen) {
    boolean matters = config.strongest().atLeast(KEPT_APART);
    this.expectsUnseen = matters && config.outsiders() && !config.closed();
    this.awaitsRecords =
        matters && config.outsiders() && config.closed() && config.promise() == null;
    this.excluded =
        config.closed() && config.promise() != null && config.promise().atLeast(KEPT_APART);
    this.unseen = unseen;
  }

  /** A transaction has arrived. */
  public void note(Transaction t) {
    if (expectsUnseen || t.promise.atLeast(KEPT_APART) || t.outcome == Outcome.ABORTED) {
      return;
    }
    Operations ops = t.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.isWrite(i)) {
        keys.add(ops.statement(i).table(), ops.key(i));
      } else if (ops.kind(i) == OperationKind.OPAQUE && !ops.undone(i)) {
        noteTable(ops.statement(i).table());
      }
    }
  }

  private void noteTable(@Nullable String table) {
    if (table == null || tables.size() >= UnseenEffects.MAX_TABLES) {
      anyTable = true;
    } else {
      tables.add(table);
    }
  }

  /**
   * Whether a transaction must wait until every record has come that may be of an outsider which
   * committed before it: it overwrote something that it has not read, so that an outsider may have
   * written in between.
   */
  public boolean isAwaitedBy(Transaction t) {
    return awaitsRecords && t.promise.atLeast(KEPT_APART) && t.operations.overwriteUnread();
  }

  /** A transaction that should have waited goes on: who wrote before it is no longer known. */
  public void wentOn() {
    wentOn = true;
  }

  /** Whether an outsider may have written a key of a table, seen or unseen. */
  public boolean mayHaveWritten(@Nullable String table, long key) {
    return !excluded
        && (expectsUnseen
            || wentOn
            || unseen.lost()
            || anyTable
            || (table == null ? !tables.isEmpty() : tables.contains(table))
            || keys.contains(table, key));
  }

  /** Whether there may be outsiders. */
  public boolean expected() {
    return expectsUnseen || any();
  }

  /** Whether any transaction was seen that is an outsider and wrote something. */
  public boolean any() {
    return anyTable || !tables.isEmpty() || !keys.isEmpty();
  }

  /** Saves what is marked. */
  public void save(StateWriter out) {
    keys.save(out);
    out.set(tables);
    out.flag(anyTable);
    out.flag(wentOn);
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    keys.load(in);
    for (int i = in.count(); i > 0; i--) {
      tables.add(in.requiredText());
    }
    anyTable = in.flag();
    wentOn = in.flag();
  }
}
