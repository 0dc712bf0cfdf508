package io.isotail.ingest.postgres;

import io.isotail.ingest.capture.ResultCapture;
import io.isotail.ingest.capture.StatementRun;
import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.StatementTrait;
import io.isotail.ingest.sql.Uninterpreted;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A statement that is to be executed, or is: of a Query message, or bound to a portal. */
final class Portal {
  private static final boolean[] NOTHING = {};

  private final Prepared prepared;

  /** What EXECUTE in SQL executes, where that is of the protocol too. */
  private final @Nullable Prepared executes;

  /** What FETCH in SQL reads, where that is of the protocol. */
  private @Nullable Portal fetches;

  final IntFunction<Object> parameters;
  final Formats formats;

  /** When its execution was sent first, by the clock of the records. */
  long sentNs;

  /** How many executions had been sent when it was bound: it sees what these have left. */
  long boundAfter = -1;

  /** Whether its execution was sent. */
  boolean sent;

  /** Its execution; null until it begins, or after a failure inside isotail. */
  @Nullable StatementRun run;

  /** Whether something else was executed between its Bind and its execution. */
  boolean late;

  /** Its rows; null until the first one or their description. */
  @Nullable ResultCapture result;

  private @Nullable Columns columns;
  private boolean ofAnother;

  private int addedBefore;

  /** Whether it has answered with rows that were not read. */
  boolean passedRows;

  /** Rows that it has answered with. */
  long rows;

  /**
   * A statement with its parameters.
   *
   * @param formats in which formats its result comes
   */
  Portal(Prepared prepared, IntFunction<Object> parameters, Formats formats) {
    this(prepared, null, parameters, formats);
  }

  /**
   * A statement with its parameters that executes another one.
   *
   * @param executes the other one; null if it executes none that is known
   */
  Portal(
      Prepared prepared,
      @Nullable Prepared executes,
      IntFunction<Object> parameters,
      Formats formats) {
    this.prepared = prepared;
    this.executes = executes;
    this.parameters = parameters;
    this.formats = formats;
  }

  /**
   * How many columns at the end of its rows were added to another statement than the client sent
   * here: EXECUTE in SQL runs one that was parsed by the protocol, and FETCH reads such a portal.
   */
  int addedBefore() {
    return Math.max(addedBefore, addedToExecuted());
  }

  /** It is described with so many of them. */
  void addedBefore(int columns) {
    addedBefore = columns;
  }

  /**
   * How many columns were added to the statement that it executes, as far as the server has
   * answered: nothing of it is read here.
   */
  int addedToExecuted() {
    Prepared other = executes;
    return other == null ? 0 : other.actual().hidden().length;
  }

  /**
   * The server has described its rows.
   *
   * @param known how many columns were added to the statement that it is known to execute
   * @param added how many there are
   */
  void described(Columns described, int known, int added) {
    columns = described;
    ofAnother = known > 0 && added == 0;
    if (known == 0) {
      addedBefore = added;
    }
  }

  /** What it may do, and what it executes. */
  List<AnalyzedSql> all() {
    Prepared other = executes;
    return other == null ? List.of(followed()) : List.of(followed(), other.sql());
  }

  /** Whether its rows are of another statement, which has taken the name of its own unseen. */
  boolean isOfAnother() {
    return ofAnother;
  }

  /** Whether only isotail has asked for rows: the client sees none. */
  boolean swallowsRows() {
    return prepared().swallowsRows(executes);
  }

  /** It is FETCH in SQL, of a portal of the protocol: of its rows nothing is read here. */
  void fetches(@Nullable Portal other) {
    fetches = other;
    if (other != null && !other.swallowsRows()) {
      addedBefore = Math.max(addedBefore, other.hidden().length);
    }
  }

  /** What it does, as the capture follows it. */
  AnalyzedSql followed() {
    AnalyzedSql own = prepared().sql();
    Portal other = fetches;
    AnalyzedSql read = other == null ? null : other.prepared().sql();
    if (read != null && read.analysis().mayWrite()) {
      return as(executed(read.analysis()), own, read.traits());
    }
    // Where reads belong is not followed: it sees what there was when it was bound.
    return late && own.analysis() instanceof Analysis.Query
        ? as(new Analysis.Unread(Uninterpreted.UTILITY), own, own.traits())
        : own;
  }

  private static AnalyzedSql as(Analysis analysis, AnalyzedSql sql, Set<StatementTrait> traits) {
    return new AnalyzedSql(analysis, sql.fingerprint(), sql.slots(), traits);
  }

  /** What a write does that is executed when its first row is fetched. */
  private static Analysis executed(Analysis write) {
    return write instanceof Analysis.OneTable one
        ? new Analysis.Opaque(List.of(one.table()), Uninterpreted.UTILITY)
        : write;
  }

  /** The statement. */
  Prepared prepared() {
    return prepared.actual();
  }

  /** For each column at the end that the client does not see whether it has no sign. */
  boolean[] hidden() {
    int added = addedBefore();
    return added > 0 ? new boolean[added] : ofAnother ? NOTHING : prepared().hidden();
  }

  /** The description of its rows, of whichever message it came by. */
  @Nullable Columns described() {
    Columns own = columns;
    return own == null ? prepared().columns() : own;
  }
}
