package io.isotail.ingest.sql;

import io.isotail.ingest.sql.Analysis.Form;
import io.isotail.ingest.sql.Analysis.Source;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The rows of an observed table that a row of a query is made of, and the expressions that tell
 * them: first the key, at last who wrote it.
 *
 * @param source the table
 * @param columns the expressions, in the scope where they are used
 */
record Told(Source source, List<String> columns) {
  private static final String TEXT = "::pg_catalog.text";
  private static final String BYTES = " COLLATE pg_catalog.\"C\"";

  /** Copies the list. */
  Told {
    columns = List.copyOf(columns);
  }

  /** Whether it tells contents: of a database that compares these columns as they are. */
  boolean isOfContents() {
    return source.table().content() != null;
  }

  /** Columns of any type as text, which has an order and a hash and agrees with other text. */
  Told asTexts() {
    return source.form() == Form.COLUMNS && !isOfContents()
        ? in(Form.TEXTS, columns.stream().map(column -> column + TEXT).toList())
        : this;
  }

  /** All rows of a group: an array of arrays. Not of contents. */
  Told asArray() {
    return in(
        Form.ARRAY,
        List.of(
            asTexts().columns().stream()
                .collect(Collectors.joining(", ", "pg_catalog.array_agg(ARRAY[", "])"))));
  }

  /** The one row of a group that has the row's key. Its version is compared byte by byte. */
  Told ofGroup() {
    if (isOfContents()) {
      List<String> same = new ArrayList<>(columns);
      same.set(same.size() - 1, "MAX(" + same.get(same.size() - 1) + ")");
      return by(same);
    }
    List<String> texts = new ArrayList<>(asTexts().columns());
    texts.set(texts.size() - 1, "pg_catalog.max(" + texts.get(texts.size() - 1) + BYTES + ")");
    return in(Form.TEXTS, texts);
  }

  /** Columns that are sorted or hashed fast. */
  Told ofDistinct() {
    return isOfContents()
        ? this
        : in(Form.TEXTS, asTexts().columns().stream().map(column -> column + BYTES).toList());
  }

  /** What this tells, told by other expressions. */
  Told by(List<String> others) {
    return new Told(source, others);
  }

  /** What stands in its columns where it tells nothing. */
  List<String> nulls() {
    String nothing =
        isOfContents() ? "NULL" : "NULL" + TEXT + (source.form() == Form.ARRAY ? "[]" : "");
    return Collections.nCopies(columns.size(), nothing);
  }

  /** What this tells of a row that the query locks. */
  Told locked() {
    return new Told(new Source(source.table(), source.qualified(), true, source.form()), columns);
  }

  private Told in(Form form, List<String> others) {
    return new Told(new Source(source.table(), source.qualified(), source.locked(), form), others);
  }
}
