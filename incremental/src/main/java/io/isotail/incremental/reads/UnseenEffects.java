package io.isotail.incremental.reads;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.Transaction;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What may explain a version without a known writer, or an absence: losses, writes of unknown keys,
 * versions that were not seen, versions of two kinds, and deletes.
 *
 * <p>Doubt only grows. Each fact can explain a version without a writer, or an absence, and so
 * turns a violation into an undecided read; it never makes one.
 */
public final class UnseenEffects {
  /** Tables that are remembered one by one; beyond it every one counts as in doubt. */
  static final int MAX_TABLES = 10_000;

  private final Set<String> opaqueTables = new HashSet<>();
  private final KeysByTable deletedKeys = new KeysByTable(BoundedKeys.MAX_KEYS);
  private final BoundedKeys truncatedKeys = new BoundedKeys();
  private final KeysByTable unseenVersionKeys = new KeysByTable(BoundedKeys.MAX_KEYS);
  private final MixedVersions mixedVersions = new MixedVersions();
  private boolean anyTableOpaque;
  private boolean lost;
  private boolean removalsAreVersions;
  private long losses;

  /** Notes what a transaction may have done besides its known writes. */
  public void note(Transaction transaction) {
    if (transaction.lostChunk) {
      noteLoss();
    }
    noteUnseenVersions(transaction.operations);
    mixedVersions.note(transaction.operations);
    if (transaction.outcome == Outcome.ABORTED) {
      return;
    }
    Operations ops = transaction.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.undone(i)) {
        continue;
      }
      if (ops.kind(i) == OperationKind.DELETE) {
        deletedKeys.add(ops.statement(i).table(), ops.key(i));
      } else if (ops.kind(i) == OperationKind.OPAQUE) {
        noteOpaque(ops.statement(i).table());
      }
    }
  }

  /** Records were lost, and anything may have been in them. */
  public void noteLoss() {
    lost = true;
    losses++;
  }

  /** Number of losses noted so far. */
  public long losses() {
    return losses;
  }

  /** Whether a transaction that may have committed wrote something that is not known. */
  public static boolean writesUnseen(Transaction transaction) {
    Operations ops = transaction.operations;
    for (int i = 0; i < ops.size() && transaction.outcome != Outcome.ABORTED; i++) {
      if (ops.kind(i) == OperationKind.OPAQUE && !ops.undone(i)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a statement that was not understood may have written something. */
  public boolean anyOpaque() {
    return anyTableOpaque || !opaqueTables.isEmpty();
  }

  /** Whether records were lost. */
  public boolean lost() {
    return lost;
  }

  /** Whether an opaque write may have touched a key of {@code table}. */
  public boolean opaque(@Nullable String table) {
    return anyTableOpaque
        || (table == null ? !opaqueTables.isEmpty() : opaqueTables.contains(table));
  }

  /** Whether any key was deleted. */
  public boolean anyDeleted() {
    return !deletedKeys.isEmpty();
  }

  /** Whether a delete may explain the absence of {@code key}. */
  public boolean deleted(@Nullable String table, long key) {
    return deletedKeys.contains(table, key);
  }

  /** A committed transaction leaves the window. Called before it is stripped. */
  public void noteTruncated(Transaction transaction) {
    for (int i = 0; i < transaction.writeCount(); i++) {
      long key = transaction.writeKey(i);
      truncatedKeys.add(key);
    }
  }

  /** Whether a transaction that has left the window may have written {@code key}. */
  public boolean truncatedWriter(long key) {
    return truncatedKeys.contains(key);
  }

  /** Somebody follows the log of a database: who removes a row leaves a version from now on. */
  public void noteLogFollowed() {
    removalsAreVersions = true;
  }

  /** Whether a write of {@code key} was seen without the version that it installed. */
  public boolean unseenVersion(@Nullable String table, long key) {
    return unseenVersionKeys.contains(table, key) || (removalsAreVersions && deleted(table, key));
  }

  /** Whether applications declare the versions of {@code table} differently. */
  public boolean mixesVersions(@Nullable String table) {
    return mixedVersions.contains(table);
  }

  private void noteUnseenVersions(Operations ops) {
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.WRITE && ops.versionKind(i) == VersionKind.UNKNOWN) {
        unseenVersionKeys.add(ops.statement(i).table(), ops.key(i));
      }
    }
  }

  private void noteOpaque(@Nullable String table) {
    if (table == null || opaqueTables.size() >= MAX_TABLES) {
      anyTableOpaque = true;
    } else {
      opaqueTables.add(table);
    }
  }

  /** Saves every doubt. */
  public void save(StateWriter out) {
    out.set(opaqueTables);
    deletedKeys.save(out);
    truncatedKeys.save(out);
    unseenVersionKeys.save(out);
    mixedVersions.save(out);
    out.flag(anyTableOpaque);
    out.flag(lost);
    out.flag(removalsAreVersions);
    out.number(losses);
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    loadTables(in, opaqueTables);
    deletedKeys.load(in);
    truncatedKeys.load(in);
    unseenVersionKeys.load(in);
    mixedVersions.load(in);
    anyTableOpaque = in.flag();
    lost = in.flag();
    removalsAreVersions = in.flag();
    losses = in.number();
  }

  static void loadTables(StateReader in, Set<String> tables) {
    int count = in.count();
    for (int i = 0; i < count; i++) {
      tables.add(in.requiredText());
    }
  }
}
