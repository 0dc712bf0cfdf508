package io.isotail.incremental.reads;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.verdict.VerdictLedger;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Version;
import org.jspecify.annotations.Nullable;

/**
 * The axioms (a) to (e) of [1] Def. 2.3, applied to one read: its writer, the axiom that it breaks,
 * or why neither can be told.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
final class ReadAxioms {
  private final CheckerConfig config;
  private final VersionTable versions;
  private final WriterEvidence evidence;
  private final BeforeCapture beforeCapture;
  private final VerdictLedger ledger;

  ReadAxioms(
      CheckerConfig config,
      VersionTable versions,
      WriterEvidence evidence,
      BeforeCapture beforeCapture,
      VerdictLedger ledger) {
    this.config = config;
    this.versions = versions;
    this.evidence = evidence;
    this.beforeCapture = beforeCapture;
    this.ledger = ledger;
  }

  /** A read after the transaction's own write of the key: axioms (c), (d) and (e) of [1]. */
  ReadResult afterOwnWrite(Transaction t, int read, int own) {
    Operations ops = t.operations;
    boolean sameVersion =
        ops.kind(own) == OperationKind.WRITE
            && ops.versionKind(own) == VersionKind.KNOWN
            && ops.versionKind(read) == VersionKind.KNOWN
            && ops.version(own) == ops.version(read);
    if (sameVersion) {
      return new ReadResult.From(t);
    }
    if (ops.kind(own) == OperationKind.DELETE && ops.versionKind(read) == VersionKind.INITIAL) {
      return new ReadResult.From(t);
    }
    if (t.lostChunk) {
      return undecided(UndecidedReason.LOST_CHUNK);
    }
    if (ops.isOfLongList(read)) {
      return undecided(UndecidedReason.LIST_LENGTH);
    }
    if (ops.versionKind(read) == VersionKind.UNKNOWN
        || (ops.kind(own) == OperationKind.WRITE && ops.versionKind(own) != VersionKind.KNOWN)) {
      return undecided(UndecidedReason.UNKNOWN_VERSION);
    }
    if (opaqueBetween(t, own, read)) {
      return undecided(UndecidedReason.OPAQUE_WRITE);
    }
    Statement statement = ops.statement(read);
    long key = ops.key(read);
    if (ops.versionKind(read) == VersionKind.INITIAL) {
      UndecidedReason doubt = evidence.againstVanished(statement.table());
      return doubt != null
          ? undecided(doubt)
          : new BadRead(AnomalyKind.NOT_MY_OWN_WRITE, t, read, own, null);
    }
    Version version = versions.find(key, ops.version(read));
    if (version == null || version.size() == 0) {
      return withoutWriter(t, read);
    }
    if (version.uncaptured() && UncapturedWriters.mayBeItsOwn(t, read)) {
      return undecided(UndecidedReason.UNKNOWN_WRITER);
    }
    if (version.size() > 1) {
      return undecided(UndecidedReason.AMBIGUOUS_WRITER);
    }
    Version.Candidate source = version.candidate(0);
    UndecidedReason doubt =
        source.writer.committed && !source.undone
            ? evidence.againstCommitted(statement, key)
            : evidence.againstUncommitted(statement, key);
    if (doubt != null) {
      return undecided(doubt);
    }
    if (source.writer == t && statement.namesWriters() && !source.undone) {
      // It may have written the key under this id once more, by a trigger.
      return new ReadResult.From(t);
    }
    if (source.writer == t) {
      AnomalyKind kind =
          source.undone
              ? AnomalyKind.ABORTED_READ
              : source.operation > read ? AnomalyKind.FUTURE_READ : AnomalyKind.NOT_MY_LAST_WRITE;
      return new BadRead(kind, t, read, own, source);
    }
    return new BadRead(AnomalyKind.NOT_MY_OWN_WRITE, t, read, own, source);
  }

  /** Why a list need not end with what its reader had appended before; null if it does. */
  @Nullable UndecidedReason againstOwnWrite(Transaction t, int own, int read) {
    if (t.lostChunk) {
      return UndecidedReason.LOST_CHUNK;
    }
    return opaqueBetween(t, own, read) ? UndecidedReason.OPAQUE_WRITE : null;
  }

  /** Why somebody may have written the version too who is not known; null if nobody can have. */
  @Nullable UndecidedReason againstKnownWriters(Transaction t, int read) {
    Statement statement = t.operations.statement(read);
    UndecidedReason gaveUp = config.isUnique(statement) ? null : gaveUp(t);
    return gaveUp != null ? gaveUp : evidence.againstUncommitted(statement, t.operations.key(read));
  }

  /** Whether nothing but the version tells who wrote what a transaction read. */
  boolean versionsTellWriters(Transaction t, int read) {
    return config.uniqueVersions()
        && !t.operations.namesWriters(read)
        && (t.waiting == null || t.waiting.excludedWriters == null);
  }

  /** The writer of a version that only one transaction wrote, if nothing else is to be said. */
  @Nullable Transaction undoubted(Transaction t, int read) {
    Operations ops = t.operations;
    if (ops.versionKind(read) != VersionKind.KNOWN
        || !(config.uniqueVersions() || ops.namesWriters(read))) {
      return null;
    }
    Transaction writer = versions.soleWriter(ops.key(read), ops.version(read));
    if (writer == null
        || writer == t
        || !writer.committed
        || writer.uncaptured()
        || (t.waiting != null && t.waiting.excludedWriters != null)) {
      return null;
    }
    return writer.state == Transaction.State.PENDING ? null : writer;
  }

  /** A read of a key that the transaction has not written before: axioms (a), (b), (c) and (e). */
  ReadResult withoutOwnWrite(Transaction t, int read) {
    Operations ops = t.operations;
    switch (ops.versionKind(read)) {
      case UNKNOWN:
        return undecided(
            ops.isOfLongList(read) ? UndecidedReason.LIST_LENGTH : UndecidedReason.UNKNOWN_VERSION);
      case INITIAL:
        return resolveAbsence(t, read);
      default:
        break;
    }
    Version version = versions.find(ops.key(read), ops.version(read));
    if (version == null || version.size() == 0) {
      return withoutWriter(t, read);
    }
    if (version.uncaptured() && UncapturedWriters.mayBeItsOwn(t, read)) {
      return undecided(UndecidedReason.UNKNOWN_WRITER);
    }
    Version.Candidate source = null;
    int committed = 0;
    boolean unknown = false;
    for (int i = 0; i < version.size(); i++) {
      Version.Candidate candidate = version.candidate(i);
      // A version that is not unique may be the transaction's own later write too; another
      // writer is then the only one that can have been read.
      boolean ownLater = candidate.writer == t && version.size() > 1;
      if (candidate.writer.committed && !candidate.undone && !ownLater) {
        source = candidate;
        committed++;
      }
      unknown |= candidate.mayHaveCommitted();
    }
    Statement statement = ops.statement(read);
    // An append of which nobody knows how it ended may have been tried again with the same element.
    boolean once = committed == 1 && config.isCommittedOnce(statement) && !ops.isOfList(read);
    if (committed > 1 || (unknown && !once)) {
      // Where all have left the window nothing in it is missed, if nobody else can have written it.
      boolean beyondReach = version.retired() && (config.closed() || config.isUnique(statement));
      return beyondReach
          ? undecided(UndecidedReason.TRUNCATED)
          : undecided(UndecidedReason.AMBIGUOUS_WRITER);
    }
    boolean anothers = source != null && source.writer != t;
    if (committed == 1 && !anothers && ops.namesWriters(read) && beforeCapture.idsAreUnique(ops)) {
      // It had written the key under this id already, by a trigger.
      return new ReadResult.From(t);
    }
    if (!config.isUnique(statement)) {
      UndecidedReason doubt = doubtful(t, read, anothers);
      if (doubt != null) {
        return undecided(doubt);
      }
    }
    if (committed == 0) {
      Version.Candidate aborted = anothers(version, t);
      return t.lostChunk && aborted.writer == t
          ? undecided(UndecidedReason.LOST_CHUNK)
          : new BadRead(AnomalyKind.ABORTED_READ, t, read, -1, aborted);
    }
    return source == null
        ? undecided(UndecidedReason.AMBIGUOUS_WRITER)
        : fromCommitted(t, read, source);
  }

  /** The first writer of a version that is not {@code t}, if there is one. */
  private static Version.Candidate anothers(Version version, Transaction t) {
    for (int i = 0; i < version.size(); i++) {
      if (version.candidate(i).writer != t) {
        return version.candidate(i);
      }
    }
    return version.candidate(0);
  }

  /**
   * Why none of the known writers may have written a version that is not unique, or null.
   *
   * @param committed whether one of them, and not the reader itself, is known to have committed
   */
  private @Nullable UndecidedReason doubtful(Transaction t, int read, boolean committed) {
    Statement statement = t.operations.statement(read);
    long key = t.operations.key(read);
    UndecidedReason doubt =
        committed
            ? evidence.againstCommitted(statement, key)
            : evidence.againstUncommitted(statement, key);
    UndecidedReason gaveUp = gaveUp(t);
    boolean mayComeYet = gaveUp != null && !(committed && config.isCommittedOnce(statement));
    return mayComeYet ? gaveUp : doubt;
  }

  private ReadResult fromCommitted(Transaction t, int read, Version.Candidate source) {
    boolean namesWriters = t.operations.namesWriters(read);
    if (source.writer == t && namesWriters) {
      // It had written the key under this id already, by a trigger.
      return new ReadResult.From(t);
    }
    if (source.writer == t) {
      return t.lostChunk
          ? undecided(UndecidedReason.LOST_CHUNK)
          : new BadRead(AnomalyKind.FUTURE_READ, t, read, source.operation, source);
    }
    boolean excluded = t.waiting != null && t.waiting.excludes(source.writer);
    boolean overwritten =
        source.finality == Version.Finality.OVERWRITTEN
            || source.finality == Version.Finality.DELETED;
    if (excluded && (!overwritten || isOverwrittenInList(t, read, source))) {
      // Decided, and reported as a causality cycle; it must not be a premise.
      ledger.stillViolated(IsolationLevel.READ_COMMITTED);
      return ReadResult.LeftOut.CLOSES_A_CAUSALITY_CYCLE;
    }
    switch (source.finality) {
      case OVERWRITTEN, DELETED:
        if (isOverwrittenInList(t, read, source)) {
          break; // What it appended later has to stand behind.
        }
        return namesWriters && mayBeWrittenAgain(source, t.operations.version(read))
            ? undecided(UndecidedReason.UNKNOWN_VERSION)
            : new BadRead(AnomalyKind.INTERMEDIATE_READ, t, read, -1, source);
      case UNKNOWN:
        return undecided(UndecidedReason.UNKNOWN_VERSION);
      default:
        break;
    }
    return source.writer.state == Transaction.State.PENDING
        ? undecided(UndecidedReason.LATE_WRITER)
        : new ReadResult.From(source.writer);
  }

  private static boolean isOverwrittenInList(Transaction t, int read, Version.Candidate source) {
    return t.operations.kind(read) == OperationKind.LISTED
        && source.finality == Version.Finality.OVERWRITTEN;
  }

  /**
   * Whether the writer may have written the key once more under the same id, unseen, after the last
   * write that was seen. It cannot if that one was under a lower id: the subtransaction of this
   * version had ended then.
   */
  private static boolean mayBeWrittenAgain(Version.Candidate source, long version) {
    return source.finality == Version.Finality.DELETED || (int) (source.lastVersion - version) >= 0;
  }

  private ReadResult resolveAbsence(Transaction t, int read) {
    Operations ops = t.operations;
    if (ops.surelyInitial(read)) {
      return new ReadResult.From(Transaction.INITIAL);
    }
    UndecidedReason gaveUp = gaveUp(t);
    if (gaveUp != null && config.deletes()) {
      return undecided(gaveUp);
    }
    UndecidedReason doubt = evidence.againstInitial(ops.statement(read).table(), ops.key(read));
    return doubt != null ? undecided(doubt) : new ReadResult.From(Transaction.INITIAL);
  }

  private ReadResult withoutWriter(Transaction t, int read) {
    UndecidedReason gaveUp = gaveUp(t);
    if (gaveUp != null) {
      return undecided(gaveUp);
    }
    if (t.operations.namesWriters(read) && beforeCapture.covers(t.operations, read)) {
      return undecided(UndecidedReason.UNKNOWN_WRITER);
    }
    UndecidedReason doubt =
        evidence.againstThinAir(t.operations.statement(read).table(), t.operations.key(read));
    return doubt != null
        ? undecided(doubt)
        : new BadRead(AnomalyKind.THIN_AIR_READ, t, read, -1, null);
  }

  private static ReadResult undecided(UndecidedReason reason) {
    return new ReadResult.Undecided(reason);
  }

  private static @Nullable UndecidedReason gaveUp(Transaction t) {
    return t.waiting == null ? null : t.waiting.gaveUp;
  }

  private static boolean opaqueBetween(Transaction t, int from, int to) {
    Operations ops = t.operations;
    for (int i = from + 1; i < to; i++) {
      if (ops.kind(i) == OperationKind.OPAQUE && !ops.undone(i)) {
        String table = ops.statement(i).table();
        String readTable = ops.statement(to).table();
        if (table == null || readTable == null || table.equals(readTable)) {
          return true;
        }
      }
    }
    return false;
  }
}
