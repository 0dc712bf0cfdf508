package io.isotail.monitor.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.monitor.explore.ForcedHistory.Outcome;
import io.isotail.monitor.explore.sql.SqlProgram;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What the exploration says is possible at snapshot isolation and at serializable is what
 * PostgreSQL does at REPEATABLE READ and SERIALIZABLE, but for what the latter refuses without
 * need.
 */
final class ForcedHistoryIT {
  /** Programs: an example, and sessions instead of its own; none for its own. */
  private static final List<List<String>> PROGRAMS =
      List.of(
          List.of("last-item"),
          List.of("small-bank"),
          List.of("long-fork"),
          List.of("courseware"),
          List.of("shopping-cart"),
          List.of("wikipedia"),
          List.of("twitter"),
          List.of("tpc-c"),
          List.of(
              "small-bank",
              "session a { writeCheck(1, 50); balance(1); } session b { transactSavings(1, -50); }"
                  + " session c { balance(1); }"),
          List.of(
              "small-bank",
              "session a { depositChecking(1, 5); } session b { depositChecking(1, 7); }"
                  + " session c { depositChecking(1, 9); }"),
          List.of(
              "shopping-cart",
              "session a { addItem(1, \"ink\", 1); getCart(1); }"
                  + " session b { removeItem(1, \"pen\"); changeQuantity(1, \"ink\", 2); }"),
          List.of(
              "courseware",
              "session a { closeCourse(\"logic\"); enrolments(); }"
                  + " session b { enrol(\"ben\", \"logic\"); openCourse(\"sets\"); }"),
          List.of(
              "wikipedia",
              "session a { updatePage(1, 1); getPageAs(1, 2); } session b { updatePage(2, 2); }"
                  + " session c { addWatch(1, 1); }"),
          List.of(
              "tpc-c", "session a { newOrder(1, 1); } session b { delivery(); payment(1, 5); }"));

  /** Programs in SQL: an example, and sessions instead of its own; none for its own. */
  private static final List<List<String>> SQL =
      List.of(
          List.of("small-bank.sql"),
          List.of("courseware.sql"),
          List.of(
              "small-bank.sql",
              "SESSION a BEGIN CALL write_check(1, 50); CALL balance(1); END;"
                  + " SESSION b BEGIN CALL transact_savings(1, -50); END;"
                  + " SESSION c BEGIN CALL balance(1); END;"),
          List.of(
              "small-bank.sql",
              "SESSION a BEGIN CALL deposit_checking(1, 5); CALL write_check(1, 200); END;"
                  + " SESSION b BEGIN CALL transact_savings(1, -70); END;"
                  + " SESSION c BEGIN CALL deposit_checking(1, 9); END;"),
          List.of(
              "courseware.sql",
              "SESSION a BEGIN CALL close_course('logic'); CALL enrolments(); END;"
                  + " SESSION b BEGIN CALL enrol('ben', 'logic'); CALL open_course('sets'); END;"),
          List.of(
              "courseware.sql",
              "SESSION a BEGIN CALL open_course('sets'); CALL enrol('ann', 'sets'); END;"
                  + " SESSION b BEGIN CALL open_course('sets'); CALL delete_course('logic'); END;"));

  private final Map<Outcome, Integer> snapshot = new EnumMap<>(Outcome.class);
  private final Map<Outcome, Integer> forbidden = new EnumMap<>(Outcome.class);
  private final Map<Outcome, Integer> serializable = new EnumMap<>(Outcome.class);

  /** Those that only a transaction that rolls back keeps from being serializable, by its reads. */
  private final Map<Outcome, Integer> skewedByAborted = new EnumMap<>(Outcome.class);

  private final Map<Outcome, Integer> skewed = new EnumMap<>(Outcome.class);

  @Test
  void postgresqlDoesWhatTheExplorationSays() throws IOException, SQLException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start()) {
      for (List<String> of : PROGRAMS) {
        Program program = ProgramText.parse(of.get(0), text(of, "\nsession "), Map.of());
        force(program, database.jdbcUrl(), new ForcedVariables());
      }
    }
    tell("as variables");
    assertThat(snapshot.keySet()).containsExactly(Outcome.AS_EXPLORED);
    assertThat(snapshot.get(Outcome.AS_EXPLORED)).isGreaterThan(20);
    assertThat(forbidden.keySet()).containsExactly(Outcome.REFUSED);
    assertThat(forbidden.get(Outcome.REFUSED)).isGreaterThan(5);
    // Without need it refuses some, but it never shows them something else.
    assertThat(serializable.keySet()).isSubsetOf(Outcome.AS_EXPLORED, Outcome.REFUSED);
    assertThat(serializable.get(Outcome.AS_EXPLORED)).isGreaterThan(20);
    assertThat(skewed.keySet()).containsExactly(Outcome.REFUSED);
    assertThat(skewed.get(Outcome.REFUSED)).isGreaterThan(1);
  }

  /** The statements of the templates, as they stand in the file, do there what they do here. */
  @Test
  void sqlDoesThereWhatItDoesHere() throws IOException, SQLException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start()) {
      for (List<String> of : SQL) {
        String text = text(of, "\nSESSION ");
        Program program = SqlProgram.compile(text).program(of.get(0), Map.of());
        force(program, database.jdbcUrl(), new ForcedSql(database.jdbcUrl(), of.get(0), text));
      }
    }
    tell("in SQL");
    assertThat(snapshot.keySet()).containsExactly(Outcome.AS_EXPLORED);
    assertThat(snapshot.get(Outcome.AS_EXPLORED)).isGreaterThan(20);
    assertThat(forbidden.keySet()).containsExactly(Outcome.REFUSED);
    assertThat(serializable.keySet()).isSubsetOf(Outcome.AS_EXPLORED, Outcome.REFUSED);
    assertThat(serializable.get(Outcome.AS_EXPLORED)).isGreaterThan(20);
    assertThat(skewed.keySet()).containsExactly(Outcome.REFUSED);
    assertThat(skewed.get(Outcome.REFUSED)).isGreaterThan(1);
    // PostgreSQL promises nothing about the reads of a transaction that does not commit.
    assertThat(skewedByAborted.keySet()).isSubsetOf(Outcome.AS_EXPLORED, Outcome.REFUSED);
  }

  private void tell(String how) {
    System.out.printf(
        "forced on PostgreSQL %s: at REPEATABLE READ those of snapshot isolation %s, those of"
            + " prefix that are none %s; at SERIALIZABLE those of serializable %s, those of"
            + " snapshot isolation that are none %s, and only by what a transaction read that"
            + " rolled back %s%n",
        how, snapshot, forbidden, serializable, skewed, skewedByAborted);
  }

  private static String text(List<String> of, String firstSession) {
    String text = Examples.text(of.get(0));
    return of.size() == 1 ? text : text.substring(0, text.indexOf(firstSession)) + "\n" + of.get(1);
  }

  private void force(Program program, String url, ForcedData data) throws SQLException {
    List<SQLException> failures = new ArrayList<>();
    try (ForcedHistory forced = new ForcedHistory(url, data)) {
      Exploration.of(program, IsolationLevel.PREFIX)
          .run(
              history -> {
                try {
                  force(history, forced);
                  return true;
                } catch (SQLException e) {
                  failures.add(e);
                  return false;
                }
              },
              () -> true);
    }
    for (SQLException failure : failures) {
      throw failure;
    }
  }

  private void force(ExploredHistory history, ForcedHistory forced) throws SQLException {
    int[] order = history.order(IsolationLevel.SNAPSHOT_ISOLATION);
    if (order == null) {
      int[] weaker = history.order(IsolationLevel.PREFIX);
      assertThat(weaker).isNotNull();
      add(forbidden, forced.run(history, weaker, Connection.TRANSACTION_REPEATABLE_READ));
      return;
    }
    add(snapshot, forced.run(history, order, Connection.TRANSACTION_REPEATABLE_READ));
    Map<Outcome, Integer> expected =
        history.satisfies(IsolationLevel.SERIALIZABLE)
            ? serializable
            : SerialOrders.explainThoseCommitted(history) ? skewedByAborted : skewed;
    add(expected, forced.run(history, order, Connection.TRANSACTION_SERIALIZABLE));
  }

  private static void add(Map<Outcome, Integer> counts, Outcome outcome) {
    counts.merge(outcome, 1, Integer::sum);
  }
}
