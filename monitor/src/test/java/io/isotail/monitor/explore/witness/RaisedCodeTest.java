package io.isotail.monitor.explore.witness;

import static io.isotail.monitor.explore.witness.ExploredAnomaly.explored;
import static io.isotail.monitor.explore.witness.ExploredAnomaly.lostUpdate;
import static io.isotail.monitor.explore.witness.ExploredAnomaly.read;
import static io.isotail.monitor.explore.witness.ExploredAnomaly.stated;
import static io.isotail.monitor.explore.witness.ExploredAnomaly.transaction;
import static io.isotail.monitor.explore.witness.ExploredAnomaly.write;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether it is enough to raise one transaction of the code, searched for in all histories. */
final class RaisedCodeTest {
  private static final String RC = "read-committed";
  private static final String SI = "snapshot-isolation";
  private static final String SELECT = "SELECT v FROM t WHERE id = ?";
  private static final String UPDATE = "UPDATE t SET v = ? WHERE id = ?";

  @TempDir private Path folder;

  /** Reads the initial version of rows, and writes one. */
  private static String update(String session, int number, String level, int written, int... rows) {
    List<String> ops = new ArrayList<>();
    for (int row : rows) {
      ops.add(stated(read(row, null), SELECT));
    }
    ops.add(stated(write(written, number), UPDATE));
    return transaction(session, number, level, ops.toArray(String[]::new));
  }

  @Test
  void snapshotIsolationOfTheOneTransactionIsEnoughForALostUpdate() throws IOException {
    List<String> lines = List.of(update("a", 1, "prefix", 1, 1), update("b", 2, RC, 1, 1));
    assertThat(explored(folder, lines).out())
        .contains(
            "They run the same statements, and are taken for one transaction of the code. Raised from read-committed or prefix:")
        .contains(
            "Raising only `%s; %s` (2 executions: a/1, b/2) to snapshot-isolation is enough for these operations."
                .formatted(SELECT, UPDATE))
        .contains("(In PostgreSQL: REPEATABLE READ for snapshot-isolation.)")
        .doesNotContain("not enough", "statements were not recorded");
    JsonNode raise =
        new ObjectMapper().readTree(explored(folder, lines, "--json").out()).path("raise");
    assertThat(raise).hasSize(1);
    assertThat(raise.path(0).path("executions")).hasSize(2);
    assertThat(raise.path(0).path("code").asBoolean()).isTrue();
    assertThat(raise.path(0).path("statements")).hasSize(2);
    assertThat(raise.path(0).path("service").isNull()).isTrue();
    assertThat(raise.path(0).path("enough").asText()).isEqualTo(SI);
  }

  @Test
  void serializableOfTheOneTransactionIsEnoughForAWriteSkew() throws IOException {
    List<String> lines = List.of(update("a", 1, SI, 1, 1, 2), update("b", 2, SI, 2, 1, 2));
    assertThat(explored(folder, lines).out())
        .contains("(2 executions: a/1, b/2) to serializable is enough for these operations.")
        .contains("(In PostgreSQL: SERIALIZABLE for serializable.)")
        .doesNotContain("there raise all", "not enough");
  }

  @Test
  void executionsWithoutStatementsAreRaisedOneByOne() throws IOException {
    List<String> lines =
        List.of(update("a", 1, "prefix", 1, 1), lostUpdate("prefix", "prefix").get(1));
    assertThat(explored(folder, lines).out())
        .contains("%s` (1 execution: a/1) to serializable is not enough".formatted(UPDATE))
        .contains("Raising only b/2 to serializable is not enough")
        .contains(
            "b/2: what is raised is one execution, not a transaction of the code, since statements were not recorded.")
        .doesNotContain("a/1: what is raised");
    assertThat(explored(folder, lines, "--json").out()).contains("\"code\" : false");
  }

  @Test
  void executionsOfWhichTheWitnessKeepsLessMayBeOfOneTransaction() throws IOException {
    String whole =
        transaction("a", 1, RC, stated(read(1, null), SELECT), stated(write(1, 10), UPDATE));
    String cut = transaction("b", 2, RC, stated(write(1, 11), UPDATE));
    String reader = transaction("b", 3, RC, stated(read(1, 10), "SELECT v, w FROM t WHERE id = ?"));
    assertThat(explored(folder, List.of(whole, cut, reader)).out())
        .contains(
            "b/2 may be of the same transaction of the code as a/1, since a witness keeps only the operations that matter");
  }

  @Test
  void otherReadsAreFoundToBeSuchAnAnomaly() throws IOException {
    String prefix = "prefix";
    List<String> lines =
        List.of(
            transaction("a", 1, prefix, read(3, null), write(1, 10)),
            transaction("b", 2, prefix, write(1, 11), write(3, 11)),
            transaction("c", 3, prefix, read(1, 11), write(3, 12)),
            transaction("c", 4, prefix, read(1, 10), read(3, 12)));
    assertThat(explored(folder, lines).out())
        .contains("(blind-lost-update)")
        .contains(
            "Raising only a/1 to serializable is not enough, because other reads of the same transactions have such an anomaly then.");
    assertThat(explored(folder, lines, "--json").out())
        .contains(
            "\"anomaly\" : \"blind-lost-update\",\n      \"violates\" : \"snapshot-isolation\"");
  }

  @Test
  void otherReadsAreFoundToBeAnAnomalyOfAnotherKind() throws IOException {
    List<String> lines =
        List.of(
            transaction("a", 1, RC, read(1, null), write(1, 10)),
            transaction("b", 2, RC, write(2, 11), write(1, 11)),
            transaction("c", 3, RC, read(2, 11), read(1, 10)));
    assertThat(explored(folder, lines).out())
        .contains("(blind-lost-update)")
        .contains(
            "Raising only a/1 to serializable is not enough, because other reads of the same transactions have another anomaly then: fractured-read, which violates read-atomic.");
  }

  private static final String PG_SI = "postgresql:repeatable-read";
  private static final String PG_SERIALIZABLE = "postgresql:serializable";

  /** The transaction a does not see the write of b, which c sees, but not that of a. */
  private static List<String> readOnlyAnomaly(String a, String b, String c) {
    return List.of(
        transaction("a", 1, a, read(1, null), write(2, 10)),
        transaction("b", 2, b, write(1, 11)),
        transaction("c", 3, c, read(1, 11), read(2, null)));
  }

  @Test
  void serializableBesideWeakerLevelsIsASnapshotAsPostgresDocuments() throws IOException {
    List<String> lines = readOnlyAnomaly(PG_SERIALIZABLE, PG_SI, PG_SI);
    assertThat(explored(folder, lines).out())
        .contains("This mix of levels excludes it by the definition. But PostgreSQL documents")
        .contains("So raise all of them to serializable.")
        .contains("(In PostgreSQL: SERIALIZABLE for serializable.)")
        .doesNotContain("the database gave less");
    JsonNode json = new ObjectMapper().readTree(explored(folder, lines, "--json").out());
    assertThat(json.path("asRun").asBoolean()).isFalse();
    assertThat(json.path("asRunBySnapshots").asBoolean()).isTrue();
  }

  @Test
  void whereAllWereSerializableTheDatabaseGaveLess() throws IOException {
    List<String> lines = readOnlyAnomaly(PG_SERIALIZABLE, PG_SERIALIZABLE, PG_SERIALIZABLE);
    assertThat(explored(folder, lines).out())
        .contains("The levels at which they ran exclude it.")
        .contains("So the database gave less than it documents, or ran at other levels");
  }

  @Test
  void aMixThatSnapshotsDoNotExplainIsNoneOfPostgres() throws IOException {
    assertThat(explored(folder, fractured(RC, PG_SERIALIZABLE)).out())
        .contains("This mix of levels excludes it by the definition.")
        .contains("So the database gave less than the definition, or ran at other levels")
        .doesNotContain("PostgreSQL");
  }

  /** The transaction b sees half of a. */
  private static List<String> fractured(String a, String b) {
    return List.of(
        transaction("a", 1, a, write(1, 10), write(2, 10)),
        transaction("b", 2, b, read(1, null), read(2, 10)));
  }

  @Test
  void whatIsAssumedOfLevelsIsTold() throws IOException {
    String none = "none";
    assertThat(explored(folder, unrecorded(lostUpdate(none, none))).out())
        .contains(
            "at prefix (where no level was recorded, the strongest that allows it is taken):");
    assertThat(explored(folder, lostUpdate("oracle:serializable", "prefix")).out())
        .contains("a/1, ran at oracle:serializable, which is not known")
        .contains("(where the level that was recorded is not known, the strongest that");
    assertThat(explored(folder, unrecorded(lostUpdate("oracle:serializable", none))).out())
        .contains("(where no level was recorded, or one that is not known, the strongest that");
    assertThat(explored(folder, unrecorded(fractured(none, SI))).out())
        .contains("The levels that were recorded exclude it, whatever the others ran at.");
  }

  private static List<String> unrecorded(List<String> lines) {
    return lines.stream().map(line -> line.replace("\"level\":\"none\",", "")).toList();
  }

  /** All at snapshot isolation allow it; but not beside one at serializable. */
  @Test
  void theStrongestLevelThatIsAssumedIsThatOfTheMix() throws IOException {
    List<String> lines = unrecorded(readOnlyAnomaly("serializable", "none", "none"));
    assertThat(explored(folder, lines).out())
        .contains("possible at read-committed to snapshot-isolation;")
        .contains("Raising one of them, while the others stay at causal or serializable (where");
  }
}
