package io.isotail.monitor.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.monitor.explore.ForcedHistory.Outcome;
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

  private final Map<Outcome, Integer> snapshot = new EnumMap<>(Outcome.class);
  private final Map<Outcome, Integer> forbidden = new EnumMap<>(Outcome.class);
  private final Map<Outcome, Integer> serializable = new EnumMap<>(Outcome.class);
  private final Map<Outcome, Integer> skewed = new EnumMap<>(Outcome.class);

  @Test
  void postgresqlDoesWhatTheExplorationSays() throws IOException, SQLException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start();
        ForcedHistory forced = new ForcedHistory(database.jdbcUrl())) {
      for (List<String> of : PROGRAMS) {
        force(program(of), forced);
      }
    }
    System.out.printf(
        "forced on PostgreSQL: at REPEATABLE READ those of snapshot isolation %s, those of prefix"
            + " that are none %s; at SERIALIZABLE those of serializable %s, those of snapshot"
            + " isolation that are none %s%n",
        snapshot, forbidden, serializable, skewed);
    assertThat(snapshot.keySet()).containsExactly(Outcome.AS_EXPLORED);
    assertThat(snapshot.get(Outcome.AS_EXPLORED)).isGreaterThan(20);
    assertThat(forbidden.keySet()).containsExactly(Outcome.REFUSED);
    assertThat(forbidden.get(Outcome.REFUSED)).isGreaterThan(5);
    // Without need it refuses some, but it never shows them something else.
    assertThat(serializable.keySet()).doesNotContain(Outcome.READ_SOMETHING_ELSE);
    assertThat(serializable.get(Outcome.AS_EXPLORED)).isGreaterThan(20);
    assertThat(skewed.keySet()).containsExactly(Outcome.REFUSED);
    assertThat(skewed.get(Outcome.REFUSED)).isGreaterThan(1);
  }

  private static Program program(List<String> of) {
    String text = Examples.text(of.get(0));
    if (of.size() > 1) {
      text = text.substring(0, text.indexOf("\nsession ")) + "\n" + of.get(1);
    }
    return ProgramText.parse(of.get(0), text, Map.of());
  }

  private void force(Program program, ForcedHistory forced) throws SQLException {
    List<SQLException> failures = new ArrayList<>();
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
        history.satisfies(IsolationLevel.SERIALIZABLE) ? serializable : skewed;
    add(expected, forced.run(history, order, Connection.TRANSACTION_SERIALIZABLE));
  }

  private static void add(Map<Outcome, Integer> counts, Outcome outcome) {
    counts.merge(outcome, 1, Integer::sum);
  }
}
