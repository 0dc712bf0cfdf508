package io.isotail.ingest.capture;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.isotail.incremental.Seeds;
import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.CommentedSql;
import io.isotail.ingest.sql.ObservedTables;
import io.isotail.ingest.sql.Placeholders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Statements of every dialect whose literals are marked: no marker is in anything that leaves the
 * process, be it records, counts or logs; and a write is never taken for a read. {@code
 * -Disotail.random.statements=N} and {@code -Disotail.random.seed=S} choose how many and which.
 */
final class LeakTest {
  private static final int STATEMENTS = Integer.getInteger("isotail.random.statements", 1_500);
  private static final long SEED = Seeds.FRESH;

  /** Of the statements, each second one or more must be cut into tokens to its end. */
  private static final int LEAST_UNDERSTOOD_PERCENT = 50;

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.isotail");
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final RecordingSink sink = new RecordingSink();
  private final FakeServer server = new FakeServer();

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(log);
  }

  /** A row of which every value is marked. */
  private static final class MarkedRow implements Row {
    @Override
    public int columns() {
      return 2;
    }

    @Override
    public String label(int column) {
      return column == 1 ? "id" : "rev";
    }

    @Override
    public Object value(int column, ColumnType type) {
      return column == 1 ? RandomSql.TEXT_MARKER + "1" : 9_876_512L;
    }

    @Override
    public String @Nullable [][] texts(int column) {
      return null;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql",
        "mysql",
        "mariadb",
        "h2",
        "oracle",
        "sqlserver",
        "sqlite",
        "unknown"
      })
  void noLiteralLeavesTheProcessAndNoWriteIsARead(String database) {
    Random random = Seeds.random(SEED + database.hashCode());
    RandomSql grammar = new RandomSql(database, random);
    server.dialect = Dialects.of(database);
    server.state =
        database.equals("postgresql")
            ? Server.TransactionState.IDLE
            : Server.TransactionState.UNKNOWN;
    Capture capture =
        new Capture(
            CaptureConfig.of("leaks", ObservedTables.parse("orders(id text; rev bigint)")),
            sink,
            null);
    int understood = 0;
    for (int i = 0; i < STATEMENTS; i++) {
      RandomSql.Sql sql = grammar.next();
      String seen = run(capture, sql, random);
      assertThat(seen.toLowerCase(Locale.ROOT))
          .as("seed %d, statement %d of %s: %s", SEED, i, database, sql.text())
          .doesNotContain(RandomSql.TEXT_MARKER.toLowerCase(Locale.ROOT))
          .doesNotContain(RandomSql.NUMBER_MARKER);
      if (sql.writes()) {
        assertThat(sink.records())
            .as("seed %d, statement %d of %s: %s", SEED, i, database, sql.text())
            .anyMatch(LeakTest::writes);
      }
      understood += seen.contains(" ") ? 1 : 0;
      sink.clear();
      log.list.clear();
    }
    assertThat(100 * understood / STATEMENTS).isGreaterThan(LEAST_UNDERSTOOD_PERCENT);
  }

  /** Sends a statement; all that can be seen of it outside. */
  private String run(Capture capture, RandomSql.Sql sql, Random random) {
    SessionCapture session = Sessions.open(capture, server, "db", true);
    CommentedSql text = CommentedSql.of(sql.text());
    session.sends(text);
    AnalyzedSql analyzed = session.analyze(text, Placeholders.QUESTION_MARKS);
    StatementRun run = session.beforeStatement(analyzed, i -> RandomSql.TEXT_MARKER + i);
    if (!sql.writes() && random.nextInt(3) == 0) {
      session.statementFailed(run, new Failure(random.nextBoolean() ? "42601" : null, 0));
    } else if (!sql.writes() && random.nextBoolean()) {
      session.afterQuery(run);
      ResultCapture rows = session.result(run);
      if (rows != null) {
        rows.row(new MarkedRow());
        rows.exhausted(true);
      }
    } else {
      session.afterUpdate(run, random.nextInt(4) - 1 == 0 ? -1 : 1 + random.nextInt(2));
    }
    session.closed();
    return sink.texts() + counts(capture) + analyzed.fingerprint() + logged();
  }

  private static String counts(Capture capture) {
    CaptureCounts counts = capture.tally().untold(1_000);
    if (counts == null) {
      return "";
    }
    capture.tally().told();
    byte[] heartbeat = EventCodec.encode(new Heartbeat("p", 1, List.of(), counts));
    return new String(heartbeat, StandardCharsets.ISO_8859_1);
  }

  private String logged() {
    StringBuilder text = new StringBuilder();
    for (ILoggingEvent event : log.list) {
      text.append(event.getFormattedMessage());
      for (var thrown = event.getThrowableProxy(); thrown != null; thrown = thrown.getCause()) {
        text.append(thrown.getClassName()).append(thrown.getMessage());
      }
    }
    return text.toString();
  }

  private static boolean writes(TransactionRecord record) {
    for (int i = 0; i < record.operations().size(); i++) {
      if (record.operations().kind(i) != OperationKind.READ) {
        return true;
      }
    }
    return false;
  }
}
