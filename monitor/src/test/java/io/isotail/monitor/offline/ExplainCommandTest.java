package io.isotail.monitor.offline;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.cli.Main;
import io.isotail.monitor.render.AnomalyDocument;
import io.isotail.monitor.render.AnomalyJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code isotail explain} on files. */
final class ExplainCommandTest {
  private static final String FRACTURED =
      "w(1,1,0,0)\nw(2,1,0,0)\nw(1,2,0,1)\nw(2,2,0,1)\nr(1,1,1,0)\nr(2,2,1,0)\n";

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void anAnomalysDocumentIsToldInWords() throws IOException {
    Path file = document();
    assertThat(run("explain", file.toString())).as(err.toString()).isZero();
    assertThat(out.toString())
        .startsWith("An effect was seen without its cause\n")
        .contains("causality-violation (G-single) violates causal")
        .contains(
            "promised   postgresql:repeatable-read, which is documented to give"
                + " snapshot-isolation")
        .contains("s3/31  committed, at postgresql:repeatable-read")
        .contains("session s3, service reporting, on reporting-0, database db-1:5432, pid 4713")
        .contains("read    account[y]=5  SELECT id, balance, version FROM account WHERE id = ?")
        .contains("s1/12 -> s2/7  wr x\n    s2/7 read x=4, which s1/12 wrote")
        .contains("At which levels this is possible: isotail explore --anomaly ")
        .doesNotContain("\u001b");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aCapsuleIsCheckedAndItsWeakestBrokenLevelShown() throws IOException {
    String lines =
        SampleAnomalies.lostUpdate("a", "h").capsule().stream()
            .map(AnomalyJson::capsuleLine)
            .collect(Collectors.joining("\n"));
    Path capsule = file("a.jsonl", lines);
    assertThat(run("explain", "--open", capsule.toString())).as(err.toString()).isZero();
    assertThat(out.toString())
        .startsWith("An update was lost\n")
        .contains("violates snapshot-isolation")
        .contains("s1/3", "s2/9", "both read account[balance]=7");
    assertThat(err.toString()).contains("taken as an open history");
  }

  @Test
  void aHistoryIsClosedAsForCheckUnlessItIsSaidToBeOpen() throws IOException {
    Path history = file("h.jsonl", "{\"session\":\"s\",\"txn\":1,\"ops\":[[\"r\",\"x\",7]]}\n");
    assertThat(run("check", history.toString())).isEqualTo(ExitCode.VIOLATION);
    assertThat(run("explain", history.toString())).isZero();
    assertThat(out.toString()).contains("thin-air-read");
    assertThat(err.toString()).contains("taken as a closed history, as 'check' takes it");
    assertBad(
        "--open " + history, "found 1 transactions that prove no violation as an open history");
  }

  @Test
  void aSmallHistoryOfAnyFormatIsShownToo() throws IOException {
    assertThat(run("explain", file("fractured.txt", FRACTURED).toString())).isZero();
    assertThat(out.toString())
        .contains("fractured-read (G-single) violates read-atomic", "0/1 -> 0/0  co 1");
  }

  @Test
  void whatCheckPrintedIsReadAndOneOfItChosen() throws IOException {
    Path history =
        file(
            "two.txt",
            FRACTURED + "w(7,1,4,0)\nw(8,1,4,0)\nw(7,2,4,1)\nw(8,2,4,1)\nr(7,1,5,0)\nr(8,2,5,0)\n");
    run("check", "--json", history.toString());
    Path checked = file("checked.json", out.toString());
    out.getBuffer().setLength(0);
    assertThat(run("explain", checked.toString())).as(err.toString()).isZero();
    assertThat(err.toString()).contains("more there: ").contains("--anomaly ID shows another");
    String other = err.toString().replaceAll("(?s).*more there: ([0-9a-f]+).*", "$1");
    out.getBuffer().setLength(0);
    assertThat(run("explain", "--anomaly", other, checked.toString())).isZero();
    assertThat(out.toString()).contains("id         " + other);
    assertThat(run("explain", "--anomaly", "none", checked.toString())).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("found no anomaly none; expected one of [");
  }

  @Test
  void drawingsAreWrittenToAFileOrToStandardOutput() throws IOException {
    Path file = document();
    Path svg = folder.resolve("a.svg");
    assertThat(run("explain", "--format=svg", "--out=" + svg, file.toString())).isZero();
    assertThat(out.toString()).isEmpty();
    assertThat(svg).content(StandardCharsets.UTF_8).startsWith("<?xml").contains("s2/7");
    assertThat(run("explain", "--format=dot", file.toString())).isZero();
    assertThat(out.toString()).startsWith("digraph witness {").contains("\"s1/12\" -> \"s2/7\"");
    assertThat(run("explain", "--out=" + folder.resolve("no/such/folder"), file.toString()))
        .isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("--out ").contains("cannot be written");
  }

  @Test
  void coloursAreForTerminalsAloneUnlessAskedFor() throws IOException {
    String file = document().toString();
    assertThat(run("explain", "--color=always", file)).isZero();
    assertThat(out.toString()).startsWith("\u001b[1mAn effect was seen without its cause\u001b[0m");
    out.getBuffer().setLength(0);
    Path text = folder.resolve("a.txt");
    assertThat(run("explain", "--color=always", "--out=" + text, file)).isZero();
    assertThat(text).content().doesNotContain("\u001b");
    assertThat(run("explain", "--color=always", "--format=svg", file)).isZero();
    assertThat(out.toString()).doesNotContain("\u001b");
    assertThat(run("explain", "--color=blue", file)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("found 'blue'; expected auto, always or never");
  }

  @Test
  void namesCannotCommandTheTerminal() throws IOException {
    Path file = file("hostile.json", json(SampleAnomalies.hostileThinAirRead("a")));
    assertThat(run("explain", file.toString())).isZero();
    assertThat(out.toString()).contains("\\u0007", "Evidence: ").doesNotContain("\u0007");
  }

  @Test
  void whatCannotBeShownIsSaidWithWhatWasFoundAndExpected() throws IOException {
    assertBad("no/such/file", "no/such/file: found nothing there; expected a file, or the id of");
    assertBad(
        file("good.txt", "w(1,1,0,0)\nr(1,1,1,0)\n").toString(),
        "found 2 transactions that prove no violation as a closed history; expected a capsule");
    assertBad(
        file("list.json", "{\"anomalies\":[]}").toString(), "found a list without an anomaly");
    assertBad(
        file("api.json", "{\"anomalies\":[{\"id\":\"77\",\"anomaly\":\"x\"}]}").toString(),
        "found a list of anomalies without their transactions");
    assertBad(
        file("cause.json", "{\"cause\":\"c\",\"simplest\":\"55\"}").toString(),
        "found a cause; expected an anomaly, such as its simplest one: isotail explain 55");
    assertBad(file("other.json", "{\"a\":1}").toString(), "found JSON that is neither");
    assertBad(file("text.txt", "good morning\n").toString(), "expected ");
    assertBad(file("broken.json", "{\"anomaly\":\"x\",").toString(), "expected ");
    assertBad("--url=ftp://here 0a0b", "--url ftp://here is no address of a monitor");
    assertBad("--password-file=/no/such 0a0b", "--password-file /no/such: found nothing there");
    assertBad("--user=ops 0a0b", "found no password of user ops");
    assertBad("--cacert=/no/such 0a0b", "--cacert /no/such: found nothing there");
  }

  @Test
  void aMonitorThatIsNotThereIsNamedWithTheCause() {
    assertBad(
        "--url=http://127.0.0.1:1 00c0ffee",
        "00c0ffee is no file here, and no monitor answers at http://127.0.0.1:1: connection"
            + " refused");
    assertBad(
        "http://host.invalid:9617/anomalies/00c0ffee",
        "isotail explain: no monitor answers at http://host.invalid:9617: no such host name");
  }

  @Test
  void thePagesAddressNamesTheMonitorAndTheId() {
    assertThat(ExplainSource.Asked.of("http://h:1/anomalies/ab?history=x"))
        .isEqualTo(new ExplainSource.Asked("http://h:1", "ab"));
    assertThat(ExplainSource.Asked.of("https://h/isotail/api/anomalies/ab/capsule.jsonl"))
        .isEqualTo(new ExplainSource.Asked("https://h/isotail", "ab"));
    assertThat(ExplainSource.Asked.of("http://h:1/causes/cd"))
        .isEqualTo(new ExplainSource.Asked("http://h:1", "cd"));
    assertThat(ExplainSource.Asked.of("ab")).isEqualTo(new ExplainSource.Asked(null, "ab"));
  }

  private void assertBad(String arguments, String words) {
    err.getBuffer().setLength(0);
    assertThat(run(("explain " + arguments).split(" "))).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).startsWith("isotail explain: ").contains(words);
    assertThat(err.toString()).doesNotContain("\tat ");
  }

  private Path document() throws IOException {
    return file("anomaly.json", json(SampleAnomalies.causality("a")));
  }

  private static String json(io.isotail.incremental.anomaly.Anomaly anomaly) {
    return new String(AnomalyDocument.bytes(anomaly, 1_000, 0), StandardCharsets.UTF_8);
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private int run(String... arguments) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }
}
