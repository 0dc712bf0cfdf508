package io.isotail.monitor.forecast;

import io.isotail.incremental.forecast.Templates;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A transaction that ran, as a capture would record it. Rows are named {@code table key}. */
final class Ran {
  private static long sessions;

  private final String endpoint;
  private final String level;
  private final Operations.Builder operations = new Operations.Builder();
  private final List<Templates.Ran> ran = new ArrayList<>();
  private long version = 1_000_000;

  private Ran(String endpoint, String level) {
    this.endpoint = endpoint;
    this.level = level;
  }

  static Ran at(String level, String endpoint) {
    return new Ran(endpoint, level);
  }

  /** A query that showed rows, or one that looked at rows and showed none. */
  Ran read(String sql, String... rows) {
    ran.add(new Templates.Ran(sql, false));
    for (String row : rows) {
      statement(sql, row, false);
      operations.read(key(row), 7).names(row, "7");
    }
    return this;
  }

  /** A query by key that found no row. */
  Ran absent(String sql, String row) {
    ran.add(new Templates.Ran(sql, false));
    statement(sql, row, false);
    operations.readInitial(key(row)).names(row, null);
    return this;
  }

  /** A write that changed rows. */
  Ran write(String sql, String... rows) {
    ran.add(new Templates.Ran(sql, false));
    for (String row : rows) {
      statement(sql, row, sql.toLowerCase(Locale.ROOT).startsWith("insert"));
      operations.write(key(row), version++).names(row, null);
    }
    return this;
  }

  /** A write that removed a row. */
  Ran delete(String sql, String row) {
    ran.add(new Templates.Ran(sql, false));
    statement(sql, row, false);
    operations.delete(key(row)).names(row, null);
    return this;
  }

  /** The server has told the id that it writes under. */
  Ran toldItsId() {
    operations.statement(new Statement(Statement.ELSEWHERE, "", true));
    operations.write(version, version++);
    return this;
  }

  /** A write that hit no row. */
  Ran wroteNothing(String sql) {
    ran.add(new Templates.Ran(sql, true));
    return this;
  }

  private void statement(String sql, String row, boolean inserts) {
    operations.statement(new Statement(row.substring(0, row.indexOf(' ')), sql, true, inserts));
  }

  private static long key(String row) {
    return row.hashCode();
  }

  TransactionRecord record() {
    return record(Outcome.COMMITTED);
  }

  TransactionRecord record(Outcome outcome) {
    long session = ++sessions;
    return new TransactionRecord(
        SessionInfo.ofFile(session, "s" + session),
        0,
        1,
        0,
        outcome,
        level,
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        operations.build(),
        new Origin(null, endpoint, null));
  }

  static Templates templates(Ran... all) {
    Templates templates = Foreseen.templates();
    for (Ran one : all) {
      templates.accept(one.record(), one.ran);
    }
    return templates;
  }
}
