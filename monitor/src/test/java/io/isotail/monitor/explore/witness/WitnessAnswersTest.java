package io.isotail.monitor.explore.witness;

import static io.isotail.monitor.explore.witness.ExploredAnomaly.lostUpdate;
import static io.isotail.monitor.explore.witness.ExploredAnomaly.read;
import static io.isotail.monitor.explore.witness.ExploredAnomaly.run;
import static io.isotail.monitor.explore.witness.ExploredAnomaly.transaction;
import static io.isotail.monitor.explore.witness.ExploredAnomaly.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.explore.sql.SqlShape;
import io.isotail.monitor.explore.witness.ExploredAnomaly.Said;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.render.AnomalyDocument;
import io.isotail.monitor.render.AnomalyJson;
import io.isotail.monitor.render.WitnessReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code isotail explore --anomaly}: what is said of an anomaly that happened. */
final class WitnessAnswersTest {
  @TempDir private Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text, StandardCharsets.UTF_8);
  }

  private Said explored(List<String> lines, String... options) throws IOException {
    return ExploredAnomaly.explored(folder, lines, options);
  }

  @Test
  void aLostUpdateIsPossibleUpToPrefixAndRaisingOneIsNotEnough() throws IOException {
    Said said = explored(lostUpdate("prefix", "prefix"));
    assertThat(said.out())
        .contains("An update was lost (lost-update)")
        .contains(
            "This lost-update is possible at read-committed to prefix; snapshot-isolation and above exclude it.")
        .contains("Raising one of them, while the others stay at prefix:")
        .contains(
            "Raising only a/1 to serializable is not enough, because with the commits in the order a/1, b/2 each of them still reads what its own level allows.")
        .contains("So raising one is not enough; all of them at snapshot-isolation exclude it.");
    assertThat(said.status()).isZero();
  }

  @Test
  void whereTheLevelsAtWhichTheyRanExcludeItRaisingChangesNothing() throws IOException {
    Said said = explored(lostUpdate("snapshot-isolation", "snapshot-isolation"));
    assertThat(said.out())
        .contains("The levels at which they ran exclude it.")
        .doesNotContain("Raising only");
  }

  /** A reader that sees half of a transaction: its own level decides. */
  @Test
  void raisingTheOneThatReadsIsEnoughForAFracturedRead() throws IOException {
    List<String> lines =
        List.of(
            transaction("a", 1, "read-committed", write(1, 10), write(2, 10)),
            transaction("b", 2, "read-committed", read(1, null), read(2, 10)));
    Said said = explored(lines);
    assertThat(said.out())
        .contains("is possible at read-committed; read-atomic and above exclude it.")
        .contains(
            "Raising only a/1 to serializable is not enough, because with the commits in the order a/1, b/2 each")
        .contains("Raising only b/2 to read-atomic is enough for these operations.")
        .contains("(In PostgreSQL: REPEATABLE READ for read-atomic.)")
        .doesNotContain("PostgreSQL's");
    JsonNode json = new ObjectMapper().readTree(explored(lines, "--json").out());
    assertThat(json.path("possible")).hasSize(1);
    assertThat(json.path("raise").path(1).path("enough").asText()).isEqualTo("read-atomic");
    assertThat(json.path("raise").path(0).path("enough").isNull()).isTrue();
    assertThat(json.path("raise").path(0).path("commits")).hasSize(2);
    assertThat(json.path("decides").asBoolean()).isTrue();
  }

  @Test
  void whatWasNotFoundOutWithinTheLimitsIsTold() throws Exception {
    WitnessProgram witness =
        WitnessProgram.of(
            ExploredAnomaly.anomaly(
                folder,
                List.of(
                    transaction("a", 1, "read-committed", write(1, 10), write(2, 10)),
                    transaction("b", 2, "read-committed", read(1, null), read(2, 10)))));
    LevelAnswers open = LevelAnswers.of(witness, program -> LevelAnswers.Search.NOT_EXHAUSTED);
    assertThat(open.isKnown(witness)).isFalse();
    assertThat(AnswersText.of(witness, open))
        .contains("Whether raising only b/2 is enough was not found out in time.");
    LevelAnswers limited =
        new LevelAnswers(
            open.possible(),
            List.of(IsolationLevel.SERIALIZABLE),
            List.of(),
            false,
            false,
            List.of(),
            true);
    assertThat(limited.isKnown(witness)).isFalse();
    assertThat(AnswersText.of(witness, limited))
        .contains(
            "is possible at read-committed, and excluded by serializable. Of the other levels it was not found out within the limits.");
    assertThat(AnswersJson.of(witness, open).path("raise").path(1).path("known").asBoolean())
        .isFalse();
  }

  @Test
  void thePrintedProgramIsExploredAsAFile() throws IOException {
    Said printed = explored(lostUpdate("prefix", "prefix"), "--print");
    assertThat(printed.out())
        .contains("var rows[\"1\"]", "r1 := read(rows[\"1\"]);", "begin # a/1");
    Path program = file("lost.explore", printed.out());
    assertThat(run("explore", program.toString()).out())
        .contains("Weakest level at which all assertions hold: snapshot-isolation")
        .contains("this lost-update happens");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "aborted | [\"r\",1,10] | aborted-read",
        "committed | [\"r\",1,9] | intermediate-read",
      })
  void aReadThatIsBadInItselfIsAllowedByNoLevel(String outcome, String read, String kind)
      throws IOException {
    Said said =
        explored(
            List.of(
                transaction("a", 1, "serializable", write(1, 9), write(1, 10))
                    .replace("committed", outcome),
                transaction("b", 2, "serializable", read)));
    assertThat(said.out())
        .contains("No level allows this " + kind + ": b/2 read 1=")
        .contains("which no transaction that committed left for it to read.")
        .contains("So the database broke every level; raising one changes nothing.");
  }

  @Test
  void aStaleReadIsPossibleUpToSerializable() throws IOException {
    String written =
        "{\"session\":\"a\",\"txn\":1,\"clock\":\"c\",\"begin\":1,\"end\":2,\"outcome\":\"committed\",\"ops\":[[\"w\",1,10]]}";
    String stale =
        "{\"session\":\"b\",\"txn\":2,\"clock\":\"c\",\"begin\":5,\"end\":6,\"outcome\":\"committed\",\"ops\":[[\"r\",1,null]]}";
    assertThat(explored(List.of(written, stale)).out())
        .contains(
            "This stale-read is possible at every level up to serializable: only strict-serializable, which speaks of time, excludes it.")
        .doesNotContain("Raising");
  }

  /** Beside others at snapshot isolation, both of a write skew must be serializable. */
  @Test
  void aWriteSkewIsExcludedByBoth() throws IOException {
    String si = "snapshot-isolation";
    List<String> lines =
        List.of(
            transaction("a", 1, si, read(1, null), read(2, null), write(1, 10)),
            transaction("b", 2, si, read(1, null), read(2, null), write(2, 11)));
    assertThat(explored(lines).out())
        .contains("possible at read-committed to snapshot-isolation; serializable excludes it.")
        .contains("So raising one is not enough; all of them at serializable exclude it.");
  }

  @Test
  void statementsAndLevelsOfTheDatabaseAreTold() throws IOException {
    String named = ",{\"table\":\"t\",\"statement\":\"%s\"}]";
    String select = named.formatted("SELECT v FROM t WHERE id = ?");
    String update = named.formatted("UPDATE t SET v = ? WHERE id = ? AND v > ?");
    List<String> lines =
        lostUpdate("postgresql:read-committed", "postgresql:repeatable-read").stream()
            .map(line -> line.replace("1,null]", "1,null" + select))
            .map(line -> line.replace("10]", "10" + update).replace("11]", "11" + update))
            .toList();
    Said said = explored(lines);
    assertThat(said.status()).as(said.err()).isEqualTo(ExitCode.UNDECIDED);
    assertThat(said.out())
        .contains("ran at postgresql:read-committed, which gives read-committed")
        .contains("ran at postgresql:repeatable-read, which gives snapshot-isolation")
        .contains("a/1 `SELECT v FROM t WHERE id = ?; UPDATE t SET v = ?")
        .contains(
            "its condition may look at other rows; only those of the witness are in the program")
        .contains("Whether raising one of them is enough is not known")
        .doesNotContain("Raising only");
    assertThat(explored(lines, "--print").out())
        .contains(
            "# SELECT v FROM t WHERE id = ?", "begin # a/1, ran at postgresql:read-committed");
  }

  /** Both read a version of nobody in the capsule: the program cannot have that. */
  @Test
  void whatTheProgramLacksIsToldAndDecides() throws IOException {
    byte[] document = AnomalyDocument.bytes(SampleAnomalies.lostUpdate("0a0b", "shop"), 0, 0);
    Path anomaly = file("anomaly.json", new String(document, StandardCharsets.UTF_8));
    Said said = run("explore", "--anomaly", "0a0b", anomaly.toString());
    assertThat(said.status()).isEqualTo(3);
    assertThat(said.out())
        .contains("s1/3 read account[balance]=7: the witness does not tell from which transaction.")
        .contains("The program is less than what happened: it is possible at read-committed to")
        .contains("What is missing above decides", "(billing)")
        .doesNotContain("Raising");
  }

  @Test
  void optionsThatDoNotFitAreRefused() throws IOException {
    Path out = file("out.json", "{\"anomalies\":[]}");
    assertThat(run("explore", "--anomaly", "a", "--cause", "b").err())
        .contains("--cause: expected no --anomaly with it");
    assertThat(run("explore", "--cause", "b", out.toString()).err())
        .contains("found no anomaly b; expected one of []");
    assertThat(run("explore", "--anomaly", "a", "--weakest").err())
        .contains("--anomaly: expected no --weakest with it");
    assertThat(run("explore", "--anomaly", "a", out.toString()).err())
        .contains("found no anomaly a; expected one of []");
    assertThatThrownBy(
            () ->
                WitnessProgram.of(
                    WitnessReader.read(
                            new ObjectMapper()
                                .readTree(
                                    AnomalyJson.full(SampleAnomalies.lostUpdate("a", "h"), 1)
                                        .put("capsule", "")
                                        .toString()))
                        .anomaly()))
        .hasMessageContaining("comes without its transactions; expected one with a capsule");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT v FROM t WHERE id = ? | ",
        "UPDATE t SET v = v + ? WHERE id IN (?, ?) AND v = ? | ",
        "INSERT INTO t (a, b) VALUES (?, ?) | ",
        "'' | ",
        "SELECT v FROM t WHERE v > ? | its condition may look at other rows",
        "SELECT v FROM t WHERE id = ? OR v = ? | its condition may look at other rows",
        "SELECT v FROM t | it looks at all rows; only those of the witness are in the program",
        "DELETE FROM t | it looks at all rows",
        "SELECT count(*) FROM t WHERE v = ? | it is about all rows of its condition",
        "SELECT max ( v ) FROM t WHERE v = ? | it is about all rows of its condition",
        "SELECT v FROM t JOIN u ON a = b WHERE id = ? | it has a join, which is not in the program",
        "SELECT v FROM t WHERE id = ? FOR UPDATE | it has a lock, which is not in the program",
        "SELECT v FROM t WHERE id = (SELECT id FROM u) | it has a subquery",
        "CALL f(?) | it cannot be interpreted (found 'call'; expected SELECT, INSERT, UPDATE or",
        "select | only its first word was recorded",
        "SELECT v FROM t WHERE id = ` | it cannot be interpreted ('`' has no meaning here)",
      })
  void statementsThatSayMoreThanTheirRowsAreToldToBeMissing(String statement, String missing) {
    Optional<String> beyond = SqlShape.beyondItsRows(statement == null ? "" : statement);
    if (missing == null) {
      assertThat(beyond).isEmpty();
    } else {
      assertThat(beyond.orElseThrow()).contains(missing);
    }
  }
}
