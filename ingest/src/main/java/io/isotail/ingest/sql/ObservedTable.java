package io.isotail.ingest.sql;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A table whose reads and writes are recorded. Names are as PostgreSQL stores them: folded to lower
 * case unless they were quoted. Immutable, equal by its parts.
 */
public final class ObservedTable {
  private final @Nullable String schema;
  private final String name;
  private final List<Column> key;
  private final boolean keyMayBeNull;
  private final Column version;
  private final @Nullable RowContent content;

  // Asked for with each row.
  private final String identityName;
  private final boolean namesWriters;
  private final List<String> contentColumns;
  private final int hash;

  /**
   * A table.
   *
   * @param schema schema, or null for {@code public}; without it in the name that goes into records
   * @param name table name
   * @param key columns that identify a row, in a fixed order
   * @param version column whose value identifies a version of the row
   */
  public ObservedTable(@Nullable String schema, String name, List<Column> key, Column version) {
    this(schema, name, key, false, version);
  }

  /**
   * A table.
   *
   * @param schema schema, or null for {@code public}; without it in the name that goes into records
   * @param name table name
   * @param key columns that identify a row, in a fixed order
   * @param keyMayBeNull whether one of them may be NULL, and then identifies none
   * @param version column whose value identifies a version of the row
   */
  public ObservedTable(
      @Nullable String schema,
      String name,
      List<Column> key,
      boolean keyMayBeNull,
      Column version) {
    this(schema, name, key, keyMayBeNull, version, null);
  }

  private ObservedTable(
      @Nullable String schema,
      String name,
      List<Column> key,
      boolean keyMayBeNull,
      Column version,
      @Nullable RowContent content) {
    if (key.isEmpty()) {
      throw new IllegalArgumentException("table " + name + " has no key column");
    }
    this.schema = schema;
    this.name = name;
    this.key = List.copyOf(key);
    this.keyMayBeNull = keyMayBeNull;
    this.version = version;
    this.content = content;
    this.contentColumns = content == null ? List.of() : content.label();
    this.identityName = schema == null ? name : schema + "." + name;
    this.namesWriters = version.name().equals(XMIN);
    this.hash = Objects.hash(schema, name, this.key, version);
  }

  /** A table of which the content of a row is all that is known of its version. */
  public static ObservedTable withContents(
      String schema, String name, List<Column> key, RowContent content) {
    Column version = new Column(RowContent.VERSION, ColumnType.READ_ONLY_TEXT);
    return new ObservedTable(schema, name, key, false, version, content);
  }

  /** Schema, or null for {@code public}; without it in the name that goes into records. */
  public @Nullable String schema() {
    return schema;
  }

  /** Table name. */
  public String name() {
    return name;
  }

  /** Columns that identify a row, in a fixed order. */
  public List<Column> key() {
    return key;
  }

  /** Whether rows may have no key, since a column of it is NULL. */
  public boolean keyMayBeNull() {
    return keyMayBeNull;
  }

  /** Column whose value identifies a version of the row. */
  public Column version() {
    return version;
  }

  /**
   * A column.
   *
   * @param name its name
   * @param type its declared type, or null when the database's catalog is to be asked
   */
  public record Column(String name, @Nullable ColumnType type) {}

  /** The hidden column of PostgreSQL that holds the id of the transaction that wrote the row. */
  public static final String XMIN = "xmin";

  /** Whether the version of a row is the id of the transaction that wrote it. */
  public boolean namesWriters() {
    return namesWriters;
  }

  /** What makes the content of a row, where nothing else tells its version; else null. */
  public @Nullable RowContent content() {
    return content;
  }

  /** The columns that reads and the log tell of the {@link #content}, as records name them. */
  public List<String> contentColumns() {
    return contentColumns;
  }

  /** The columns of the {@link #content} of which the log and statements tell values alone. */
  public List<RowContent.Column> comparableColumns() {
    return content == null
        ? List.of()
        : content.columns().stream()
            .filter(column -> column.isComparable() && keyIndex(column.name()) < 0)
            .toList();
  }

  /** Whether rows tell who wrote them, at once or by what the database's log says of them. */
  public boolean tellsRows() {
    return namesWriters || content != null;
  }

  /** A name as a statement writes it so that it is not folded. */
  public static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Name that goes into key identities and into records. */
  public String identityName() {
    return identityName;
  }

  /** The schema that the table is in. */
  public String schemaOrPublic() {
    return schema == null ? "public" : schema;
  }

  /** How a name in a statement relates to this table. */
  enum Match {
    /** Another table. */
    NO,
    /** This table. */
    YES,
    /** A table of this name in a schema of which the configuration says nothing. */
    UNCLEAR
  }

  Match match(@Nullable String otherSchema, String otherName) {
    if (!name.equals(otherName)) {
      return Match.NO;
    }
    if (schema == null) {
      return otherSchema == null || otherSchema.equals("public") ? Match.YES : Match.UNCLEAR;
    }
    return otherSchema == null || otherSchema.equals(schema) ? Match.YES : Match.NO;
  }

  /** Position of {@code column} among the key columns, or -1. */
  int keyIndex(String column) {
    for (int i = 0; i < key.size(); i++) {
      if (key.get(i).name().equals(column)) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof ObservedTable table
            && hash == table.hash
            && name.equals(table.name)
            && Objects.equals(schema, table.schema)
            && key.equals(table.key)
            && keyMayBeNull == table.keyMayBeNull
            && version.equals(table.version)
            && Objects.equals(content, table.content));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return identityName + key + version;
  }
}
