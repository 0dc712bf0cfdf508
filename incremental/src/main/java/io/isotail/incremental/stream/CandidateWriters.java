package io.isotail.incremental.stream;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.reads.VersionTable;
import io.isotail.incremental.reads.WriterEvidence;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Version;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import org.jspecify.annotations.Nullable;

/** The possible writers of what a transaction read. */
final class CandidateWriters {
  private final VersionTable versions;
  private final WriterEvidence evidence;
  private final CheckerConfig config;

  CandidateWriters(VersionTable versions, WriterEvidence evidence, CheckerConfig config) {
    this.versions = versions;
    this.evidence = evidence;
    this.config = config;
  }

  /**
   * The one committed writer of a version, or the one that must have committed; null where there is
   * none, and where another one may have committed it too.
   */
  @Nullable Transaction sole(Operations ops, int read) {
    return sole(ops.statement(read), ops.key(read), ops.version(read), ops.isOfList(read));
  }

  /** As for a read by that statement, of a list or not. */
  @Nullable Transaction sole(Statement read, long key, long value, boolean list) {
    Transaction sole = versions.soleWriter(key, value);
    if (sole != null) {
      return sole;
    }
    Version version = versions.find(key, value);
    if (version == null) {
      return null;
    }
    Transaction committed = null;
    boolean unknown = false;
    for (int i = 0; i < version.size(); i++) {
      Version.Candidate candidate = version.candidate(i);
      unknown |= candidate.mayHaveCommitted();
      if (candidate.writer.committed && !candidate.undone) {
        if (committed != null) {
          return null;
        }
        committed = candidate.writer;
      }
    }
    if (committed != null) {
      return unknown && (list || !config.isCommittedOnce(read)) ? null : committed;
    }
    return version.size() == 1 && !version.candidate(0).undone ? version.candidate(0).writer : null;
  }

  /**
   * Whether all known writers aborted. In live traffic one may be an attempt whose retry installs
   * the same version, declared unique or not, so the horizon decides.
   */
  boolean mayBeRetried(Version version) {
    for (int i = 0; i < version.size(); i++) {
      Transaction writer = version.candidate(i).writer;
      if (writer.committed || writer.outcome != Outcome.ABORTED) {
        return false;
      }
    }
    return config.live();
  }

  /**
   * Whether a reader of lists has to wait for what comes: of an element no known append committed,
   * and an attempt that failed, or of which nobody knows how it ended, may have been tried again
   * with the same element.
   */
  boolean mayBeAppendedAgain(Version version, Transaction reader) {
    for (int i = 0; i < version.size(); i++) {
      if (version.candidate(i).writer.committed && !version.candidate(i).undone) {
        return false;
      }
    }
    return readsLists(reader);
  }

  /** Whether a transaction read a list. */
  static boolean readsLists(Transaction reader) {
    Operations ops = reader.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.LISTED && !ops.undone(i)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a list shows an element twice, which as many appends may explain. */
  static boolean anyListedTwice(Operations ops) {
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.LISTED) {
        int last = i;
        while (ops.listedBefore(last)) {
          last++;
        }
        int first = ops.versionKind(i) == VersionKind.KNOWN ? i : i + 1;
        if (first < last && !ops.ascends(first, last) && anyTwice(ops, first, last)) {
          return true;
        }
        i = last;
      }
    }
    return false;
  }

  private static boolean anyTwice(Operations ops, int first, int last) {
    LongOpenHashSet seen = new LongOpenHashSet(last - first + 1);
    for (int i = first; i <= last; i++) {
      if (!seen.add(ops.version(i))) {
        return true;
      }
    }
    return false;
  }

  /** Whether nobody else than a known writer can have written a version of the key. */
  boolean isProven(Transaction writer, Statement read, long key) {
    return (writer.committed
            ? evidence.againstCommitted(read, key)
            : evidence.againstUncommitted(read, key))
        == null;
  }

  /**
   * Whether all that {@code reader} read from {@code writer} may as well be of somebody else, so
   * that a cycle through it proves nothing.
   */
  boolean doubtful(Transaction reader, Transaction writer) {
    Operations ops = reader.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.shows(i)
          && sole(ops, i) == writer
          && isProven(writer, ops.statement(i), ops.key(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether the reads of {@code reader} from {@code writer} are left out. */
  static boolean excluded(Transaction reader, Transaction writer) {
    return reader.waiting != null && reader.waiting.excludes(writer);
  }
}
