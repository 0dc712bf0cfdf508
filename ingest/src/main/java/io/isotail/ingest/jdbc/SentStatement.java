package io.isotail.ingest.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement as an application sent it, with its values, so that it can be sent again. It holds
 * what the application knows in clear, and must not leave the process.
 *
 * <p>Safe for several threads.
 */
public final class SentStatement {
  private final String text;
  private final String fingerprint;
  private final boolean mayWrite;
  private final @Nullable List<SetterCalls.Call> parameters;
  private volatile long count = NOT_COUNTED;

  /** As the count: none was told. */
  public static final long NOT_COUNTED = -1;

  SentStatement(
      String text,
      String fingerprint,
      boolean mayWrite,
      @Nullable List<SetterCalls.Call> parameters) {
    this.text = text;
    this.fingerprint = fingerprint;
    this.mayWrite = mayWrite;
    this.parameters = parameters;
  }

  /** The application's text. */
  public String text() {
    return text;
  }

  /** The text without values. */
  public String fingerprint() {
    return fingerprint;
  }

  /** Whether it may change something. */
  public boolean mayWrite() {
    return mayWrite;
  }

  /** Whether all its values are known. */
  public boolean isRepeatable() {
    return parameters != null;
  }

  /** How many rows it changed; {@link #NOT_COUNTED} if that was not told. */
  public long count() {
    return count;
  }

  void counted(long rows) {
    count = rows;
  }

  /**
   * The statement, to be executed once more; its text means what it means there.
   *
   * @throws IllegalStateException if it is not repeatable
   * @throws SQLException if it cannot be prepared, or an array among its values was freed
   */
  public PreparedStatement on(Connection connection) throws SQLException {
    List<SetterCalls.Call> calls = parameters;
    if (calls == null) {
      throw new IllegalStateException("its values are not known");
    }
    PreparedStatement statement = connection.prepareStatement(text);
    try {
      for (SetterCalls.Call call : calls) {
        call.on(statement);
      }
      return statement;
    } catch (SQLException | VirtualMachineError e) {
      statement.close();
      throw e;
    } catch (Throwable e) { // What a driver makes of an array that was freed.
      statement.close();
      throw new SQLException("a value cannot be set again", e);
    }
  }
}
