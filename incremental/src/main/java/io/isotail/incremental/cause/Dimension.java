package io.isotail.incremental.cause;

import io.isotail.incremental.record.Statement;
import io.isotail.incremental.window.Transaction;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What transactions may differ in. */
public enum Dimension {
  /** Name of the application. */
  SERVICE("service"),
  /** Route or action. */
  ENDPOINT("endpoint"),
  /** What the connection calls its application. */
  APPLICATION("application"),
  /** The application with its version. */
  VERSION("version"),
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
  private static final String[] HOURS =
      IntStream.range(0, 24).mapToObj(Integer::toString).toArray(String[]::new);

  /** Of so many statements those that are alike are found by comparing each two. */
  private static final int FEW_STATEMENTS = 16;

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
    hand(VERSION, t.origin == null ? null : t.origin.version(), to);
    hand(INSTANCE, t.session.info.instance(), to);
    hand(HOST, t.session.info.databaseHost(), to);
    hand(LEVEL, t.ranAt, to);
    handStatements(t.operations.statements(), to);
    if (appendTimeMs > 0) {
      to.accept(HOUR, HOURS[(int) (appendTimeMs / HOUR_MS % HOURS.length)]);
    }
  }

  /** Each text once: a statement that reads two tables is told for each. */
  private static void handStatements(List<Statement> statements, BiConsumer<Dimension, String> to) {
    if (statements.size() > FEW_STATEMENTS) {
      statements.stream()
          .map(Statement::fingerprint)
          .filter(text -> !text.isEmpty())
          .distinct()
          .forEach(text -> to.accept(STATEMENT, text));
      return;
    }
    for (int i = 0; i < statements.size(); i++) {
      String text = statements.get(i).fingerprint();
      if (!text.isEmpty() && !isAmongFirst(i, statements, text)) {
        to.accept(STATEMENT, text);
      }
    }
  }

  private static boolean isAmongFirst(int count, List<Statement> statements, String text) {
    for (int i = 0; i < count; i++) {
      if (statements.get(i).fingerprint().equals(text)) {
        return true;
      }
    }
    return false;
  }

  private static void hand(
      Dimension dimension, @Nullable String value, BiConsumer<Dimension, String> to) {
    if (value != null) {
      to.accept(dimension, value);
    }
  }
}
