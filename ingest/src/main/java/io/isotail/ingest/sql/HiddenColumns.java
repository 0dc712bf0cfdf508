package io.isotail.ingest.sql;

import io.isotail.ingest.sql.Analysis.Form;
import io.isotail.ingest.sql.Analysis.Source;
import io.isotail.ingest.sql.Analysis.WriteKind;
import io.isotail.ingest.sql.Analysis.Written;
import io.isotail.ingest.sql.Rewriting.Addition;
import io.isotail.ingest.sql.Rewriting.Place;
import java.util.ArrayList;
import java.util.List;
import net.sf.jsqlparser.schema.Table;
import org.jspecify.annotations.Nullable;

/**
 * The columns that tell which rows a statement read or wrote, and who wrote these: the key and
 * {@code xmin} of each row.
 *
 * <p>They are added at the end of select lists or of a RETURNING list, where they change no rows,
 * nor an order that the statement asks for. A text that already has a name like theirs is left
 * alone.
 */
final class HiddenColumns {
  private static final String PREFIX = "isotail_h";

  /** The row as it was before the write. */
  private static final String OLD = "old";

  /** Before the columns of a write that returns no others. */
  static final String RETURNING = " RETURNING ";

  private HiddenColumns() {}

  /** Whether a result's column of this name is one that was added. */
  static boolean isName(String name) {
    return name.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
  }

  /** Whether a text has a name like those of the columns. */
  static boolean isNamedIn(String text) {
    return text.contains(PREFIX);
  }

  /** Name of a column by its number in the statement. */
  static String name(int number) {
    return PREFIX + number;
  }

  /** A table in a statement and how its columns are called there. */
  record Reference(ObservedTable table, Table written) {
    private Source source() {
      return new Source(table, written.getSchemaName() != null, false, Form.COLUMNS);
    }

    private String qualifier() {
      if (written.getAlias() != null) {
        return written.getAlias().getName().strip();
      }
      if (table.content() != null) {
        return written.getFullyQualifiedName(); // Case may make a difference.
      }
      return written.getSchemaName() == null
          ? ObservedTable.quoted(table.name())
          : ObservedTable.quoted(table.schemaOrPublic()) + "." + ObservedTable.quoted(table.name());
    }
  }

  /** What tells the row of a table. */
  static Told of(Reference reference) {
    return new Told(reference.source(), expressions(reference, true));
  }

  /**
   * What is added to a write.
   *
   * @param mayReplace whether it may write a row that is there, and so tell what it replaced
   * @param end number of the statement's tokens
   */
  static Addition ofWrite(
      Reference target,
      WriteKind kind,
      boolean oneRow,
      boolean returning,
      boolean bounded,
      boolean mayReplace,
      int end) {
    Written all =
        new Written(
            target.table(),
            target.written().getSchemaName() != null,
            kind,
            oneRow,
            returning,
            bounded,
            true,
            false);
    Addition keysOnly =
        kind == WriteKind.INSERT ? ofWrite(target, all.withoutVersion(), end, null, null) : null;
    Addition replaced = mayReplace ? ofWrite(target, all.tellingReplaced(), end, null, null) : null;
    return ofWrite(target, all, end, keysOnly, replaced);
  }

  /** Whether a name like that of the row before the write stands in a statement. */
  static boolean namesOld(LexedSql sql) {
    return sql.tokens().stream().anyMatch(token -> token.text().equalsIgnoreCase(OLD));
  }

  private static Addition ofWrite(
      Reference target,
      Written written,
      int end,
      @Nullable Addition keysOnly,
      @Nullable Addition replaced) {
    List<String> columns = expressions(target, written.versioned());
    if (written.tellsReplaced() && written.kind() != WriteKind.DELETE) {
      columns.add(OLD + "." + ObservedTable.XMIN);
    }
    StringBuilder text = new StringBuilder(written.answersApplication() ? ", " : RETURNING);
    for (int i = 0; i < columns.size(); i++) {
      text.append(i == 0 ? "" : ", ").append(columns.get(i)).append(" AS ").append(name(i + 1));
    }
    return new Addition(
        written,
        written.answersApplication() ? Place.RETURNING_LIST : Place.RETURNING,
        List.of(new Insertion(end, text.toString())),
        columns.size(),
        List.of(),
        List.of(),
        keysOnly,
        replaced);
  }

  private static List<String> expressions(Reference reference, boolean versioned) {
    String qualifier = reference.qualifier() + ".";
    List<String> expressions = new ArrayList<>();
    RowContent content = reference.table().content();
    if (content != null) {
      for (ObservedTable.Column column : reference.table().key()) {
        expressions.add(qualifier + RowContent.quoted(column.name()));
      }
      expressions.add(content.expression(qualifier));
      return expressions;
    }
    for (ObservedTable.Column column : reference.table().key()) {
      expressions.add(qualifier + ObservedTable.quoted(column.name()));
    }
    if (versioned) {
      expressions.add(qualifier + ObservedTable.XMIN);
    }
    return expressions;
  }

  /**
   * A text with its hidden columns; null if they cannot be put there.
   *
   * @param text the statement as the application wrote it
   */
  static @Nullable Rewriting in(String text, LexedSql lexed, @Nullable Addition addition) {
    List<Token> tokens = lexed.tokens();
    if (addition == null || tokens.isEmpty() || text.contains(PREFIX)) {
      return null;
    }
    if (addition.place() != Place.SELECT_LISTS) {
      // The driver takes what follows a semicolon for another statement, and gives no keys then.
      int semicolon = text.indexOf(';', tokens.get(tokens.size() - 1).end());
      if (semicolon >= 0 && !text.substring(semicolon + 1).isBlank()) {
        return null;
      }
    }
    return Rewriting.of(addition, text, lexed);
  }
}
