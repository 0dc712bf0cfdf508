package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForecastCommandTest {
  private static final String SELL =
      """
      {"session":"%s","txn":1,"level":"postgresql:read-committed","ops":[\
      ["r","stock 1",1,{"table":"stock","statement":"SELECT n FROM stock WHERE id = ?"}],\
      ["w","stock 1",2,{"table":"stock","statement":"UPDATE stock SET n = ? WHERE id = ?"}]]}
      """;
  private static final String RESERVE =
      """
      {"session":"%s","txn":1,"level":"postgresql:read-committed","ops":[\
      ["r","seats 1",1,{"table":"seats","statement":"SELECT free FROM seats WHERE id = ?"}],\
      ["w","seats 1",3,{"table":"seats","statement":"UPDATE seats SET free = ? WHERE id = ?"}]]}
      """;
  private static final String SAFE =
      """
      {"session":"%s","txn":1,"level":"postgresql:read-committed","ops":[\
      ["r","seats 1",1,{"table":"seats","statement":"SELECT free FROM seats WHERE id = ? FOR UPDATE"}],\
      ["w","seats 1",4,{"table":"seats","statement":"UPDATE seats SET free = ? WHERE id = ?"}]]}
      """;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }

  private String file(String name, String... transactions) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < transactions.length; i++) {
      lines.append(transactions[i].formatted("s" + i));
    }
    return Files.writeString(folder.resolve(name), lines).toString();
  }

  @Test
  void aReadBeforeAWriteIsForecast() throws Exception {
    assertThat(run("forecast", file("one.jsonl", SELL))).isEqualTo(1);
    assertThat(out.toString())
        .contains(
            "1 forecast. None of it has happened; it can.",
            "An update gets lost: stock",
            "possible at the level by its definition",
            "reads stock 1 as before",
            "add FOR UPDATE to `SELECT n FROM stock WHERE id = ?`");
  }

  @Test
  void aLockedReadIsNot() throws Exception {
    assertThat(run("forecast", file("one.jsonl", SAFE))).isEqualTo(0);
    assertThat(out.toString()).contains("No forecast.");
  }

  @Test
  void whatTheBaseHasIsNotToldAgain() throws Exception {
    String base = file("base.jsonl", SELL);
    String branch = file("branch.jsonl", SELL, RESERVE);
    assertThat(run("forecast", "--diff", base, branch)).isEqualTo(1);
    assertThat(out.toString()).contains("1 forecast.", "seats", "1 that the base has too.");
    assertThat(run("forecast", "--diff", branch, branch)).isEqualTo(0);
    assertThat(out.toString()).contains("No forecast that the base has not.");
  }

  @Test
  void aPromiseThatTheLevelKeepsIsNotBroken() throws Exception {
    assertThat(run("forecast", "--promise", "read-committed", file("one.jsonl", SELL))).isZero();
  }

  @Test
  void programsGetJsonAndSarif() throws Exception {
    String file = file("one.jsonl", SELL);
    run("forecast", "--form", "json", file);
    JsonNode json = new ObjectMapper().readTree(out.toString());
    JsonNode forecast = json.get("forecasts").get(0);
    assertThat(forecast.get("certainty").asText()).isEqualTo("possible");
    assertThat(forecast.get("order")).hasSize(6);
    assertThat(forecast.get("anomaly").get("level").asText()).isEqualTo("snapshot-isolation");
    out.getBuffer().setLength(0);
    run("forecast", "--form", "sarif", file);
    JsonNode sarif = new ObjectMapper().readTree(out.toString());
    assertThat(sarif.get("version").asText()).isEqualTo("2.1.0");
    JsonNode result = sarif.get("runs").get(0).get("results").get(0);
    assertThat(result.get("ruleId").asText()).isEqualTo("lost-update");
    assertThat(result.get("partialFingerprints").get("isotail/v1")).isEqualTo(forecast.get("id"));
  }

  @Test
  void markdownIsForAComment() throws Exception {
    run("forecast", "--form", "markdown", file("one.jsonl", SELL));
    assertThat(out.toString()).startsWith("**isotail: 1 forecast.**").contains("### ", "```text");
  }

  @Test
  void transactionsWithoutStatementsTellNothing() throws Exception {
    Path plain = folder.resolve("plain.jsonl");
    Files.writeString(
        plain, "{\"session\":\"s\",\"txn\":1,\"ops\":[[\"r\",\"x\",1],[\"w\",\"x\",2]]}\n");
    assertThat(run("forecast", plain.toString())).isEqualTo(3);
    assertThat(out.toString()).contains("1 transaction came without the texts of its statements");
  }

  @Test
  void badInputIsSaidSo() throws Exception {
    assertThat(run("forecast", folder.resolve("none.jsonl").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("found nothing there; expected a history file");
    Path bad = folder.resolve("bad.jsonl");
    Files.writeString(bad, "{\"session\":\"s\",\"txn\":1,\"ops\":[[\"q\",\"x\",1]]}\n");
    assertThat(run("forecast", bad.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("bad.jsonl");
    assertThat(run("forecast")).isEqualTo(2);
    assertThat(run("forecast", "--history", "h", bad.toString())).isEqualTo(2);
    assertThat(run("forecast", "--promise", "high", file("one.jsonl", SELL))).isEqualTo(2);
    assertThat(Arrays.asList(err.toString().split("\\R")))
        .noneMatch(line -> line.startsWith("\tat "));
  }
}
