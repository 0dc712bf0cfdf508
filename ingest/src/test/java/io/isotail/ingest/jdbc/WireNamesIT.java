package io.isotail.ingest.jdbc;

import static io.isotail.ingest.jdbc.WireComparison.NONE;
import static io.isotail.ingest.jdbc.WireComparison.parse;
import static io.isotail.ingest.jdbc.WireComparison.run;
import static io.isotail.ingest.jdbc.WireComparison.together;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.postgres.RawClient.Messages;
import io.isotail.ingest.postgres.TestRelay;
import io.isotail.ingest.sql.ObservedTables;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Conversations in which SQL gives or takes names that the protocol has, too: what the client has
 * not sent itself never reaches it, and nothing of its own is cut off.
 */
class WireNamesIT {
  private static final String READ = "SELECT v, w FROM acc WHERE k = 1";
  private static final String WRITE = "UPDATE acc SET v = v + 1 WHERE k = 1";

  /** Texts after which a name stands for another statement, and it cannot be told from them. */
  private static final List<String> REPLACING =
      List.of(
          "DEALLOCATE one; PREPARE one AS SELECT v, w, k, 4 FROM acc WHERE k < 4 ORDER BY k",
          "DEALLOCATE ALL; prepare one AS SELECT 1, 2, 3, 4; SELECT nope",
          "DO $$BEGIN EXECUTE 'DEALLOCATE one'; EXECUTE 'PREPARE one AS SELECT 1, 2, 3, 4'; END$$");

  private final RecordingSink sink = new RecordingSink();

  @BeforeAll
  static void makeSchema() throws Exception {
    HiddenSchema.make();
  }

  private void expectTheSame(Messages... bursts) throws Exception {
    WireComparison.expectTheSame(sink, bursts);
  }

  private static Messages runDescribed(String name) {
    return new Messages().bind("", name, NONE).about((byte) 'D', 'P', "").execute("", 0).sync();
  }

  private static Messages runInFormats(String name, int... formats) {
    return new Messages().bind("", name, NONE, formats).execute("", 0).sync();
  }

  private static Messages runLimited(String name) {
    return new Messages().bind("p", name, NONE).execute("p", 1).execute("p", 1).sync();
  }

  @Test
  void aStatementThatHasTakenANameUnseenKeepsItsColumns() throws Exception {
    int pairs = 0;
    for (String text : REPLACING) {
      List<Messages> uses =
          List.of(
              run("one"),
              runDescribed("one"),
              runInFormats("one", 1, 1, 0, 0),
              runLimited("one"),
              new Messages().about((byte) 'D', 'S', "one").sync(),
              run("x"),
              runDescribed("x"),
              runInFormats("x", 1, 1, 0, 0),
              runLimited("x"));
      for (Messages use : uses) {
        // Of an odd number of uses: each comes after each text, and after a read and a write.
        String known = pairs++ % 2 == 0 ? READ : WRITE;
        Messages text1 = new Messages().query(text);
        expectTheSame(parse("one", known), parse("x", "EXECUTE one"), text1, use, use);
        expectTheSame(
            together(parse("one", known), parse("x", "EXECUTE one"), run("x"), text1, use, use));
      }
    }
  }

  @Test
  void aStatementThatHasKeptItsNameIsReadAsBefore() throws Exception {
    String text = "PREPARE two AS SELECT 1, 2, 3, 4; DEALLOCATE two";
    expectTheSame(
        parse("one", READ),
        new Messages().query(text),
        run("one"),
        together(new Messages().query(text), run("one"), run("one")),
        runInFormats("one", 1, 1),
        new Messages().query("BEGIN").query(text),
        new Messages().query("SELECT nope"),
        run("one"),
        new Messages().query("ABORT"));
    assertThat(sink.described()).filteredOn(told -> told.contains("r1=")).hasSize(4);
  }

  @Test
  void prepareInSqlOfANameThatIsTakenLeavesItsStatement() throws Exception {
    Messages inQuery = new Messages().query("PREPARE one AS SELECT 1, 2, 3, 4");
    Messages parsed =
        new Messages()
            .parse("", "PREPARE one AS SELECT 1, 2, 3, 4")
            .bind("", "", NONE)
            .execute("", 0)
            .sync();
    for (Messages prepare : List.of(inQuery, parsed)) {
      for (String known : List.of(READ, WRITE + " RETURNING v, w")) {
        expectTheSame(
            parse("one", known),
            parse("x", "EXECUTE one"),
            together(prepare, runInFormats("one", 1, 0), run("one"), runLimited("one")),
            together(prepare, run("x")),
            together(prepare, runInFormats("x", 0, 1)));
      }
      expectTheSame(
          parse("one", READ),
          together(
              new Messages().query("DEALLOCATE one"),
              prepare,
              runInFormats("one", 1, 0, 0, 1),
              run("one"),
              runLimited("one")));
    }
  }

  @Test
  void aFetchOfACursorThatHasTakenThePlaceOfAPortalKeepsItsColumns() throws Exception {
    Messages bind = new Messages().parse("", READ).bind("p", "", NONE).sync();
    String declare = "DECLARE p CURSOR FOR SELECT 1, 2, 3, 4 FROM acc";
    List<Messages> ends =
        List.of(
            together(bind, new Messages().query("CLOSE p").query(declare)),
            together(bind, new Messages().query("CLOSE p; " + declare)),
            together(bind, new Messages().query("CLOSE ALL").query(declare)),
            together(
                new Messages().query("SAVEPOINT a"),
                bind,
                new Messages().query("ROLLBACK TO a").query(declare)),
            together(bind, new Messages().query("CLOSE p")));
    Messages begin = new Messages().query("BEGIN");
    Messages fetch = parse("f", "FETCH 2 FROM p");
    for (Messages end : ends) {
      for (Messages use :
          List.of(run("f"), runDescribed("f"), runInFormats("f", 1, 0, 0, 0), runLimited("f"))) {
        expectTheSame(fetch, begin, end, use, use);
        expectTheSame(fetch, run("f"), together(begin, end, use, use));
      }
    }
    Messages refused = new Messages().query("SAVEPOINT a").query(declare).query("ROLLBACK TO a");
    expectTheSame(fetch, begin, bind, refused, run("f"), runInFormats("f", 1, 0));
    expectTheSame(fetch, run("f"), together(begin, bind, refused, run("f"), runDescribed("f")));
  }

  @Test
  void aFetchOfAPortalThatWritesGivesNoColumnsOfOthers() throws Exception {
    HiddenSchema.fill();
    CaptureConfig config = CaptureConfig.of("any", new ObservedTables(List.of()));
    try (TestRelay relay = new TestRelay(DatabaseScenario.database.port(), config, sink)) {
      List<String> told =
          WireComparison.talk(
              relay.port(),
              parse("f", "FETCH ALL FROM p"),
              new Messages().query("BEGIN").parse("", WRITE).bind("p", "", NONE).sync(),
              run("f"));
      assertThat(told).contains("C FETCH 1\\0").noneMatch(line -> line.startsWith("D "));
    }
  }

  @Test
  void aNameIsReadAsTheServerReadsIt() throws Exception {
    String most = "x".repeat(63);
    String accents = "\u00e9".repeat(31);
    String[][] names = {
      {"d\u00e9", "U&\"d\\00E9\""},
      {"one", "u&\"!006fne\" UESCAPE '!'"},
      {"one", "-- a \r one"},
      {"one", "/* a /* b */ c */ one"},
      {most + "y", most},
      {most, most + "yz"},
      {most, "\"" + most + "yz\""},
      {accents, accents + "\u00e9"},
      {accents + "\u00e9", accents + "\u00e9"}
    };
    for (String[] name : names) {
      expectTheSame(
          parse(name[0], READ),
          parse("x", "EXECUTE " + name[1]),
          run("x"),
          runInFormats("x", 1, 0),
          new Messages().query("EXECUTE " + name[1]),
          new Messages().query("DEALLOCATE " + name[1]),
          new Messages().query("PREPARE " + name[1] + " AS SELECT 1, 2, 3, 4"),
          run(name[0]),
          run("x"));
    }
  }

  @Test
  void namesOfTheProtocolThatBeginAlikeAreOne() throws Exception {
    String most = "x".repeat(63);
    expectTheSame(
        parse(most + "y", READ),
        run(most),
        runInFormats(most + "z", 1, 0),
        new Messages().about((byte) 'D', 'S', most).sync(),
        new Messages().bind(most + "y", most, NONE, 1, 0).execute(most + "z", 0).sync(),
        new Messages().about((byte) 'C', 'S', most + "z").parse(most, "SELECT 1, 2, 3, 4").sync(),
        run(most + "y"));
  }

  @Test
  void aNameThatIsGoneUnseenIsRefused() throws Exception {
    Messages gone = new Messages().query("DEALLOCATE one; PREPARE two AS SELECT 1");
    expectTheSame(parse("one", READ), gone, run("one"), runDescribed("one"), parse("one", WRITE));
    expectTheSame(together(parse("one", READ), gone, run("one"), run("one"), run("two")));
    expectTheSame(
        parse("one", READ), parse("x", "EXECUTE one"), gone, run("x"), runInFormats("x", 1, 1));
  }
}
