package io.isotail.ingest.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.sql.ObservedTables;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What records tell of the database that a session is connected to. */
final class DatabaseIdentityTest {
  private final RecordingSink sink = new RecordingSink();
  private final FakeServer server = new FakeServer();
  private final Capture capture =
      new Capture(
          CaptureConfig.of("test", ObservedTables.parse("reg(k bigint; v bigint)")), sink, null);

  private SessionCapture session() {
    return Sessions.open(capture, server, "db:5432", true);
  }

  private static void look(SessionCapture session) {
    StatementRun run =
        session.beforeStatement(session.analyze("SELECT k, v FROM reg WHERE k = 1", false), i -> 0);
    session.afterQuery(run);
    session.result(run).exhausted(true);
  }

  private List<SessionInfo> sessions() {
    return sink.records().stream().map(TransactionRecord::session).toList();
  }

  @Test
  void sessionsOfOneDatabaseTellTheSameAndThoseOfAnotherOneSomethingElse() {
    look(session());
    server.oldestRunning = "800";
    look(session());
    server.database = "4712/1/5";
    server.oldestRunning = "740";
    look(session());
    List<SessionInfo> told = sessions();
    assertThat(told)
        .extracting(SessionInfo::oldestRunning)
        .as("of the database, when its first session began")
        .containsExactly(757L, 757L, 740L);
    assertThat(told.get(0).database())
        .isNotEqualTo(SessionInfo.NO_DATABASE)
        .isEqualTo(told.get(1).database())
        .isNotEqualTo(told.get(2).database());
  }

  @Test
  void whichTransactionsRunIsTold() {
    DatabaseIds ids = DatabaseIds.of(server);
    assertThat(ids.oldestRunning()).isEqualTo(757);
    assertThat(ids.nextId()).isEqualTo(761);
  }

  @Test
  void aServerThatRefusesItIsAskedThriceAndTheRestIsKnownAllTheSame() {
    server.refusesIdentity = true;
    for (int i = 0; i < 3; i++) {
      look(session());
    }
    server.refusesIdentity = false;
    look(session());
    assertThat(sink.records())
        .extracting(TransactionRecord::ranAt)
        .containsOnly("postgresql:repeatable-read");
    assertThat(sessions()).extracting(SessionInfo::database).containsOnly(SessionInfo.NO_DATABASE);
    assertThat(sessions()).extracting(SessionInfo::oldestRunning).containsOnly(Hello.NOT_KNOWN);
    assertThat(capture.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
  }

  @Test
  void aMishapIsNotTakenForARefusal() {
    server.refusesIdentity = true;
    look(session());
    look(session());
    server.refusesIdentity = false;
    look(session());
    assertThat(sessions())
        .last()
        .extracting(SessionInfo::database)
        .isNotEqualTo(SessionInfo.NO_DATABASE);
  }

  /** As one that a promotion has made. */
  @Test
  void aConnectionThatIsCarriedOnToAnotherDatabaseIsAnotherSession() {
    server.standby = "yes";
    server.reported = DatabaseCopy.STANDBY;
    SessionCapture session = session();
    look(session);
    look(session);
    server.database = "4711/2/5";
    server.standby = "no";
    server.reported = DatabaseCopy.PRIMARY;
    look(session);
    look(session);
    List<SessionInfo> told = sessions();
    assertThat(told.get(0)).isEqualTo(told.get(1));
    assertThat(told.get(2)).isEqualTo(told.get(3));
    assertThat(told.get(2).id()).isNotEqualTo(told.get(0).id());
    assertThat(told.get(2).database()).isNotEqualTo(told.get(0).database());
    assertThat(sink.records())
        .extracting(TransactionRecord::sequence)
        .containsExactly(0L, 1L, 0L, 1L);
  }
}
