package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.postgres.RawClient;
import io.isotail.ingest.postgres.RawClient.Messages;
import io.isotail.ingest.postgres.TestRelay;
import io.isotail.ingest.sql.ObservedTables;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Conversations in which the client once got something else than from the server. */
class WireCasesIT {
  private static final String READ = "SELECT v, w FROM acc WHERE k = 1";
  private static final String[] NONE = {};

  private final RecordingSink sink = new RecordingSink();

  @BeforeAll
  static void makeSchema() throws Exception {
    HiddenSchema.make();
  }

  private static List<String> talk(int port, Messages... bursts) throws Exception {
    List<String> told = new ArrayList<>();
    try (RawClient client = new RawClient(port, "postgres", WireTalk.SEARCH_PATH)) {
      for (Messages burst : bursts) {
        client.send(burst.bytes());
        told.addAll(client.read(burst.readies()));
      }
    }
    return told;
  }

  private void expectTheSame(Messages... bursts) throws Exception {
    HiddenSchema.fill();
    List<String> expected = talk(DatabaseScenario.database.port(), bursts);
    HiddenSchema.fill();
    CaptureConfig config = CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames();
    try (TestRelay relay = new TestRelay(DatabaseScenario.database.port(), config, sink)) {
      assertThat(talk(relay.port(), bursts)).isEqualTo(expected);
    }
  }

  private static Messages parse(String name, String sql) {
    return new Messages().parse(name, sql).sync();
  }

  private static Messages run(String name) {
    return new Messages().bind("", name, NONE).execute("", 0).sync();
  }

  @Test
  void aStatementWhoseCloseIsSkippedKeepsItsNameAgainstTheNextOne() throws Exception {
    expectTheSame(
        parse("one", READ),
        new Messages()
            .about((byte) 'D', 'P', "none")
            .about((byte) 'C', 'S', "one")
            .sync()
            .parse("one", "SELECT 1")
            .sync(),
        run("one"));
  }

  @Test
  void aQueryThatIsTooLongIsAnsweredAndMayHaveWrittenAnything() throws Exception {
    String write = "UPDATE acc SET v = 99 WHERE k = 2";
    String comment = " -- " + "x".repeat(17 << 20);
    expectTheSame(
        new Messages().query(READ),
        new Messages().query(READ + comment).query(write + comment),
        new Messages().query("SELECT nope" + comment).query("BEGIN" + comment),
        new Messages().query(READ),
        new Messages().query("COMMIT" + comment),
        new Messages().query("SELECT v FROM acc WHERE k = 3"));
    assertThat(sink.described().toString()).contains("opaque", "r1=", "r3=");
  }

  @Test
  void aScriptThatIsTooLongHidesWhereTransactionsEnd() throws Exception {
    String comment = " -- " + "x".repeat(17 << 20);
    expectTheSame(
        new Messages().query(READ),
        new Messages().query("BEGIN; UPDATE acc SET v = 98 WHERE k = 2" + comment),
        new Messages().query("UPDATE acc SET v = 99 WHERE k = 3"),
        new Messages().query("ROLLBACK"),
        new Messages().query(READ));
    assertThat(sink.described())
        .filteredOn(record -> record.startsWith("committed"))
        .isNotEmpty()
        .noneMatch(record -> record.contains("w3="));
  }

  @Test
  void aFetchInSqlOfAPortalOfTheProtocolHasTheClientsColumns() throws Exception {
    for (String fetch : List.of("FETCH 1 FROM p", "fetch P;", "FETCH FORWARD 2 IN \"p\"")) {
      expectTheSame(
          new Messages()
              .query("BEGIN")
              .parse("", "SELECT v, w FROM acc ORDER BY k")
              .bind("p", "", NONE)
              .sync(),
          new Messages().parse("one", fetch).bind("", "one", NONE).execute("", 0).sync(),
          new Messages().bind("", "one", NONE, 1, 0).execute("", 0).sync(),
          new Messages().bind("", "one", NONE).about((byte) 'D', 'P', "").execute("", 0).sync(),
          new Messages().query("COMMIT"));
    }
  }
}
