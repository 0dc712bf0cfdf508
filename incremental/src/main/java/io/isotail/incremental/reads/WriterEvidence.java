package io.isotail.incremental.reads;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.Statement;
import org.jspecify.annotations.Nullable;

/**
 * What the version that a read returned proves of its writer: the one place that says so.
 *
 * <p>A version has known writers: transactions in the stream that installed it. The table tells
 * what follows from them, by what is declared of the history and of the table.
 *
 * <table>
 * <caption>What is known of the writer</caption>
 * <tr><th>history</th><th>versions</th><th>one committed</th><th>none committed</th><th>no known
 * writer</th></tr>
 * <tr><td>any</td><td>unique</td><td>that one</td><td>the known one</td><td>closed: nobody; open: one
 * who is not captured</td></tr>
 * <tr><td>open</td><td>names its writer</td><td>that one</td><td>nothing</td><td>before capture: the
 * initial one; else one who is not captured</td></tr>
 * <tr><td>closed</td><td>counting, or names its writer</td><td>that one</td><td>the known one *</td><td>nobody *</td></tr>
 * <tr><td>closed</td><td>neither</td><td>that one *</td><td>the known one *</td><td>nobody *</td></tr>
 * <tr><td>open</td><td>counting</td><td>that one</td><td>nothing</td><td>one who is not captured</td></tr>
 * <tr><td>open</td><td>neither</td><td>nothing</td><td>nothing</td><td>nothing</td></tr>
 * </table>
 *
 * <p>* Unless something that the stream did not show may be the writer: a lost record, a write of
 * the key whose version is not known, a statement that was not understood, or a writer that the
 * snapshot has forgotten. In an open history a row may also have had the version before capture
 * began, or somebody may have put it there who is not captured; so where versions come back, a
 * known writer proves nothing. For one who is not captured see {@link UncapturedWriters}.
 *
 * <p>Whether versions name their writers is told by each operation, whatever is declared; what was
 * written before capture, by {@link BeforeCapture}. The reader itself may be the writer, by a write
 * that was not seen; and of several writes under one id the last one may not have been seen.
 */
public final class WriterEvidence {
  private final CheckerConfig config;
  private final UnseenEffects unseen;
  private final VersionTable versions;

  /** Follows what is declared in {@code config}, and what was seen so far. */
  public WriterEvidence(CheckerConfig config, UnseenEffects unseen, VersionTable versions) {
    this.config = config;
    this.unseen = unseen;
    this.versions = versions;
  }

  /**
   * Whether any known writer can prove something about a version that {@code read} returned; if
   * not, it need not be waited for.
   */
  public boolean provesAnything(Statement read) {
    return config.closed() || config.isCommittedOnce(read);
  }

  /** Why no version of {@code table} proves anything of its writer, or null. */
  public @Nullable UndecidedReason againstAny(@Nullable String table) {
    return unseen.mixesVersions(table) ? UndecidedReason.MIXED_VERSIONS : null;
  }

  /**
   * Why the only known writer that committed may not be the writer of the version of {@code key}
   * that {@code read} returned; null if it is certain.
   */
  public @Nullable UndecidedReason againstCommitted(Statement read, long key) {
    return config.isCommittedOnce(read) ? null : against(read.table(), key);
  }

  /**
   * Why a known writer that is not known to have committed may not be the writer; null if it is
   * certain that the writer is among the known ones.
   */
  public @Nullable UndecidedReason againstUncommitted(Statement read, long key) {
    return config.isUnique(read) ? null : against(read.table(), key);
  }

  private @Nullable UndecidedReason against(@Nullable String table, long key) {
    if (!config.closed()) {
      return UndecidedReason.UNKNOWN_WRITER;
    }
    if (unseen.lost()) {
      return UndecidedReason.LOST_RECORDS;
    }
    if (versions.anyEvicted()) {
      return UndecidedReason.AMBIGUOUS_WRITER;
    }
    return unseenWrite(table, key);
  }

  /**
   * Why a version without a known writer may be of somebody who is captured; null if nothing speaks
   * for that which is not a doubt of the whole window already, as a loss and an opaque statement
   * are until it has passed them.
   */
  public @Nullable UndecidedReason againstUncaptured(@Nullable String table, long key) {
    return unseen.unseenVersion(table, key) ? UndecidedReason.UNKNOWN_VERSION : null;
  }

  /** Why a version without a known writer may have one all the same; null if nobody wrote it. */
  public @Nullable UndecidedReason againstThinAir(@Nullable String table, long key) {
    if (unseen.lost()) {
      return UndecidedReason.LOST_RECORDS;
    }
    if (!config.closed()) {
      return UndecidedReason.UNKNOWN_WRITER;
    }
    if (versions.anyEvicted()) {
      // Its writer may be forgotten, or there may be none: that would be a violation by itself.
      return UndecidedReason.CAPACITY;
    }
    return unseenWrite(table, key);
  }

  /** Why the absence of {@code key} may not be its initial version; null if it is. */
  public @Nullable UndecidedReason againstInitial(@Nullable String table, long key) {
    if (unseen.deleted(table, key)) {
      return UndecidedReason.ABSENCE;
    }
    if (config.deletes() && !config.closed()) {
      return UndecidedReason.ABSENCE;
    }
    if (config.deletes() && unseen.lost()) {
      return UndecidedReason.LOST_RECORDS;
    }
    return unseen.opaque(table) ? UndecidedReason.OPAQUE_WRITE : null;
  }

  /**
   * Why a row of {@code table} may be gone that the reader itself had written; null if that breaks
   * read consistency.
   */
  public @Nullable UndecidedReason againstVanished(@Nullable String table) {
    if (config.deletes() && !config.closed()) {
      return UndecidedReason.ABSENCE;
    }
    return unseen.opaque(table) ? UndecidedReason.OPAQUE_WRITE : null;
  }

  /** Why a write that was not seen as such may have installed the version, or null. */
  private @Nullable UndecidedReason unseenWrite(@Nullable String table, long key) {
    if (unseen.unseenVersion(table, key)) {
      return UndecidedReason.UNKNOWN_VERSION;
    }
    return unseen.opaque(table) ? UndecidedReason.OPAQUE_WRITE : null;
  }
}
