package io.isotail.monitor.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.incremental.Checker;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.format.ElleFormat;
import io.isotail.monitor.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Lists that no level allows, in every form in which they can be told. */
class ListHistoriesTest {
  @TempDir private Path folder;

  /** An outcome and the micro-operations of each transaction, as in EDN; the anomaly. */
  static Stream<Arguments> histories() {
    return Stream.of(
        arguments(
            "fail [:append 1 1]; ok [:append 1 2]; ok [:r 1 [1 2]]",
            "read-committed aborted-read G1a"),
        arguments("ok [:append 1 1]; ok [:r 1 [7 1]]", "read-committed thin-air-read null"),
        arguments("ok [:append 1 1]; ok [:r 1 [1 1]]", "read-committed duplicate-element null"),
        arguments(
            "ok [:append 1 1] [:append 1 3]; ok [:append 1 2]; ok [:r 1 [1 3 2]]; ok [:r 1 [3]]",
            "read-committed intermediate-read G1b"),
        arguments(
            "ok [:append 1 1]; fail [:append 1 99]; ok [:append 1 2]; ok [:r 1 [1 99 2]]",
            "read-committed aborted-read G1a"),
        arguments(
            "ok [:append 1 1]; ok [:append 1 2]; ok [:r 1 [1 77 2]]",
            "read-committed thin-air-read null"),
        arguments(
            "ok [:append 1 1] [:append 1 5]; ok [:append 1 2]; ok [:r 1 [1 2]]",
            "read-committed intermediate-read G1b"),
        arguments(
            "ok [:append 1 1]; ok [:r 1 [1]] [:append 1 2] [:r 1 [2]]",
            "read-committed internal-read null"),
        arguments(
            "ok [:append 1 1]; ok [:append 1 2]; ok [:r 1 [1 2]]; ok [:r 1 [2 1]]",
            "read-atomic incompatible-order null"),
        arguments(
            "ok [:append 1 1]; ok [:append 1 2]; ok [:append 1 3]; ok [:r 1 [1 2]]; ok [:r 1 [2 1 3]]",
            "read-atomic incompatible-order null"));
  }

  @ParameterizedTest
  @MethodSource("histories")
  void areToldFromEveryFile(String history, String expected) throws Exception {
    Path edn = Files.writeString(folder.resolve("h.edn"), edn(history));
    assertThat(checked(edn)).isEqualTo(expected);
    Path jsonl = folder.resolve("h.jsonl");
    assertThat(
            run(new StringWriter(), "convert", "--to", "jsonl", edn.toString(), jsonl.toString()))
        .isZero();
    assertThat(checked(jsonl)).isEqualTo(expected);
    if (!history.contains("fail")) {
      Path chronos = Files.writeString(folder.resolve("h.json"), chronos(history));
      assertThat(checked(chronos, "--format", "chronos")).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("histories")
  void areToldFromTheStream(String history, String expected) throws Exception {
    Path edn = Files.writeString(folder.resolve("h.edn"), edn(history));
    List<Anomaly> anomalies = new ArrayList<>();
    Checker checker =
        new Checker(
            CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE),
            new AnomalyListener() {
              @Override
              public void found(Anomaly anomaly) {
                anomalies.add(anomaly);
              }

              @Override
              public void repeated(String id, long occurrences) {}
            });
    long offset = 0;
    for (TransactionRecord read : read(edn)) {
      for (StreamRecord record : EventCodec.decode(EventCodec.encode(read))) {
        checker.accept(offset, 0, record);
      }
      offset++;
    }
    checker.finish();
    Anomaly first = anomalies.get(0);
    assertThat(first.level() + " " + first.kind() + " " + first.adya()).isEqualTo(expected);
  }

  /** Level, name and label of the first anomaly; the judge and its second opinion are asked too. */
  private String checked(Path file, String... format) throws Exception {
    StringWriter out = new StringWriter();
    List<String> args = new ArrayList<>(List.of("check", "--json"));
    args.addAll(List.of(format));
    args.add(file.toString());
    assertThat(run(out, args.toArray(String[]::new))).as(out.toString()).isEqualTo(1);
    args.set(1, "--judge");
    StringWriter judged = new StringWriter();
    run(judged, args.toArray(String[]::new));
    assertThat(judged.toString()).doesNotContain("differs");
    assertThat(judged.toString().contains("violated"))
        .as("judge: %s", judged)
        .isNotEqualTo(out.toString().contains("thin-air-read"));
    JsonNode told = new ObjectMapper().readTree(out.toString().lines().findFirst().orElseThrow());
    JsonNode first = told.get("anomalies").get(0);
    return "%s %s %s"
        .formatted(
            first.get("level").asText(),
            first.get("anomaly").asText(),
            first.get("adya").asText("null"));
  }

  private static List<TransactionRecord> read(Path file) throws Exception {
    List<TransactionRecord> read = new ArrayList<>();
    new ElleFormat().read(file, (line, transaction) -> read.add(transaction));
    return read;
  }

  private static int run(StringWriter out, String... args) {
    StringWriter err = new StringWriter();
    int status = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    out.append(err.toString());
    return status;
  }

  private static String edn(String history) {
    StringBuilder text = new StringBuilder();
    for (String transaction : history.split("; ")) {
      String[] parts = transaction.split(" ", 2);
      text.append("{:type :%s, :f :txn, :value [%s]}\n".formatted(parts[0], parts[1]));
    }
    return text.toString();
  }

  /** Each transaction of a session of its own. */
  private static String chronos(String history) {
    List<String> transactions = new ArrayList<>();
    for (String transaction : history.split("; ")) {
      String ops =
          transaction
              .substring(transaction.indexOf('['))
              .replaceAll("\\[:append (\\d+) (\\d+)\\]", "{\"t\":\"a\",\"k\":$1,\"v\":$2}")
              .replaceAll("\\[:r (\\d+) (\\[[^\\]]*\\])\\]", "{\"t\":\"r\",\"k\":$1,\"v\":<$2>}")
              .replace("} {", "},{");
      while (ops.matches(".*<\\[[^>]* [^>]*>.*")) {
        ops = ops.replaceAll("(<\\[[^> ]*) ", "$1,");
      }
      transactions.add(
          "{\"sid\":%d,\"ops\":[%s]}"
              .formatted(transactions.size(), ops.replace("<", "").replace(">", "")));
    }
    return "[" + String.join(",\n", transactions) + "]";
  }
}
