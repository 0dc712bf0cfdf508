package io.isotail.ingest.postgres;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.CommentedSql;
import io.isotail.ingest.sql.Rewriting;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement as it was sent to the server: by a Query message, or by Parse for executions to come.
 * For one thread.
 */
final class Prepared {
  private static final boolean[] NOTHING = {};
  private static final Pattern COPY_IN =
      Pattern.compile(
          "\\s*copy\\b.*\\bfrom\\s+std(in|out)\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private final CommentedSql told;
  private final AnalyzedSql sql;
  private final @Nullable Rewriting rewriting;
  private final boolean[] hidden;
  private int[] types;
  private @Nullable Columns columns;
  private @Nullable Prepared instead;
  private @Nullable Prepared executes;
  private boolean inDoubt;
  private final NamesInSql names;

  /**
   * A statement.
   *
   * @param told its text as the client wrote it
   * @param sql as it is followed: the rewritten one if it was rewritten
   * @param rewriting how it was rewritten; null if it was not
   * @param types oids of its parameters as far as the client told them, 0 for others
   */
  Prepared(CommentedSql told, AnalyzedSql sql, @Nullable Rewriting rewriting, int[] types) {
    this.told = told;
    this.sql = sql;
    this.rewriting = rewriting;
    this.types = types;
    this.names = NamesInSql.of(told.statement());
    this.hidden = rewriting == null ? NOTHING : unsigned(rewriting.addition().analysis(), sql);
  }

  /** For each column that was added whether it is an xid. */
  private static boolean[] unsigned(Analysis analysis, AnalyzedSql sql) {
    boolean[] unsigned = new boolean[sql.hiddenColumns()];
    if (analysis instanceof Analysis.Written written) {
      int xids = written.xids();
      Arrays.fill(unsigned, unsigned.length - xids, unsigned.length, true);
    } else if (analysis instanceof Analysis.Query query) {
      int at = 0;
      for (Analysis.Source source : query.sources()) {
        at += source.columns();
        unsigned[at - 1] = source.form() == Analysis.Form.COLUMNS;
      }
    }
    return unsigned;
  }

  /**
   * The server has not parsed it: what the client has sent since under its name is about this one.
   */
  void replaceBy(Prepared other) {
    instead = other;
  }

  /** The statement that the server has under the name, as far as it has answered. */
  Prepared actual() {
    Prepared actual = this;
    while (actual.instead != null) {
      actual = actual.instead;
    }
    return actual;
  }

  CommentedSql told() {
    return told;
  }

  AnalyzedSql sql() {
    return sql;
  }

  @Nullable Rewriting rewriting() {
    return rewriting;
  }

  /** For each column that was added at the end of each row whether it is a number without sign. */
  boolean[] hidden() {
    return hidden;
  }

  /**
   * Whether it is known to leave what names and rights mean as it is, and to end no transaction: it
   * begins one, sets or releases a savepoint, or reads or writes rows. False in doubt.
   */
  boolean changesNoMeaning() {
    return sql.analysis() instanceof Analysis.Control control
        ? switch (control.control().kind()) {
          case BEGIN, SAVEPOINT, RELEASE -> true;
          default -> false;
        }
        : rewriting != null && sql.traits().isEmpty();
  }

  /** Whether the client is to send rows that it copies. */
  boolean copiesIn() {
    return rewriting == null && COPY_IN.matcher(told.statement()).lookingAt();
  }

  /** What it has to do with names of the session. */
  NamesInSql names() {
    return names;
  }

  /** SQL may have given its name to another statement, or not. */
  void doubt() {
    inDoubt = true;
  }

  /** The server has told that it has its name. */
  void settle() {
    inDoubt = false;
  }

  /** Whether SQL may have given its name to another statement since the server has told. */
  boolean isInDoubt() {
    return inDoubt;
  }

  /** Whether only isotail has asked for rows: the client sees none. */
  boolean swallowsRows() {
    return swallowsRows(executes);
  }

  /** Whether only isotail has asked for rows where it executes another statement. */
  boolean swallowsRows(@Nullable Prepared other) {
    return other == null ? rewriting != null && rewriting.isWrite() : other.actual().swallowsRows();
  }

  /**
   * It is EXECUTE in SQL, of a statement that the client has parsed by the protocol: its
   * description is that one's.
   */
  void executes(@Nullable Prepared other) {
    executes = other;
  }

  /** How many columns were added to the statement that it executes: nothing of it is read here. */
  int addedToExecuted() {
    Prepared other = executes;
    return other == null ? 0 : other.actual().hidden.length;
  }

  /** Oid of the type of a parameter, from 1; 0 if it is not known. */
  int type(int parameter) {
    return parameter <= types.length ? types[parameter - 1] : 0;
  }

  /** The server has described the parameters. */
  void types(int[] described) {
    types = described;
  }

  /** How the server has described its result, with the columns that were added; null if not. */
  @Nullable Columns columns() {
    return columns;
  }

  /** The server has described its result. */
  void columns(Columns described) {
    columns = described;
  }

  /** The place in the client's text of a place in the text that was sent; both count from 0. */
  int placeTold(int place) {
    Rewriting of = rewriting;
    int before = told.before().length();
    return of == null || place < before ? place : before + of.placeWithout(place - before);
  }
}
