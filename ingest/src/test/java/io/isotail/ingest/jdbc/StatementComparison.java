package io.isotail.ingest.jdbc;

import static io.isotail.ingest.jdbc.HiddenSchema.checkRecord;
import static io.isotail.ingest.jdbc.HiddenSchema.difference;
import static io.isotail.ingest.jdbc.HiddenSchema.fill;
import static io.isotail.ingest.jdbc.HiddenSchema.versions;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.jdbc.SeenByApplication.Way;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The {@link ComparedStatements} on connections that are captured, beside the same on plain ones:
 * the application sees the same, and what is recorded is what the server has.
 */
final class StatementComparison {
  /**
   * Statements that are compared on one pair of connections, at most. So each is run on connections
   * that are new, and on ones that have been used, by the way it is sent. A prime that is no number
   * of ways, so that each way comes to be the first.
   */
  private static final int STATEMENTS_OF_A_CONNECTION = 11;

  /** Of so many cases one is drawn, others for other sources; 1: all, which takes minutes. */
  private static final int ONE_IN = Integer.getInteger("isotail.statements.one-in", 9);

  private static final Pattern PLAIN =
      Pattern.compile("^(SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|VALUES|TABLE)");

  /** Opens connections. */
  interface Connections {
    Connection open() throws SQLException;
  }

  /** The ways in which a statement is sent. */
  interface Ways {
    Set<Way> of(boolean query, boolean autoCommit);
  }

  private final RecordingSink sink;
  private final CaptureStats stats;
  private final Connections openPlain;
  private final Connections openCaptured;
  private final List<String> different = new ArrayList<>();
  private int compared;
  private int toldExactly;

  /** What is there now; empty if that is to be made anew. */
  private Map<String, String> before = Map.of();

  StatementComparison(
      RecordingSink sink, CaptureStats stats, Connections plain, Connections captured) {
    this.sink = sink;
    this.stats = stats;
    this.openPlain = plain;
    this.openCaptured = captured;
  }

  /**
   * Compares one in {@link #ONE_IN} of them.
   *
   * @param moreThan more writes than that are told exactly, if all of them are compared
   */
  void run(String name, Ways ways, int moreThan) throws SQLException {
    Random random = Seeds.random(Seeds.FRESH);
    for (boolean autoCommit : new boolean[] {true, false}) {
      List<Compared> all = new ArrayList<>();
      for (String sql : ComparedStatements.STATEMENTS) {
        boolean query = sql.startsWith("SELECT") && !sql.contains("add_one");
        ways.of(query, autoCommit)
            .forEach(way -> all.add(new Compared(sql, query, way, autoCommit)));
      }
      all.removeIf(each -> random.nextInt(ONE_IN) > 0);
      compareAll(all);
    }
    System.out.printf(
        "%,d statements beside the real driver%s, of which %,d wrote and told exactly what; one in"
            + " %d, seed %d%n",
        compared, name, toldExactly, ONE_IN, Seeds.FRESH);
    assertThat(different).as("one in %d, seed %d", ONE_IN, Seeds.FRESH).isEmpty();
    assertThat(stats.of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
    assertThat(toldExactly).isGreaterThan(moreThan / ONE_IN);
  }

  private void compareAll(List<Compared> all) throws SQLException {
    int next = 0;
    while (next < all.size()) {
      try (Connection plain = openPlain.open();
          Connection captured = openCaptured.open()) {
        int most = Math.min(next + STATEMENTS_OF_A_CONNECTION, all.size());
        boolean asNew = true;
        while (next < most && asNew) {
          Compared one = all.get(next++);
          boolean failed = compare(one, plain, captured);
          asNew = !failed && one.leavesAllKnown();
        }
      }
    }
  }

  /** A statement and how it is sent. */
  private record Compared(String sql, boolean query, Way way, boolean autoCommit) {
    /**
     * Not so: what may have changed a definition leaves the tables unknown for a while, as a
     * failure does. After a batch of several statements a text, pgjdbc itself is out of step.
     */
    boolean leavesAllKnown() {
      return PLAIN.matcher(sql).find() && !sql.contains("add_one") && !sql.contains("; ");
    }

    @Override
    public String toString() {
      return "%s, autocommit %s: %s".formatted(way, autoCommit, sql);
    }
  }

  /** Returns whether the statement failed. */
  private boolean compare(Compared one, Connection plain, Connection captured) throws SQLException {
    String text = one.sql.replace("public.acc", "hidden.acc");
    boolean changes = !one.query || text.contains(";");
    if (changes || before.isEmpty()) {
      fill();
    }
    List<String> expected = seen(plain, one.autoCommit, one.way, text);
    if (changes || before.isEmpty()) {
      fill();
      before = versions();
    }
    sink.clear();
    long refused = stats.of(CaptureStats.Event.REWRITING_REFUSED);
    List<String> actual = seen(captured, one.autoCommit, one.way, text);
    if (one.autoCommit) {
      DatabaseScenario.run(captured, "SELECT 1"); // The next statement ends what is recorded.
    }
    compared++;
    String name = one.toString();
    // The application's own mistakes may look as if added columns were refused.
    boolean mistaken = expected.stream().anyMatch(line -> line.contains("Exception"));
    if (!mistaken && stats.of(CaptureStats.Event.REWRITING_REFUSED) > refused) {
      different.add(name + " was refused");
    }
    if (!actual.equals(expected)) {
      different.add(name + difference(expected, actual));
    }
    Map<String, String> was = before;
    before = changes ? Map.of() : before;
    if (!text.contains(" seen ")) { // What is written through a view is of one who is not captured.
      Map<String, String> after = changes ? versions() : was;
      toldExactly += checkRecord(name, sink, was, after, different) ? 1 : 0;
    }
    return mistaken;
  }

  /** What an application sees of a statement on a connection. */
  static List<String> seen(Connection c, boolean autoCommit, Way way, String sql)
      throws SQLException {
    c.setAutoCommit(autoCommit);
    List<String> seen = SeenByApplication.of(c, way, sql);
    if (!autoCommit) {
      c.commit();
    }
    return seen;
  }
}
