package io.isotail.ingest.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.sql.ObservedTables;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is recorded of sessions on physical standbys of a database. */
final class StandbyCaptureTest {
  private final RecordingSink sink = new RecordingSink();
  private final FakeServer server = new FakeServer();

  private SessionCapture session() {
    CaptureConfig config =
        CaptureConfig.of("test", ObservedTables.parse("reg(k bigint; v bigint)")).withClearNames();
    return Sessions.open(new Capture(config, sink, null), server, "db:5432", true);
  }

  private static void look(SessionCapture session) {
    StatementRun run =
        session.beforeStatement(session.analyze("SELECT k, v FROM reg WHERE k = 1", false), i -> 0);
    session.afterQuery(run);
    session.result(run).exhausted(true);
  }

  private void control(SessionCapture session, String sql, Server.TransactionState after) {
    StatementRun run = session.beforeStatement(session.analyze(sql, false), i -> 0);
    server.state = after;
    session.afterUpdate(run, 0);
  }

  @Test
  void levelsTellAStandby() {
    server.standby = "yes";
    SessionCapture session = session();
    look(session);
    control(session, "BEGIN ISOLATION LEVEL READ COMMITTED", Server.TransactionState.OPEN);
    look(session);
    control(session, "COMMIT", Server.TransactionState.IDLE);
    session.isolationSet("read uncommitted");
    look(session);
    session.closed();
    assertThat(sink.records())
        .extracting(TransactionRecord::ranAt)
        .containsExactly(
            "postgresql-standby:repeatable-read",
            "postgresql-standby:read-committed",
            "postgresql-standby:read-uncommitted");
  }

  /**
   * The server reports the promotion, and is asked again. A report of a pooler may be another's.
   */
  @Test
  void aPromotedStandbyIsAPrimary() {
    server.standby = "yes";
    server.reported = DatabaseCopy.STANDBY;
    SessionCapture session = session();
    look(session);
    server.reported = DatabaseCopy.PRIMARY;
    look(session);
    server.reported = DatabaseCopy.NOT_TOLD;
    server.standby = "no";
    look(session);
    server.reported = DatabaseCopy.STANDBY;
    look(session);
    server.reported = DatabaseCopy.PRIMARY;
    server.standby = "unknown";
    look(session);
    session.closed();
    assertThat(sink.records())
        .extracting(TransactionRecord::ranAt)
        .containsExactly(
            "postgresql-standby:repeatable-read",
            "postgresql-standby:repeatable-read",
            "postgresql:repeatable-read",
            "postgresql-standby:repeatable-read",
            null);
  }

  /** It may be of before a table, a key or a trigger was made. */
  @Test
  void theCatalogOfAStandbyDoesNotHoldForThePrimary() {
    Capture capture =
        new Capture(CaptureConfig.of("test", new ObservedTables(List.of())), sink, null);
    server.standby = "yes";
    server.tables = List.of("reg");
    SessionCapture onStandby = Sessions.open(capture, server, null, true);
    FakeServer primary = new FakeServer();
    primary.tables = List.of("reg", "fresh");
    SessionCapture onPrimary = Sessions.open(capture, primary, null, true);
    assertThat(isObserved(onStandby, "reg")).isTrue();
    assertThat(isObserved(onStandby, "fresh")).isFalse();
    assertThat(isObserved(onPrimary, "reg")).isTrue();
    assertThat(isObserved(onPrimary, "fresh")).isTrue();
    assertThat(capture.sessions().openConnections()).isEqualTo(2);
  }

  private static boolean isObserved(SessionCapture session, String table) {
    return session.rewriting(session.analyze("SELECT * FROM " + table, false), List.of(), false)
        != null;
  }
}
