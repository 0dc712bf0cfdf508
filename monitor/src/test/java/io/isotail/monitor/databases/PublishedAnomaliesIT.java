package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is known of released databases, shown by scripts without isotail; and isotail, which
 * observes the same scripts, finds what they show and nothing else.
 */
class PublishedAnomaliesIT {
  private static final Path SCRIPTS = Path.of("../deploy/reproductions");
  private static final Path RELEASES = Path.of("target/servers").toAbsolutePath();

  /** A cluster refuses the script where the other node's commit arrives while it commits. */
  private static final int ATTEMPTS = 20;

  @ParameterizedTest
  @CsvSource({"postgresql-12.3, true", "postgresql-12.6, false"})
  void postgresqlMissesAnInsertThatWasUpdatedUntilItWasMended(String name, boolean broken)
      throws Exception {
    Reproduction script = Reproduction.read(SCRIPTS.resolve("write-skew-by-insert.sql"));
    DatabaseSystem system = DatabaseSystem.named(name);
    try (DatabaseServer server = system.start().with(RELEASES)) {
      ObservedReproduction.Result result =
          ObservedReproduction.run(script, new SessionsAt(system, server, "serializable"));
      assertThat(result.outcome().shown()).as(result.outcome().why()).isEqualTo(broken);
      assertAgrees(script, result);
      // The level below it documents is kept.
      assertThat(result.verdicts()).containsEntry(IsolationLevel.SNAPSHOT_ISOLATION, Verdict.PASS);
    }
  }

  @Test
  void mariaDbLosesUpdatesAtRepeatableReadUnlessItIsToldNotTo() throws Exception {
    try (DatabaseServer server = MariaDbServer.single()) {
      assertLostUpdate("mariadb", server, true);
      assertLostUpdate("mariadb-snapshot", server, false);
    }
  }

  @Test
  void galeraLosesUpdatesOfTwoNodesUnlessItIsToldNotTo() throws Exception {
    try (DatabaseServer server = MariaDbServer.cluster(3)) {
      assertThat(server.urls()).hasSize(3);
      assertLostUpdate("galera", server, true);
      assertLostUpdate("galera-snapshot", server, false);
    }
  }

  private static void assertLostUpdate(String name, DatabaseServer server, boolean lost)
      throws Exception {
    Reproduction script = Reproduction.read(SCRIPTS.resolve("lost-update.sql"));
    SessionsAt sessions = new SessionsAt(DatabaseSystem.named(name), server, "repeatable-read");
    List<String> refused = new ArrayList<>();
    ObservedReproduction.Result result;
    do {
      result = ObservedReproduction.run(script, sessions);
      assertAgrees(script, result);
      refused.add(result.outcome().why());
    } while (lost && !result.outcome().shown() && refused.size() < ATTEMPTS);
    assertThat(result.outcome().shown()).as(refused.toString()).isEqualTo(lost);
  }

  /** Each script at each level of these databases, whose manuals say what may happen there. */
  @ParameterizedTest
  @CsvSource({
    "h2, read-uncommitted, dirty-read intermediate-read fractured-read lost-update write-skew",
    "h2, read-committed, fractured-read non-repeatable-read lost-update write-skew",
    "h2, serializable, write-skew",
    "h2-snapshot, default, write-skew",
    "hsqldb-mvcc, serializable, write-skew",
    "derby, read-committed, fractured-read non-repeatable-read lost-update write-skew",
    "sqlite-wal, serializable, ''",
    "postgresql-12.6, repeatable-read, write-skew read-only-anomaly",
  })
  void scriptsShowWhatManualsSayAndIsotailFindsIt(String name, String isolation, String documented)
      throws Exception {
    DatabaseSystem system = DatabaseSystem.named(name);
    List<String> shown = new ArrayList<>();
    try (DatabaseServer server = system.start().with(RELEASES)) {
      for (Reproduction script : Reproduction.all(SCRIPTS)) {
        ObservedReproduction.Result result =
            ObservedReproduction.run(script, new SessionsAt(system, server, isolation));
        assertAgrees(script, result);
        if (result.outcome().shown()) {
          shown.add(script.name());
        }
      }
    }
    assertThat(shown)
        .containsAll(Stream.of(documented.split(" ")).filter(s -> !s.isEmpty()).toList());
    if (documented.isEmpty()) {
      assertThat(shown).isEmpty();
    }
  }

  /** What the script shows violates the level that forbids it, and nothing below. */
  private static void assertAgrees(Reproduction script, ObservedReproduction.Result result) {
    if (result.outcome().shown()) {
      assertThat(result.verdicts())
          .as("%s: %s, %s", script.name(), result.verdicts(), result.report().undecided())
          .containsEntry(script.forbidden(), Verdict.FAIL);
      assertThat(result.anomalies()).isNotEmpty();
    } else {
      assertThat(result.verdicts())
          .as(
              "%s (%s): %s, %s",
              script.name(), result.outcome().why(), result.verdicts(), result.report().undecided())
          .doesNotContainEntry(script.forbidden(), Verdict.UNDECIDED);
    }
    for (IsolationLevel level : IsolationLevel.values()) {
      if (!level.atLeast(script.forbidden())) {
        assertThat(result.verdicts().get(level))
            .as("%s: %s, %s", script.name(), result.verdicts(), result.report().undecided())
            // Where everything was rolled back there is nothing to check.
            .isEqualTo(result.report().transactions() > 0 ? Verdict.PASS : Verdict.NOT_CHECKED);
      }
    }
  }
}
