package io.isotail.ingest.jdbc;

import static io.isotail.ingest.jdbc.WireComparison.NONE;
import static io.isotail.ingest.jdbc.WireComparison.parse;
import static io.isotail.ingest.jdbc.WireComparison.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.postgres.RawClient;
import io.isotail.ingest.postgres.RawClient.Messages;
import io.isotail.ingest.postgres.TestRelay;
import io.isotail.ingest.sql.ObservedTables;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Conversations in which the client once got something else than from the server. */
class WireCasesIT {
  private static final String READ = "SELECT v, w FROM acc WHERE k = 1";

  /** Oid of {@code md5(text)}. */
  private static final int MD5 = 2311;

  private final RecordingSink sink = new RecordingSink();

  @BeforeAll
  static void makeSchema() throws Exception {
    HiddenSchema.make();
  }

  private void expectTheSame(Messages... bursts) throws Exception {
    WireComparison.expectTheSame(sink, bursts);
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
  void aQueryThatIsSkippedLeavesTheUnnamedStatement() throws Exception {
    expectTheSame(
        parse("", "UPDATE acc SET v = v + 1 WHERE k = 1 RETURNING v, k"),
        new Messages()
            .about((byte) 'D', 'P', "none")
            .skippedQuery("SELECT 1")
            .sync()
            .bind("p", "", NONE)
            .execute("p", 0)
            .sync());
  }

  @Test
  void executeInSqlIsOfTheStatementThatHasTheNameWhenItIsBound() throws Exception {
    String write = "UPDATE acc SET v = v + 1 WHERE k = 1";
    Messages again = new Messages().bind("p", "", NONE).about((byte) 'D', 'P', "p").execute("p", 0);
    expectTheSame(
        parse("one", write),
        parse("", "EXECUTE one"),
        new Messages()
            .bind("p", "", NONE)
            .execute("p", 0)
            .about((byte) 'C', 'P', "p")
            .about((byte) 'C', 'S', "one")
            .parse("one", READ)
            .about((byte) 'D', 'S', "")
            .bind("p", "", NONE)
            .about((byte) 'D', 'P', "p")
            .execute("p", 0)
            .sync(),
        again.sync());
  }

  @Test
  void whatFollowsExecuteInAQueryHasItsOwnColumns() throws Exception {
    expectTheSame(
        parse("one", READ),
        new Messages().query("EXECUTE one; SELECT count(*), sum(v) FROM acc; EXECUTE one"));
  }

  @Test
  void executeInSqlIsOfTheStatementThatKeepsTheName() throws Exception {
    String insert = "INSERT INTO acc (k, v) VALUES (9, 7) ON CONFLICT (k) DO UPDATE SET v = 8";
    expectTheSame(
        parse("one", READ),
        new Messages()
            .parse("one", insert)
            .sync()
            .parse("", "EXECUTE one")
            .bind("", "", NONE)
            .about((byte) 'D', 'P', "")
            .execute("", 0)
            .sync());
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

  @Test
  void aQueryBehindOthersThatAreNotAnsweredIsCaptured() throws Exception {
    expectTheSame(
        new Messages().query("BEGIN").query(READ),
        new Messages().query("SAVEPOINT a").query("UPDATE acc SET v = v + 1 WHERE k = 2"),
        new Messages()
            .query("UPDATE acc SET v = v + 1 WHERE k = 3")
            .query("SELECT * FROM acc WHERE k = 4"),
        new Messages().query("COMMIT"));
    assertThat(sink.described())
        .singleElement(InstanceOfAssertFactories.STRING)
        .matches("committed: r1=\\d+ w2=\\d+ w3=\\d+ r4=-");
  }

  @Test
  void aQueryBehindABeginHasTheClientsColumnsWhateverBecomesOfThat() throws Exception {
    String write = "UPDATE acc SET v = v + 1 WHERE k = 2";
    expectTheSame(
        new Messages().query(READ).query("BEGIN").query("SELECT nope FROM acc").query(READ),
        new Messages().query("BEGIN").query(READ).query("SAVEPOINT a").query(write),
        new Messages().query("ROLLBACK"),
        new Messages().query("SAVEPOINT a").query(READ).query("RELEASE a").query(write),
        new Messages().query("BEGIN").query("BEGIN").query(READ).query("RELEASE a").query(write),
        new Messages().query("COMMIT").query(READ).query("BEGIN ISOLATION").query(READ),
        new Messages().query("COPY acc (k, v) FROM STDIN").copyDone().query(READ),
        new Messages().query("SET search_path = other").query(READ),
        new Messages().query("RESET search_path").query("SAVEPOINT a").query(READ));
  }

  @Test
  void aStatementThatWasDeallocatedInSqlLeavesItsNameToAnother() throws Exception {
    Messages execute = new Messages().parse("x", "EXECUTE one").sync();
    for (String end :
        List.of("DEALLOCATE one", "deallocate Prepare ONE;", "/* */ DEALLOCATE ALL")) {
      expectTheSame(
          parse("one", READ),
          execute,
          run("x"),
          new Messages().query(end),
          new Messages().query("PREPARE one AS SELECT 1, 2, 3, 4"),
          run("x"),
          run("one"),
          new Messages().bind("", "one", NONE).about((byte) 'D', 'P', "").execute("", 0).sync(),
          new Messages().about((byte) 'D', 'S', "x").about((byte) 'D', 'S', "one").sync());
    }
    expectTheSame(
        parse("one", READ),
        new Messages()
            .parse("", "DEALLOCATE one")
            .bind("", "", NONE)
            .execute("", 0)
            .parse("", "PREPARE one(int) AS SELECT $1, 2, 3, 4")
            .bind("", "", NONE)
            .execute("", 0)
            .parse("", "EXECUTE one(1)")
            .bind("", "", NONE)
            .execute("", 0)
            .sync());
  }

  @Test
  void aStatementThatCouldNotBeDeallocatedInSqlKeepsItsName() throws Exception {
    expectTheSame(
        parse("one", READ),
        new Messages().query("DEALLOCATE two").query("PREPARE one AS SELECT 1, 2, 3, 4"),
        run("one"),
        new Messages().query("BEGIN").query("SELECT nope").query("DEALLOCATE one").query("ABORT"),
        new Messages()
            .parse("", "SELECT nope")
            .parse("", "DEALLOCATE ALL")
            .bind("", "", NONE)
            .execute("", 0)
            .parse("", "PREPARE one AS SELECT 1, 2, 3, 4")
            .bind("", "", NONE)
            .execute("", 0)
            .sync(),
        run("one"));
    assertThat(sink.described()).hasSize(2).allMatch(told -> told.contains("r1="));
  }

  @Test
  void aStatementThatSqlHasPreparedCountsAsAWriteWhateverFollowsBeforeTheSync() throws Exception {
    expectTheSame(
        new Messages().query("PREPARE two(int) AS UPDATE acc SET v = v + 1 WHERE k = $1"),
        new Messages()
            .bind("", "two", new String[] {"1"})
            .execute("", 0)
            .parse("", "SELECT v, w FROM acc WHERE k = 2")
            .bind("", "", NONE)
            .execute("", 0)
            .sync());
    assertThat(sink.described())
        .singleElement(InstanceOfAssertFactories.STRING)
        .startsWith("committed: opaque(");
  }

  @Test
  void aFetchInSqlOfAPortalThatWritesCountsAsAWrite() throws Exception {
    for (String fetch : List.of("FETCH 1 FROM p", "MOVE ALL IN p;")) {
      sink.clear();
      expectTheSame(
          new Messages()
              .query("BEGIN")
              .parse("", "UPDATE acc SET v = v + 1 RETURNING k")
              .bind("p", "", NONE)
              .sync(),
          new Messages().query(fetch),
          new Messages().query("COMMIT"));
      assertThat(sink.described())
          .as(fetch)
          .singleElement(InstanceOfAssertFactories.STRING)
          .startsWith("committed: opaque(hidden.acc)");
      sink.clear();
      expectTheSame(
          new Messages()
              .query("BEGIN")
              .parse("", "DELETE FROM acc WHERE k = 1 RETURNING *")
              .bind("p", "", NONE)
              .sync(),
          new Messages().parse("", fetch).bind("", "", NONE).execute("", 0).sync(),
          new Messages().query("COMMIT"));
      assertThat(sink.described())
          .as(fetch)
          .singleElement(InstanceOfAssertFactories.STRING)
          .startsWith("committed: opaque(hidden.acc)");
    }
  }

  @Test
  void theRowOfALongValueIsKnown() throws Exception {
    String[] values = {"x".repeat(1 << 20), "2"};
    expectTheSame(
        new Messages()
            .parse("", "UPDATE acc SET w = $1 WHERE k = $2")
            .bind("", "", values)
            .execute("", 0)
            .sync(),
        new Messages().functionCall(MD5, "x".repeat(1 << 20)),
        new Messages().query(READ));
    assertThat(sink.described().get(0)).matches("committed: w2=\\d+");
    assertThat(sink.described().get(sink.described().size() - 1)).matches("committed: r1=\\d+");
  }

  @Test
  void aTransactionKeepsNoLongValues() throws Exception {
    Messages execution = new Messages().bind("", "one", new String[] {"x".repeat(10 << 20)});
    byte[] bytes = execution.execute("", 0).sync().bytes();
    CaptureConfig config = CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames();
    try (TestRelay relay = new TestRelay(DatabaseScenario.database.port(), config, sink);
        RawClient client = new RawClient(relay.port(), "postgres", WireTalk.SEARCH_PATH)) {
      client.send(new Messages().query("BEGIN").parse("one", "SELECT length($1)").sync().bytes());
      client.read(2);
      long before = usedBytes();
      for (int i = 0; i < 20; i++) {
        client.send(bytes);
        client.read(1);
      }
      assertThat(usedBytes() - before).isLessThan(100 << 20);
    }
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
