package io.isotail.monitor.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.forecast.Certainty;
import io.isotail.incremental.forecast.Forecast;
import io.isotail.incremental.level.IsolationLevel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Forecasts for shapes of transactions that applications have. */
class ForecastCasesTest {
  private static final String RC = "postgresql:read-committed";

  private static List<Forecast> forecasts(Ran... all) {
    return Foreseen.of(Ran.templates(all), IsolationLevel.SERIALIZABLE).forecasts();
  }

  private static Ran edit(String name) {
    return Ran.at(RC, name)
        .read("SELECT state FROM job WHERE id = ?", "job 1")
        .write("UPDATE job SET state = ? WHERE id = ?", "job 1");
  }

  @Test
  void aJoinIsOneStatementOfSeveralTables() {
    String join = "SELECT o.n, p.k FROM o LEFT JOIN p ON p.o = o.id WHERE o.id = ?";
    String update = "UPDATE o SET n = ? WHERE id = ?";
    List<Forecast> of =
        forecasts(
            Ran.at(RC, "once").read(join, "o 1", "p 1").write(update, "o 1"),
            Ran.at(RC, "twice")
                .read(join, "o 1", "p 1")
                .read("SELECT count(*) FROM q WHERE o = ?")
                .read(join, "o 1", "p 1")
                .write(update, "o 1"));
    assertThat(of).isNotEmpty().allMatch(Forecast::asSeen);
    assertThat(of).allMatch(forecast -> forecast.certainty() == Certainty.POSSIBLE);
    assertThat(of.get(0).course().executions().get(0).unclear()).isNull();
  }

  /** It tells no row because there was none, and not because nobody understood it. */
  @Test
  void aWriteThatHitNoRowIsUnderstood() {
    String read = "SELECT n FROM o WHERE id = ?";
    String update = "UPDATE o SET n = ? WHERE id = ?";
    Ran missed =
        Ran.at(RC, "missed")
            .read(read, "o 1")
            .wroteNothing("DELETE FROM p WHERE o = ? AND due < now()")
            .write(update, "o 1")
            .toldItsId();
    List<Forecast> of = forecasts(missed);
    assertThat(of).isNotEmpty().allMatch(f -> f.certainty() == Certainty.POSSIBLE);
    assertThat(of.get(0).course().executions().get(0).unclear()).isNull();
    List<Forecast> ofUnknown =
        forecasts(
            Ran.at(RC, "unknown").read(read, "o 1").read("CALL tidy(?)").write(update, "o 1"));
    assertThat(ofUnknown).isNotEmpty();
    assertThat(ofUnknown.get(0).course().executions().get(0).unclear()).isEqualTo("CALL tidy(?)");
  }

  /** Rows of a join come as they stand in its result. */
  @Test
  void aJoinOfSeveralRowsRunsAgainAfterAWrite() {
    String join = "SELECT o.n, p.k FROM o LEFT JOIN p ON p.o = o.id WHERE o.id IN (?, ?)";
    List<Forecast> of =
        forecasts(
            Ran.at(RC, "again")
                .read(join, "o 1", "p 1", "o 2", "p 2")
                .write("UPDATE o SET n = ? WHERE id = ?", "o 1")
                .read(join, "o 1", "p 1", "o 2", "p 2"));
    assertThat(of).isNotEmpty().allMatch(f -> f.certainty() == Certainty.POSSIBLE);
    assertThat(of.get(0).course().executions().get(0).unclear()).isNull();
  }

  @Test
  void aJoinThatRunsTwiceSeesTwoMoments() {
    String join = "SELECT o.n, p.k FROM o JOIN p ON p.o = o.id WHERE o.id = ?";
    Ran edit =
        Ran.at(RC, "edit")
            .write("UPDATE o SET n = ? WHERE id = ?", "o 1")
            .write("UPDATE o SET n = ? WHERE id = ?", "o 2");
    Ran twice = Ran.at(RC, "twice").read(join, "o 1", "p 1").read(join, "o 2", "p 1");
    assertThat(forecasts(edit, twice)).hasSize(1);
  }

  @Test
  void aRowMayBeReplacedBetweenTwoLooks() {
    Ran report =
        Ran.at(RC, "report")
            .read("SELECT state FROM job WHERE id = ?", "job 1")
            .read("SELECT n FROM q WHERE id = ?", "q 1")
            .read("SELECT state FROM job WHERE id = ?", "job 1");
    Ran replace =
        Ran.at(RC, "replace")
            .delete("DELETE FROM job WHERE id = ?", "job 1")
            .write("INSERT INTO job (id, state) VALUES (?, ?)", "job 1");
    assertThat(forecasts(report, replace))
        .extracting(ForecastWords::who)
        .containsExactly("report beside replace");
  }

  @Test
  void aJoinSeesItsTablesAtOneMoment() {
    Ran edit =
        Ran.at(RC, "edit")
            .write("UPDATE o SET n = ? WHERE id = ?", "o 1")
            .write("UPDATE p SET k = ? WHERE id = ?", "p 1");
    Ran join = Ran.at(RC, "join").read("SELECT o.n, p.k FROM o JOIN p ON p.o = o.id", "o 1", "p 1");
    Ran twoQueries =
        Ran.at(RC, "two queries")
            .read("SELECT n FROM o WHERE id = ?", "o 1")
            .read("SELECT k FROM p WHERE o = ?", "p 1");
    assertThat(forecasts(edit, join)).isEmpty();
    assertThat(forecasts(edit, twoQueries)).hasSize(1);
  }

  /** Who found a row does something else where it is not there yet. */
  @Test
  void nobodyChangesARowBeforeItIsMade() {
    Ran store =
        Ran.at(RC, "store")
            .absent("SELECT state FROM job WHERE id = ?", "job 1")
            .write("INSERT INTO job (id, state) VALUES (?, ?)", "job 1");
    assertThat(forecasts(store, edit("edit")))
        .extracting(ForecastWords::who)
        .containsExactly("edit beside itself");
    Ran remove =
        Ran.at(RC, "remove")
            .absent("SELECT state FROM job WHERE id = ?", "job 1")
            .write("INSERT INTO job (id, state) VALUES (?, ?)", "job 1")
            .delete("DELETE FROM job WHERE id = ?", "job 1");
    assertThat(forecasts(store, remove)).isEmpty();
  }

  @Test
  void nobodyChangesARowThatItHasSeenGone() {
    Ran twice =
        Ran.at(RC, "twice")
            .read("SELECT id FROM job WHERE state = ?", "job 1")
            .read("SELECT state FROM job WHERE id = ?", "job 1")
            .write("UPDATE job SET state = ? WHERE id = ?", "job 1");
    Ran remove = Ran.at(RC, "remove").delete("DELETE FROM job WHERE id = ?", "job 1");
    assertThat(forecasts(twice, remove))
        .extracting(ForecastWords::who)
        .containsExactly("twice beside itself");
  }
}
