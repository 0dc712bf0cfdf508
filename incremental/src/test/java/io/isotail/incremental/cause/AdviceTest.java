package io.isotail.incremental.cause;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.verdict.Moment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

final class AdviceTest {
  private static Advice advice(
      AnomalyKind kind, IsolationLevel level, Fault fault, String ranAt, String... statements) {
    return advice(kind, level, fault, List.of(ranAt), statements);
  }

  private static Advice advice(
      AnomalyKind kind,
      IsolationLevel level,
      Fault fault,
      List<String> ranAt,
      String... statements) {
    return Advice.of(
        new CauseReport(
            "1",
            "h",
            "2",
            1,
            level,
            kind,
            Stream.of(statements).map(s -> new CausePart("t", s, "shop", null)).toList(),
            ranAt,
            fault,
            Moment.START,
            Moment.START,
            1,
            1,
            1,
            "2",
            2,
            "2",
            new CauseReport.Timeline(-1, 1_000, List.of())));
  }

  private static String first(Advice advice) {
    return advice.remedies().get(0).what();
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          LOST_UPDATE,          SNAPSHOT_ISOLATION, add FOR UPDATE to `SELECT n FROM t WHERE id = ?`
          BLIND_LOST_UPDATE,    SNAPSHOT_ISOLATION, add FOR UPDATE to `SELECT n FROM t WHERE id = ?`
          WRITE_SKEW,           SERIALIZABLE,       at SERIALIZABLE
          DANGEROUS_STRUCTURE,  SERIALIZABLE,       at SERIALIZABLE
          READ_ONLY_ANOMALY,    SERIALIZABLE,       at SERIALIZABLE
          FRACTURED_READ,       READ_ATOMIC,        in one statement
          NON_REPEATABLE_READS, READ_ATOMIC,        Read each row once
          LONG_FORK,            PREFIX,             at REPEATABLE READ
          STALE_READ,           STRICT_SERIALIZABLE, few databases promise real time
          ABORTED_READ,         READ_COMMITTED,     at READ COMMITTED
          FUTURE_READ,          READ_COMMITTED,     No level allows this
          CAUSALITY_CYCLE,      READ_COMMITTED,     No level allows this
          """)
  void ofAnApplicationItNamesWhatToChange(AnomalyKind kind, IsolationLevel level, String words) {
    Advice advice =
        advice(
            kind,
            level,
            Fault.APPLICATION,
            "postgresql:read-committed",
            "SELECT n FROM t WHERE id = ?",
            "UPDATE t SET n = ? WHERE id = ?");
    assertThat(first(advice)).contains(words);
    assertThat(advice.fault()).startsWith("The database is right");
  }

  @ParameterizedTest
  @EnumSource(
      value = AnomalyKind.class,
      mode = Mode.EXCLUDE,
      names = {"LOST_COMMIT", "UNASKED_COMMIT"})
  void ofADatabaseThatBrokeItsPromiseItSaysSoAndRaisesNoLevel(AnomalyKind kind) {
    Advice advice =
        advice(
            kind,
            IsolationLevel.SERIALIZABLE,
            Fault.DATABASE,
            "postgresql:serializable",
            "SELECT n FROM t");
    assertThat(advice.fault())
        .contains("The database broke its promise", "postgresql:serializable");
    assertThat(first(advice)).contains("report it to the vendor");
    assertThat(advice.remedies()).noneMatch(remedy -> remedy.what().contains("at SERIALIZABLE"));
  }

  @ParameterizedTest
  @EnumSource(
      value = AnomalyKind.class,
      names = {"LOST_COMMIT", "UNASKED_COMMIT"})
  void ofAnEndThatWasToldOtherwiseItSaysWhereToLook(AnomalyKind kind) {
    Advice advice =
        advice(
            kind,
            IsolationLevel.READ_COMMITTED,
            Fault.DATABASE,
            "postgresql:serializable",
            "UPDATE t SET n = ? WHERE id = ?");
    assertThat(advice.fault()).contains("what stands between it and its clients");
    assertThat(first(advice)).contains("a pooler");
    assertThat(advice.remedies()).hasSize(1);
  }

  @Test
  void ofOneStatementThatReadsSeveralRowsItSaysThatItRanMoreThanOnce() {
    String loop = "SELECT n FROM t WHERE id = ?";
    assertThat(first(readCommitted(AnomalyKind.FRACTURED_READ, loop)))
        .contains("in one statement", "`" + loop + "` ran more than once");
    assertThat(first(readCommitted(AnomalyKind.FRACTURED_READ, loop, "SELECT sum FROM s")))
        .contains("in place of `" + loop + "` and `SELECT sum FROM s`");
    assertThat(first(readCommitted(AnomalyKind.NON_REPEATABLE_READS, loop)))
        .contains("`" + loop + "` reads the same row again");
  }

  private static Advice readCommitted(AnomalyKind kind, String... statements) {
    return advice(
        kind,
        IsolationLevel.READ_ATOMIC,
        Fault.APPLICATION,
        "postgresql:read-committed",
        statements);
  }

  /** A bystander at a level that forbids the anomaly does not allow it. */
  @Test
  void ofSeveralLevelsItDoesNotSayThatAllAllowIt() {
    Advice advice =
        advice(
            AnomalyKind.WRITE_SKEW,
            IsolationLevel.SERIALIZABLE,
            Fault.APPLICATION,
            List.of("postgresql:repeatable-read", "postgresql:serializable"),
            "SELECT n FROM t");
    assertThat(advice.fault())
        .contains("not all of these levels forbid this")
        .doesNotContain("which allows this");
  }

  /** PostgreSQL's serializable does not see writers at other levels. */
  @Test
  void serializableIsForAllThatChangeTheRows() {
    assertThat(
            first(
                advice(
                    AnomalyKind.WRITE_SKEW,
                    IsolationLevel.SERIALIZABLE,
                    Fault.APPLICATION,
                    "postgresql:repeatable-read",
                    "SELECT n FROM t")))
        .contains("and all others that change the same rows");
  }

  @Test
  void whatLocksAlreadyIsNotToBeLocked() {
    Advice advice =
        advice(
            AnomalyKind.LOST_UPDATE,
            IsolationLevel.SNAPSHOT_ISOLATION,
            Fault.UNKNOWN,
            "x",
            "SELECT n FROM t WHERE id = ? FOR NO KEY UPDATE",
            "with x as (select 1) update t set n = ?");
    assertThat(first(advice)).contains("the statement that reads it");
    assertThat(advice.remedies().get(1).what())
        .contains("`with x as (select 1) update t set n = ?`");
    assertThat(advice.fault()).contains("cannot be told");
  }

  @Test
  void whatOneServerNeverDoesIsLookedForElsewhere() {
    Advice onOne =
        advice(
            AnomalyKind.SESSION_GUARANTEE_VIOLATION,
            IsolationLevel.READ_ATOMIC,
            Fault.APPLICATION,
            "postgresql:read-committed",
            "SELECT n FROM t WHERE id = ?");
    assertThat(first(onOne)).contains("a cache, a router, a replica").doesNotContain("primary");
    Advice late =
        advice(
            AnomalyKind.SESSION_GUARANTEE_VIOLATION,
            IsolationLevel.READ_ATOMIC,
            Fault.APPLICATION,
            "postgresql-standby:repeatable-read",
            "SELECT n FROM t WHERE id = ?");
    assertThat(first(late)).contains("to the primary");
  }

  @Test
  void aStaleReadOfOneServerThatReadAtTwoMomentsIsToldToReadAtOne() {
    Advice onOne =
        advice(
            AnomalyKind.STALE_READ,
            IsolationLevel.STRICT_SERIALIZABLE,
            Fault.APPLICATION,
            "postgresql:read-committed",
            "SELECT n FROM t WHERE id = ?");
    assertThat(onOne.remedies().get(1).what()).contains("at REPEATABLE READ or above");
  }

  @Test
  void ofAPromiseThatOnlyTheSettingsGiveItSaysSo() {
    Advice advice =
        advice(
            AnomalyKind.LOST_UPDATE,
            IsolationLevel.SNAPSHOT_ISOLATION,
            Fault.APPLICATION,
            "mariadb:repeatable-read",
            "SELECT n FROM t WHERE id = ?",
            "UPDATE t SET n = ? WHERE id = ?");
    assertThat(advice.fault())
        .startsWith("The database is right")
        .contains(
            "these transactions ran at mariadb:repeatable-read",
            "by its documentation that is prefix",
            "isotail's settings promise snapshot-isolation or more",
            "innodb_snapshot_isolation = ON");
    assertThat(advice.remedies().stream().map(Remedy::what))
        .satisfiesExactly(
            lock -> assertThat(lock).contains("FOR UPDATE"),
            relative -> assertThat(relative).contains("write relatively"),
            version -> assertThat(version).contains("add its version to the condition"),
            level ->
                assertThat(level)
                    .contains("at SERIALIZABLE", "innodb_snapshot_isolation = ON", "error 1020"));
    assertThat(
            advice(
                    AnomalyKind.LOST_UPDATE,
                    IsolationLevel.SNAPSHOT_ISOLATION,
                    Fault.APPLICATION,
                    List.of("postgresql:read-committed", "postgresql:serializable"),
                    "UPDATE t SET n = ? WHERE id = ?")
                .fault())
        .as("one of them may have been promised it by the database")
        .doesNotContain("settings");
  }

  /** InnoDB's snapshot does not keep a write from overwriting what it does not show. */
  @ParameterizedTest
  @CsvSource({
    "mariadb:repeatable-read, at SERIALIZABLE",
    "mysql:read-committed, at SERIALIZABLE",
    "postgresql:read-committed, at REPEATABLE READ or above"
  })
  void whatKeepsUpdatesIsUpToTheDatabase(String ranAt, String words) {
    Advice advice =
        advice(
            AnomalyKind.LOST_UPDATE,
            IsolationLevel.SNAPSHOT_ISOLATION,
            Fault.APPLICATION,
            ranAt,
            "SELECT n FROM t WHERE id = ?",
            "UPDATE t SET n = ? WHERE id = ?");
    List<Remedy> remedies = advice.remedies();
    assertThat(remedies.get(remedies.size() - 1).what()).contains(words);
  }
}
