package io.isotail.monitor.doctor;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.capture.TableSurvey;
import io.isotail.ingest.capture.Unobserved;
import io.isotail.ingest.jdbc.DriverReview;
import io.isotail.ingest.jdbc.DriverSetting;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.monitor.doctor.Diagnosis.Fact;
import io.isotail.monitor.doctor.Diagnosis.Problem;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Looks at settings, database and brokers in turn, and gathers what it finds. */
public final class Examination {
  private final DriverReview settings;
  private final List<Fact> facts = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  /** Nothing is looked at yet. */
  public Examination(DriverReview settings) {
    this.settings = settings;
  }

  /**
   * Looks at all.
   *
   * @param real a connection of the real driver
   * @param patience how long the brokers may take to answer
   * @throws SQLException if the database does not answer
   */
  public Diagnosis run(Connection real, Duration patience)
      throws SQLException, InterruptedException {
    DriverReview.Database database = settings.examine(real);
    database(database);
    settings();
    key();
    tables(database);
    String kafka = settings.kafka();
    if (kafka == null) {
      problem("kafka", "isotail.kafka is not set", "name the bootstrap servers: kafka:9092");
    } else {
      Brokers brokers = new Brokers(kafka, settings.kafkaProperties(), patience);
      brokers.examine();
      facts.addAll(brokers.facts());
      problems.addAll(brokers.problems());
    }
    return new Diagnosis(facts, database.tables(), problems);
  }

  private void database(DriverReview.Database database) {
    fact("database", database.product());
    String level = database.level();
    if (level == null) {
      problem(
          "level",
          "the database does not tell its default isolation level",
          "promise a level to the history in the monitor: histories.ID.promise");
      return;
    }
    IsolationLevel promised = CheckerConfig.forLive("doctor").promises().get(level);
    fact(
        "level",
        promised == null
            ? "%s by default; histories.ID.promises tells the monitor what that promises"
                .formatted(level)
            : "%s by default, which is checked as %s".formatted(level, promised.label()));
  }

  private void settings() {
    if (!settings.enabled()) {
      problem("settings", "isotail.enabled=false: nothing is observed", "set it to true");
    }
    String history = settings.history();
    if (history == null) {
      problem(
          "settings",
          "isotail.history is not set, and the driver refuses to connect without it",
          "name the history, the same for all applications of the database");
    } else {
      fact("history", "%s, service %s".formatted(history, settings.service()));
    }
    if (!settings.isDriverUrl()) {
      fact(
          "url",
          "jdbc:isotail:%s… in the application puts the driver in between"
              .formatted(scheme(settings.realUrl())));
    }
  }

  private static String scheme(String url) {
    int start = "jdbc:".length();
    int end = url.indexOf(':', start);
    return end < 0 ? "" : url.substring(start, end + 1);
  }

  private void key() {
    if (settings.hasKey()) {
      fact("key", "isotail.key is set");
    } else {
      problem(
          "key",
          "isotail.key is not set: who knows the history's name can guess keys and versions from"
              + " their hashes",
          "set one secret for all applications of the history, as %s"
              .formatted(DriverSetting.KEY.variable()));
    }
    if (settings.clearNames()) {
      fact("key", "isotail.clear-names is set: keys and versions leave the application in clear");
    }
  }

  private void tables(DriverReview.Database database) {
    boolean byXmin =
        database.findsTables()
            && (settings.tables().all().isEmpty()
                || settings.tables().all().stream().anyMatch(ObservedTable::namesWriters));
    if (byXmin) {
      fact("rewriting", settings.rewrites() ? "on" : "off");
    }
    if (byXmin && !settings.rewrites()) {
      problem(
          "rewriting",
          "isotail.rewrite=false: who wrote a row is not asked for, so that hardly any read is"
              + " captured",
          "leave it on, or declare version columns in isotail.tables");
    }
    if (database.findsTables() && !database.knowsRunning()) {
      problem(
          "database",
          "it does not tell which transactions run: rows of before capture stay undecided",
          "allow the role to call txid_current_snapshot()");
    }
    long observed = database.tables().stream().filter(t -> t.why() == null).count();
    if (observed == 0) {
      problem(
          "tables",
          "no table is observed",
          database.findsTables()
              ? "see below why"
              : "declare tables with their keys and version columns in isotail.tables");
    }
    for (TableSurvey.Table table : database.tables()) {
      Unobserved why = table.why();
      if (why == null && table.keyMayBeNull()) {
        problem(
            table.name(),
            "its only unique key may be NULL: rows that have a NULL there are not observed",
            "add a primary key, or make the columns of the key NOT NULL");
      }
      if (why != null && why.mendable()) {
        problems.add(Problem.of(table, why));
      }
    }
  }

  private void fact(String subject, String words) {
    facts.add(new Fact(subject, words));
  }

  private void problem(String subject, String words, String advice) {
    problems.add(new Problem(subject, words, advice));
  }
}
