package io.isotail.incremental.cause;

import io.isotail.incremental.record.Statement;
import io.isotail.incremental.window.Transaction;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What transactions may differ in. A version of the application is not recorded. */
public enum Dimension {
  /** Name of the application. */
  SERVICE("service"),
  /** Route or action. */
  ENDPOINT("endpoint"),
  /** What the connection calls its application. */
  APPLICATION("application"),
  /** Which instance of the application. */
  INSTANCE("instance"),
  /** Host and port of the database. */
  HOST("host"),
  /** The level that it ran at, as recorded. */
  LEVEL("level"),
  /** Text of a statement, without literals. */
  STATEMENT("statement"),
  /** Hour of the day at which the log took it, in UTC. */
  HOUR("hour");

  private static final long HOUR_MS = 3_600_000;
  private static final int HOURS = 24;

  private final String label;

  Dimension(String label) {
    this.label = label;
  }

  /** Its name in every interface. */
  public String label() {
    return label;
  }

  /**
   * Hands over each value that a transaction has, each once; it may have none of a dimension, and
   * several statements.
   */
  static void values(Transaction t, long appendTimeMs, BiConsumer<Dimension, String> to) {
    hand(SERVICE, t.session.info.service(), to);
    hand(ENDPOINT, t.origin == null ? null : t.origin.endpoint(), to);
    hand(APPLICATION, t.origin == null ? null : t.origin.application(), to);
    hand(INSTANCE, t.session.info.instance(), to);
    hand(HOST, t.session.info.databaseHost(), to);
    hand(LEVEL, t.ranAt, to);
    Set<String> statements = new LinkedHashSet<>(); // one that reads two tables is told for each
    for (Statement statement : t.operations.statements()) {
      statements.add(statement.fingerprint());
    }
    statements.remove("");
    statements.forEach(statement -> to.accept(STATEMENT, statement));
    if (appendTimeMs > 0) {
      to.accept(HOUR, Long.toString(appendTimeMs / HOUR_MS % HOURS));
    }
  }

  private static void hand(
      Dimension dimension, @Nullable String value, BiConsumer<Dimension, String> to) {
    if (value != null) {
      to.accept(dimension, value);
    }
  }
}
