package io.isotail.monitor.cli;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code doctor} that give a statement to look at. */
final class DoctorStatementOptions {
  private static final Pattern DIALECT = Pattern.compile("[a-z][a-z0-9-]*");
  private static final String DEFAULT_DIALECT = "postgresql";

  @Option(
      names = "--statement",
      paramLabel = "TEXT",
      description = {
        "Tells what capture makes of a statement, by its text alone: its fingerprint, what it reads"
            + " and writes, and why not more. No database is asked. Without --observed, the tables"
            + " that it names are taken for observed, by the key id."
      })
  private @Nullable String statement;

  @Option(
      names = "--dialect",
      paramLabel = "NAME",
      description =
          "With --statement: the database, as JDBC URLs name it: postgresql, mysql, mariadb; of any"
              + " other only what all databases read alike is read (default: postgresql).")
  private @Nullable String dialect;

  /** Whether a statement is to be looked at. */
  boolean isGiven() {
    return statement != null;
  }

  /** Which of these options needs {@code --statement} and does not have it; null if none does. */
  @Nullable String withoutStatement() {
    return statement == null && dialect != null ? "--dialect" : null;
  }

  /** The statement. */
  String text() {
    String text = String.valueOf(statement);
    if (text.isBlank()) {
      throw new IllegalArgumentException("--statement is empty; expected the text of a statement");
    }
    return text;
  }

  /** The kind of database. */
  String database() {
    String name = dialect == null ? DEFAULT_DIALECT : dialect.strip().toLowerCase(Locale.ROOT);
    if (!DIALECT.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "--dialect %s; expected a database as JDBC URLs name it: postgresql, mysql, mariadb, h2"
              .formatted(dialect));
    }
    return name;
  }
}
