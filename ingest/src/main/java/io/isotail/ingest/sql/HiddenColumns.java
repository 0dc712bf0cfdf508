package io.isotail.ingest.sql;

import io.isotail.ingest.sql.Analysis.Source;
import io.isotail.ingest.sql.Analysis.WriteKind;
import io.isotail.ingest.sql.Analysis.Written;
import io.isotail.ingest.sql.Rewriting.Addition;
import io.isotail.ingest.sql.Rewriting.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.sf.jsqlparser.schema.Table;
import org.jspecify.annotations.Nullable;

/**
 * The columns that tell which rows a statement read or wrote, and who wrote these: the key and
 * {@code xmin} of each row.
 *
 * <p>They are added at the end of a select list or of a RETURNING list, where they change neither
 * the rows nor their order. A text that already has a name like theirs is left alone.
 */
final class HiddenColumns {
  private static final String PREFIX = "isotail_h";

  private HiddenColumns() {}

  /** Whether a result's column of this name is one that was added. */
  static boolean isName(String name) {
    return name.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
  }

  /** A table in a statement and how its columns are called there. */
  record Reference(ObservedTable table, Table written) {
    Source source(boolean locked) {
      return new Source(table, written.getSchemaName() != null, locked);
    }

    /** How the statement calls it, as PostgreSQL folds it. */
    String calledName() {
      return written.getAlias() == null
          ? table.name()
          : Expressions.name(written.getAlias().getName().strip());
    }

    private String qualifier() {
      if (written.getAlias() != null) {
        return written.getAlias().getName().strip();
      }
      return written.getSchemaName() == null
          ? ObservedTable.quoted(table.name())
          : ObservedTable.quoted(table.schemaOrPublic()) + "." + ObservedTable.quoted(table.name());
    }
  }

  /**
   * Columns of a query.
   *
   * @param locked names of the tables whose rows it locks; null if it locks all
   * @param readsMore whether it reads other observed tables in subqueries
   */
  static Addition ofQuery(
      List<Reference> references,
      @Nullable Set<String> locked,
      @Nullable KeyPredicate predicate,
      boolean readsMore) {
    StringBuilder columns = new StringBuilder();
    List<Source> sources = new ArrayList<>();
    int count = 0;
    for (Reference reference : references) {
      count = add(reference, true, columns, count);
      sources.add(reference.source(locked == null || locked.contains(reference.calledName())));
    }
    return new Addition(
        new Analysis.Query(sources, predicate, readsMore),
        Place.SELECT_LIST,
        columns.toString(),
        count,
        null);
  }

  static Addition ofWrite(
      Reference target, WriteKind kind, boolean oneRow, boolean returning, boolean bounded) {
    Written all =
        new Written(
            target.table(),
            target.written().getSchemaName() != null,
            kind,
            oneRow,
            returning,
            bounded,
            true);
    Addition keysOnly =
        kind == WriteKind.INSERT ? ofWrite(target, all.withoutVersion(), null) : null;
    return ofWrite(target, all, keysOnly);
  }

  private static Addition ofWrite(Reference target, Written written, @Nullable Addition keysOnly) {
    StringBuilder columns = new StringBuilder();
    int count = add(target, written.versioned(), columns, 0);
    return new Addition(
        written,
        written.answersApplication() ? Place.RETURNING_LIST : Place.RETURNING,
        columns.toString(),
        count,
        keysOnly);
  }

  private static int add(
      Reference reference, boolean versioned, StringBuilder columns, int before) {
    int count = before;
    for (ObservedTable.Column column : reference.table().key()) {
      add(reference, ObservedTable.quoted(column.name()), columns, ++count);
    }
    if (versioned) {
      add(reference, ObservedTable.XMIN, columns, ++count);
    }
    return count;
  }

  private static void add(Reference reference, String column, StringBuilder columns, int number) {
    columns
        .append(number == 1 ? "" : ", ")
        .append(reference.qualifier())
        .append('.')
        .append(column)
        .append(" AS ")
        .append(PREFIX)
        .append(number);
  }

  /**
   * A text with the place for its columns; null if they cannot be put there.
   *
   * @param text the statement as the application wrote it
   */
  static @Nullable Rewriting in(String text, LexedSql lexed, @Nullable Addition addition) {
    List<Token> tokens = lexed.tokens();
    if (addition == null || tokens.isEmpty() || text.contains(PREFIX)) {
      return null;
    }
    if (addition.place() != Place.SELECT_LIST) {
      int end = tokens.get(tokens.size() - 1).end();
      // The driver takes what follows a semicolon for another statement, and gives no keys then.
      int semicolon = text.indexOf(';', end);
      if (semicolon >= 0 && !text.substring(semicolon + 1).isBlank()) {
        return null;
      }
      return Rewriting.of(addition, text.substring(0, end), text.substring(end));
    }
    int from = fromOf(lexed);
    if (from < 2 || aggregates(lexed, from)) {
      return null;
    }
    int before = tokens.get(from - 1).end();
    return Rewriting.of(
        addition, text.substring(0, before), text.substring(tokens.get(from).start()));
  }

  /** The token that begins the FROM clause of the query itself; -1 if it has none. */
  private static int fromOf(LexedSql sql) {
    int depth = 0;
    for (int i = 0; i < sql.tokens().size(); i++) {
      Token token = sql.tokens().get(i);
      depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
      boolean named = sql.symbolAt(i - 1, ".") || sql.wordAt(i - 1, "as");
      if (depth == 0 && token.isWord("from") && !named && !sql.wordAt(i - 1, "distinct")) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Whether the query itself may aggregate: it has a call that is not known to answer for each row,
   * in its select list, where a subquery's call may be of the outer rows, or after that outside of
   * subqueries.
   */
  private static boolean aggregates(LexedSql sql, int from) {
    int depth = 0;
    int subquery = Integer.MAX_VALUE;
    for (int i = 0; i < sql.tokens().size(); i++) {
      Token token = sql.tokens().get(i);
      if (token.isSymbol("(")) {
        if ((depth < subquery || i < from) && Functions.mayAggregate(sql, i)) {
          return true;
        }
        depth++;
        if (depth < subquery && (sql.wordAt(i + 1, "select") || sql.wordAt(i + 1, "with"))) {
          subquery = depth;
        }
      } else if (token.isSymbol(")")) {
        subquery = depth == subquery ? Integer.MAX_VALUE : subquery;
        depth--;
      }
    }
    return false;
  }
}
