package io.isotail.ingest.sql;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement text, analysed.
 *
 * @param analysis what it does to the observed tables
 * @param fingerprint its text without any value
 * @param slots where its values come from
 * @param traits what else it may do
 * @param rewriting how to ask for more than the application does; null if that is not possible
 */
public record AnalyzedSql(
    Analysis analysis,
    String fingerprint,
    List<Slot> slots,
    Set<StatementTrait> traits,
    @Nullable Rewriting rewriting) {

  /** A statement that is sent as it is. */
  public AnalyzedSql(
      Analysis analysis, String fingerprint, List<Slot> slots, Set<StatementTrait> traits) {
    this(analysis, fingerprint, slots, traits, null);
  }

  /** Copies the set. */
  public AnalyzedSql {
    traits = Set.copyOf(traits);
  }

  /** What is followed when the text of a rewriting of it is sent. */
  public AnalyzedSql rewritten(Rewriting sent) {
    return new AnalyzedSql(sent.addition().analysis(), fingerprint, slots, traits, sent);
  }

  /** Whether its first word is this one, whatever its case. */
  public boolean beginsWith(String word) {
    int end = word.length();
    return fingerprint.regionMatches(true, 0, word, 0, end)
        && (fingerprint.length() == end || fingerprint.charAt(end) == ' ');
  }

  /** Number of columns that its rewriting adds to each row. */
  public int hiddenColumns() {
    return rewriting == null ? 0 : rewriting.addition().count();
  }

  /**
   * Whether it may make a write visible to other sessions: its own, or one of its transaction.
   *
   * @param inTransaction whether it certainly runs in a transaction of several statements
   * @param afterWrites whether that may have written before
   */
  public boolean mayShowWrites(boolean inTransaction, boolean afterWrites) {
    boolean writes = analysis.mayWrite();
    return mayCommit() ? writes || afterWrites : writes && !inTransaction;
  }

  private boolean mayCommit() {
    return may(StatementTrait.COMMITS_INSIDE)
        || may(StatementTrait.COMMITS_TRANSACTION)
        || may(StatementTrait.ENDS_TRANSACTION)
        || may(StatementTrait.SEVERAL_STATEMENTS)
        || (analysis instanceof Analysis.Control of && of.control().mayCommit());
  }

  /** Whether it may do this. */
  public boolean may(StatementTrait trait) {
    return traits.contains(trait);
  }
}
