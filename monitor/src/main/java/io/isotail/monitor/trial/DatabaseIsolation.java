package io.isotail.monitor.trial;

import java.sql.Connection;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The isolation levels that a session can ask a database for. */
public enum DatabaseIsolation {
  READ_UNCOMMITTED("read-uncommitted", Connection.TRANSACTION_READ_UNCOMMITTED),
  READ_COMMITTED("read-committed", Connection.TRANSACTION_READ_COMMITTED),
  REPEATABLE_READ("repeatable-read", Connection.TRANSACTION_REPEATABLE_READ),
  SERIALIZABLE("serializable", Connection.TRANSACTION_SERIALIZABLE),
  /** Whatever its connections have. */
  DEFAULT("default", Connection.TRANSACTION_NONE);

  private final String label;
  private final int jdbc;

  DatabaseIsolation(String label, int jdbc) {
    this.label = label;
    this.jdbc = jdbc;
  }

  /** The level's name on the command line. */
  public String label() {
    return label;
  }

  /** The level as a constant of {@link Connection}. */
  public int jdbc() {
    return jdbc;
  }

  /**
   * The level of that name.
   *
   * @throws IllegalArgumentException naming the levels that exist
   */
  public static DatabaseIsolation ofLabel(String label) {
    for (DatabaseIsolation isolation : values()) {
      if (isolation.label.equals(label)) {
        return isolation;
      }
    }
    throw new IllegalArgumentException(
        "'%s' is no isolation level of a database; expected one of %s"
            .formatted(
                label,
                Arrays.stream(values())
                    .map(DatabaseIsolation::label)
                    .collect(Collectors.joining(", "))));
  }
}
