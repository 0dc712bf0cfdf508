package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.offline.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole trials of real databases, of which each is known to give a level and not the next. */
class VerifyDatabaseCommandIT {
  private static EmbeddedDatabase database;

  @TempDir private Path folder;

  private final CommandRun command = new CommandRun("verify-database");

  @BeforeAll
  static void startPostgresql() throws Exception {
    database = EmbeddedDatabase.start();
  }

  @AfterAll
  static void stopPostgresql() throws Exception {
    database.close();
  }

  @Test
  void postgresqlGivesWhatItDocumentsAndNoMore() throws Exception {
    JsonNode kept = verify(ExitCode.PASSED, database.jdbcUrl(), "--isolation=serializable");
    assertThat(kept.path("verdict").asText()).isEqualTo("pass");
    assertThat(kept.path("promise").asText()).isEqualTo("serializable");
    assertThat(kept.path("faults").asLong()).isPositive();
    Path report = folder.resolve("report.xml");
    JsonNode broken =
        verify(
            ExitCode.VIOLATION,
            database.jdbcUrl(),
            "--isolation=repeatable-read",
            "--promise=serializable",
            "--workload=write-skew",
            "--junit=" + report);
    assertThat(broken.path("verdicts").path("snapshot-isolation").asText()).isEqualTo("pass");
    assertThat(broken.path("causes")).isNotEmpty();
    assertThat(Files.readString(report)).contains("failures=\"1\"").contains("<failure message=");
    requireNothingLeft(database.jdbcUrl());
  }

  @Test
  void listsAndConditionsShowWriteSkewsWhereSnapshotsPermitThem() throws Exception {
    for (String workload : List.of("list-append", "predicate-insert")) {
      String url = database.jdbcUrl();
      String option = "--workload=" + workload;
      verify(ExitCode.PASSED, url, "--isolation=serializable", option);
      JsonNode broken =
          verify(
              ExitCode.VIOLATION,
              url,
              "--isolation=repeatable-read",
              "--promise=serializable",
              option);
      assertThat(broken.path("verdicts").path("snapshot-isolation").asText())
          .as(workload)
          .isEqualTo("pass");
      requireNothingLeft(url);
    }
  }

  @Test
  void sessionsAtTwoLevelsAreEachHeldToTheirs() throws Exception {
    JsonNode kept =
        verify(
            ExitCode.PASSED,
            database.jdbcUrl(),
            "--isolation=serializable,repeatable-read,read-committed",
            "--workload=lightweight");
    assertThat(kept.path("promise").asText())
        .isEqualTo("serializable,snapshot-isolation,read-committed");
    assertThat(kept.path("verdicts").path("read-committed").asText()).isEqualTo("pass");
    assertThat(kept.path("verdicts").path("serializable").asText()).isEqualTo("not-checked");
    verify(
        ExitCode.VIOLATION,
        database.jdbcUrl(),
        "--isolation=repeatable-read,read-committed",
        "--promise=serializable,read-committed",
        "--workload=write-skew");
  }

  @Test
  void h2AtSerializableGivesSnapshotsAndIsNotSerializable() throws Exception {
    String url = "jdbc:h2:" + folder.resolve("h2");
    JsonNode kept = verify(ExitCode.PASSED, url, "--isolation=serializable");
    assertThat(kept.path("promise").asText()).isEqualTo("prefix");
    JsonNode broken =
        verify(
            ExitCode.VIOLATION,
            url,
            "--isolation=serializable",
            "--promise=serializable",
            "--workload=write-skew");
    assertThat(broken.path("verdicts").path("prefix").asText()).isEqualTo("pass");
    requireNothingLeft(url);
  }

  @Test
  void sqliteIsSerializableAndRowsMayBeMissingAtFirst() throws Exception {
    String url = "jdbc:sqlite:" + folder.resolve("sqlite.db");
    JsonNode kept =
        verify(
            ExitCode.PASSED,
            url,
            "--on-connect=PRAGMA journal_mode=WAL",
            "--workload=mini",
            "--distribution=exponential",
            "--fresh-rows");
    assertThat(kept.path("promise").asText()).isEqualTo("serializable");
  }

  @Test
  void oneSessionProvokesNothingWhichIsNoPass() throws Exception {
    JsonNode alone =
        verify(ExitCode.UNDECIDED, "jdbc:h2:" + folder.resolve("alone"), "--sessions=1");
    assertThat(alone.path("verdict").asText()).isEqualTo("not provoked");
  }

  @Test
  void theWorkloadRecordsListsForAMonitorThatRunsElsewhere() throws Exception {
    String url = "jdbc:h2:" + folder.resolve("workload");
    CommandRun workload = new CommandRun("workload");
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      int status =
          workload.run(
              "--url=" + url,
              "--kafka=" + kafka.bootstrapServers(),
              "--history=lists",
              "--workload=list-append",
              "--isolation=serializable,read-committed",
              "--transactions=50",
              "--duration=60s");
      assertThat(status).as("%s%s", workload.err, workload.out).isEqualTo(ExitCode.PASSED);
      assertThat(workload.out.toString()).containsPattern("workload: [5-9][0-9] committed");
    }
    requireNothingLeft(url);
  }

  @Test
  void badOptionsSayWhatWasExpected() {
    assertBad("--url=jdbc:nosuch:db", "no JDBC driver", "--driver-jar FILE");
    assertBad("--url=jdbc:h2:mem:a --driver-jar=/nowhere.jar", "/nowhere.jar; expected a jar");
    assertBad("--url=jdbc:h2:mem:a --isolation=chaos", "'chaos' is no isolation level");
    assertBad("--url=jdbc:h2:mem:a --workload=bank", "'bank' is no workload", "mini, general");
    assertBad("--url=jdbc:h2:mem:a --isolation=read-uncommitted", "expected --promise LEVEL");
    assertBad("--url=jdbc:h2:mem:a --promise=causal,prefix", "names 2 levels; expected one, or 1");
    assertBad(
        "--url=jdbc:h2:mem:a --isolation=serializable,default --sessions=1",
        "expected a session for each");
    assertBad("--url=jdbc:postgresql://127.0.0.1:1/x", "no database answers at 127.0.0.1:1");
  }

  private void assertBad(String options, String... expected) {
    assertThat(command.run(options.split(" "))).isEqualTo(ExitCode.BAD);
    assertThat(command.err.toString()).contains(expected);
  }

  private JsonNode verify(int expectedStatus, String url, String... options) throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of("--json", "--duration=4s", "--fault-interval=500ms", "--url=" + url));
    all.addAll(List.of(options));
    int status = command.run(all.toArray(String[]::new));
    assertThat(status).as("%s%s", command.err, command.out).isEqualTo(expectedStatus);
    JsonNode summary = new ObjectMapper().readTree(command.out.toString());
    assertThat(summary.path("coverage").asDouble()).isGreaterThanOrEqualTo(0.99);
    assertThat(summary.path("reads").asLong()).isPositive();
    assertThat(summary.path("emitter").path("dropped").asLong()).isZero();
    return summary;
  }

  private static void requireNothingLeft(String url) throws Exception {
    try (Connection c = DriverManager.getConnection(url);
        ResultSet tables = c.getMetaData().getTables(null, null, "%", new String[] {"TABLE"})) {
      while (tables.next()) {
        assertThat(tables.getString("TABLE_NAME")).doesNotStartWithIgnoringCase("isotail_");
      }
    }
  }
}
