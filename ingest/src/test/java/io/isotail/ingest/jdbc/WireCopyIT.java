package io.isotail.ingest.jdbc;

import static io.isotail.ingest.jdbc.WireComparison.NONE;
import static io.isotail.ingest.jdbc.WireComparison.expectTheSame;
import static io.isotail.ingest.jdbc.WireComparison.parse;
import static io.isotail.ingest.jdbc.WireComparison.run;
import static io.isotail.ingest.jdbc.WireComparison.together;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.postgres.RawClient.Messages;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A Sync among the rows of {@code COPY … FROM STDIN}: the server takes no notice of it, unless it
 * has refused a row before.
 */
class WireCopyIT {
  private static final String COPY = "COPY acc (k, v) FROM STDIN";
  private static final String GOOD = "200\t1\n";
  private static final String BAD = "x\ty\n";
  private static final String THERE = "1\t1\n";

  private final RecordingSink sink = new RecordingSink();

  @BeforeAll
  static void makeSchema() throws Exception {
    HiddenSchema.make();
  }

  private static Messages copy() {
    return new Messages().parse("", COPY).bind("", "", NONE).execute("", 0);
  }

  private static Messages query() {
    return new Messages().query(COPY);
  }

  /** What follows the copy has its own answers, sent with it and later. */
  private void expect(Messages copy) throws Exception {
    Messages read = parse("one", "SELECT v, w FROM acc WHERE k = 1");
    Messages readInFormats = new Messages().bind("", "one", NONE, 1, 0).execute("", 0).sync();
    Messages begin = new Messages().query("BEGIN");
    Messages end = new Messages().query("ROLLBACK");
    sink.clear();
    expectTheSame(sink, read, copy, run("one"), readInFormats);
    assertThat(sink.described()).filteredOn(told -> told.contains("r1=")).hasSize(2);
    expectTheSame(sink, read, together(copy, run("one"), readInFormats), run("one"));
    expectTheSame(sink, read, begin, copy, run("one"), end, run("one"));
    expectTheSame(sink, read, begin, together(copy, run("one"), end, run("one")), run("one"));
  }

  @Test
  void aSyncBehindARowThatIsRefusedIsAnswered() throws Exception {
    expect(copy().copyData(BAD).sync().copyData(GOOD).copyDone().sync());
    expect(copy().copyData(BAD).sync().sync().copyData(GOOD).sync().copyFail().sync());
    expect(copy().copyData(GOOD).syncInCopy().copyData(BAD).sync().copyDone());
    expect(query().copyData(BAD).sync().copyData(GOOD).copyDone());
    expect(query().copyData(GOOD).syncInCopy().copyData(BAD).sync().copyDone());
  }

  @Test
  void aSyncBeforeARowThatIsRefusedIsNot() throws Exception {
    expect(copy().copyData(GOOD).syncInCopy().copyData(BAD).copyDone().sync());
    expect(copy().syncInCopy().copyData(BAD).copyDone().sync());
    expect(copy().syncInCopy().copyData(THERE).syncInCopy().copyDone().sync());
    expect(copy().syncInCopy().copyData(GOOD).copyFail().sync());
    expect(query().copyData(GOOD).syncInCopy().copyData(BAD).copyDone());
    expect(query().copyData(THERE).syncInCopy().copyDone());
  }

  @Test
  void whatFollowsACopyThatWasRefusedIsSkippedToTheNextSync() throws Exception {
    Messages skipped = new Messages().bind("", "one", NONE).execute("", 0);
    for (Messages copy :
        List.of(
            copy().copyData(GOOD).syncInCopy().copyData(BAD).copyDone(),
            copy().syncInCopy().copyData(THERE).syncInCopy().copyDone())) {
      expect(together(copy, skipped).sync());
      expect(together(copy, skipped).skippedQuery("SELECT 1").sync());
    }
  }

  @Test
  void aSyncAmongRowsThatAreCopiedIsNotAnswered() throws Exception {
    expect(copy().syncInCopy().copyData(GOOD).syncInCopy().copyDone().sync());
    expect(copy().copyData(GOOD).syncInCopy().copyData("201\t1\n").copyDone().sync());
    expect(query().copyData(GOOD).syncInCopy().copyDone());
    expect(new Messages().query("SELECT 1; " + COPY).copyData(GOOD).syncInCopy().copyDone());
  }
}
