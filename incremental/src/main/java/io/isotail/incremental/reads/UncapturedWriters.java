package io.isotail.incremental.reads;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.Slots;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Version;
import io.isotail.incremental.window.Window;
import it.unimi.dsi.fastutil.HashCommon;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes transactions that stand for writers nobody captured, one for each version that was read, is
 * committed once at most, and has no known writer. Where versions name their writers, one stands
 * for all versions of an id, as far as the database shows every commit as a whole.
 *
 * <p>The writer of such a version is one transaction, and it committed before it was read; so it
 * has a place in every order that is looked for. Nothing else is supposed of it. Several that are
 * made may stand for parts of one writer, or of a captured transaction whose subtransactions are
 * not known: whatever order that writer has a place in, its writes have places in too, part by
 * part, one directly after the other. So no history is rejected that is correct. That holds as far
 * as a level binds every writer; see {@link #bindingLevel}.
 *
 * <p>A reader may have written the version itself, by a trigger, as soon as it has done anything
 * but read, or to write what was seen with its id: then it is not known to be somebody else's. See
 * {@link #mayBeItsOwn}.
 */
public final class UncapturedWriters {
  private final boolean open;
  private final boolean declared;
  private final CheckerConfig config;
  private final VersionTable versions;
  private final BeforeCapture beforeCapture;
  private final Absences absences;
  private final UnseenWrites unseenWrites;
  private final Slots slots;
  private final Window window;

  /** Makes none where the history is closed, or where versions come back. */
  public UncapturedWriters(
      CheckerConfig config,
      VersionTable versions,
      BeforeCapture beforeCapture,
      Absences absences,
      UnseenWrites unseenWrites,
      Slots slots,
      Window window) {
    this.open = !config.closed();
    this.declared = config.anyCommittedOnce();
    this.config = config;
    this.versions = versions;
    this.beforeCapture = beforeCapture;
    this.absences = absences;
    this.unseenWrites = unseenWrites;
    this.slots = slots;
    this.window = window;
  }

  /**
   * The writers that a committed transaction read from and nobody captured, as far as they are not
   * made yet; their versions are theirs from now on. They are to be delivered before it.
   *
   * @param mostInWindow that many are made at most, with those in the window
   */
  public List<Transaction> of(Transaction reader, int mostInWindow) {
    boolean mayComeYet = reader.waiting != null && reader.waiting.gaveUp != null;
    if (!appliesTo(reader) || reader.lostChunk || mayComeYet) {
      return List.of();
    }
    List<Transaction> made = List.of();
    Operations ops = reader.operations;
    int firstWrite = -1;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) != OperationKind.READ) {
        if (!isSeenWrite(ops, i) && !ops.undone(i)) {
          break;
        }
        boolean first = firstWrite < 0 || isLater(ops.version(firstWrite), ops.version(i));
        firstWrite = first && !ops.undone(i) ? i : firstWrite;
        continue;
      }
      boolean own = firstWrite >= 0 && !isOfAnother(ops, i, firstWrite);
      if (own || !isWriterMissing(ops, i)) {
        continue;
      }
      if (absences.isTaken(ops.key(i))) {
        absences.readForeign(ops.statement(i).table());
        continue;
      }
      Transaction known = ops.namesWriters(i) ? unseenWrites.standingFor(ops.version(i)) : null;
      if (known != null) {
        versions.register(known, known.addUnseenWrite(ops, i));
        absences.wrote(known, ops.key(i));
        absences.readForeign(ops.statement(i).table());
      } else if (window.uncaptured() + made.size() < mostInWindow) {
        made = made.isEmpty() ? new ArrayList<>(2) : made;
        made.add(make(reader, i));
      }
    }
    return made;
  }

  private Transaction make(Transaction reader, int read) {
    Transaction writer = writerOf(reader, read);
    versions.register(writer);
    absences.wrote(writer, reader.operations.key(read));
    absences.readForeign(reader.operations.statement(read).table());
    if (reader.operations.namesWriters(read)
        && writer.promise.atLeast(IsolationLevel.SNAPSHOT_ISOLATION)) {
      unseenWrites.stands(writer);
    }
    return writer;
  }

  /**
   * Whether a transaction may have written by itself what its operation {@code read} returned: it
   * has done something else than read before, and not rolled that back. Where versions name their
   * writers, a write that was seen with its id is not meant where the version is of an earlier id:
   * what else its statement may have written is told beside it. A later id may be one of its
   * subtransactions', which get theirs after it; a trigger that was added since the catalog was
   * read may have written under it, and nothing tells that.
   */
  public static boolean mayBeItsOwn(Transaction reader, int read) {
    if (reader.lostChunk) {
      return true;
    }
    Operations ops = reader.operations;
    for (int i = 0; i < read; i++) {
      boolean seen = isSeenWrite(ops, i) && isOfAnother(ops, read, i);
      boolean rolledBack = ops.undone(i) && !ops.undone(read);
      if (ops.kind(i) != OperationKind.READ && !seen && !rolledBack) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a read returned what the writer that a write has shown, or a subtransaction that came
   * after that, did not write.
   */
  private static boolean isOfAnother(Operations ops, int read, int seenWrite) {
    return ops.namesWriters(read) && isLater(ops.version(seenWrite), ops.version(read));
  }

  /** Whether an id, of which a version has the low 32 bits, was given out after another one. */
  private static boolean isLater(long id, long other) {
    return (int) (id - other) > 0;
  }

  /** Whether an operation is a write that has shown the id of its writer. */
  private static boolean isSeenWrite(Operations ops, int i) {
    return ops.namesWriters(i)
        && ops.kind(i) == OperationKind.WRITE
        && ops.versionKind(i) == VersionKind.KNOWN;
  }

  /**
   * Whether a version that a transaction wrote was read before it came, and its writer made. An
   * aborted attempt says nothing where its retry installs the same.
   */
  public boolean madeInsteadOf(Transaction writer) {
    if (!appliesTo(writer)) {
      return false;
    }
    Operations ops = writer.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.WRITE
          && ops.versionKind(i) == VersionKind.KNOWN
          && (writer.outcome != Outcome.ABORTED || config.isUnique(ops.statement(i)))
          && (versions.isOfUncaptured(ops.key(i), ops.version(i))
              || (ops.namesWriters(i) && unseenWrites.isOfUncaptured(ops.version(i))))) {
        return true;
      }
    }
    return false;
  }

  /** Whether any of its versions may be of one committed transaction at most. */
  private boolean appliesTo(Transaction transaction) {
    return open && (declared || transaction.operations.anyNamesWriters());
  }

  private boolean isWriterMissing(Operations ops, int i) {
    if (ops.undone(i)
        || ops.versionKind(i) != VersionKind.KNOWN
        || !config.isCommittedOnce(ops.statement(i))
        || (ops.namesWriters(i) && !beforeCapture.mayStandFor(ops, i))
        || versions.soleWriter(ops.key(i), ops.version(i)) != null) {
      return false;
    }
    @Nullable Version version = versions.find(ops.key(i), ops.version(i));
    return version == null || version.size() == 0;
  }

  private Transaction writerOf(Transaction reader, int i) {
    Operations ops = reader.operations;
    Statement read = ops.statement(i);
    boolean anyKnown = read.table() != null || read.namesWriters();
    Operations write =
        new Operations.Builder()
            .inDatabaseOf(ops)
            .statement(anyKnown ? new Statement(read.table(), "", read.namesWriters()) : null)
            .write(ops.key(i), ops.version(i))
            .names(ops.keyName(i), ops.versionName(i))
            .build();
    long id = HashCommon.murmurHash3(ops.key(i) * 31 + HashCommon.murmurHash3(ops.version(i)));
    return Transaction.uncaptured(write, id, bindingLevel(reader.ranAt), reader, slots);
  }

  /**
   * The strongest level that holds whatever level the writer itself ran at. PostgreSQL's snapshots
   * show every commit as a whole, on a standby too; its {@code serializable} ignores writers that
   * run at less.
   */
  private static IsolationLevel bindingLevel(@Nullable String readerRanAt) {
    boolean postgresql =
        readerRanAt != null
            && (readerRanAt.startsWith("postgresql:")
                || readerRanAt.startsWith("postgresql-standby:"));
    return postgresql ? IsolationLevel.SNAPSHOT_ISOLATION : IsolationLevel.CAUSAL;
  }
}
