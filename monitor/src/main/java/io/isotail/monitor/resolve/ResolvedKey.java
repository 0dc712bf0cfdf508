package io.isotail.monitor.resolve;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row that a hashed key stands for.
 *
 * @param key what was looked for
 * @param id its hash
 * @param table the table, as the proxies name it
 * @param columns the key's columns
 * @param versions the versions asked for, in no order
 */
public record ResolvedKey(
    HashedKey key, long id, String table, List<Column> columns, List<Version> versions) {

  /** Copies the lists. */
  public ResolvedKey {
    columns = List.copyOf(columns);
    versions = List.copyOf(versions);
  }

  /**
   * A column of the key.
   *
   * @param name its name
   * @param value its value in the form in which it was hashed; bytes as PostgreSQL writes them
   */
  public record Column(String name, String value) {}

  /**
   * A version of the row.
   *
   * @param id its hash
   * @param value the version, null if it could not be told
   * @param present whether the row has it now
   */
  public record Version(long id, @Nullable String value, boolean present) {}
}
