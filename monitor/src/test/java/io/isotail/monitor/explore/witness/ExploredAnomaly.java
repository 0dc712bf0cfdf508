package io.isotail.monitor.explore.witness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.incremental.Checker;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.monitor.cli.Main;
import io.isotail.monitor.render.WitnessReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Anomalies of small histories, and {@code isotail explore --anomaly} of them. */
public final class ExploredAnomaly {
  private static final String STATED = ",{\"table\":\"t\",\"statement\":\"%s\"}]";

  private ExploredAnomaly() {}

  /** What a command printed. */
  record Said(int status, String out, String err) {}

  static Said run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new Said(status, out.toString(), err.toString());
  }

  /** The first anomaly that {@code check} finds in a history in isotail's own format. */
  static Said explored(Path folder, List<String> lines, String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of("explore", "--anomaly"));
    all.add(checked(folder, lines).path("id").asText());
    all.add(folder.resolve("out.json").toString());
    all.addAll(List.of(options));
    return run(all.toArray(String[]::new));
  }

  /** That anomaly itself. */
  public static Anomaly anomaly(Path folder, List<String> lines) throws Exception {
    return WitnessReader.read(checked(folder, lines)).anomaly();
  }

  /** All anomalies of a history up to serializable. */
  public static List<Anomaly> anomalies(List<TransactionRecord> history) {
    List<Anomaly> found = new ArrayList<>();
    Checker checker =
        new Checker(
            CheckerConfig.forFile("random", IsolationLevel.SERIALIZABLE),
            new AnomalyListener() {
              @Override
              public void found(Anomaly anomaly) {
                found.add(anomaly);
              }

              @Override
              public void repeated(String id, long count) {
                // Once is enough.
              }
            });
    for (int i = 0; i < history.size(); i++) {
      checker.accept(i, 0, history.get(i));
    }
    checker.finish();
    return found;
  }

  private static JsonNode checked(Path folder, List<String> lines) throws IOException {
    Path history = Files.writeString(folder.resolve("history.jsonl"), String.join("\n", lines));
    Said checked = run("check", "--json", "--promise=strict-serializable", history.toString());
    Files.writeString(folder.resolve("out.json"), checked.out());
    JsonNode anomaly = new ObjectMapper().readTree(checked.out()).path("anomalies").path(0);
    assertThat(anomaly.isObject()).as(checked.out() + checked.err()).isTrue();
    return anomaly;
  }

  /** A line of a history: a transaction that committed. */
  public static String transaction(String session, int number, String level, String... ops) {
    return "{\"session\":\"%s\",\"txn\":%d,\"level\":\"%s\",\"outcome\":\"committed\",\"ops\":[%s]}"
        .formatted(session, number, level, String.join(",", ops));
  }

  /** A read; of the initial version where that is null. */
  public static String read(int key, Integer version) {
    return "[\"r\",%d,%s]".formatted(key, version);
  }

  /** A write. */
  public static String write(int key, int version) {
    return "[\"w\",%d,%d]".formatted(key, version);
  }

  /** The operation, by a statement. */
  static String stated(String operation, String statement) {
    return operation.substring(0, operation.length() - 1) + STATED.formatted(statement);
  }

  static List<String> lostUpdate(String one, String other) {
    return List.of(
        transaction("a", 1, one, read(1, null), write(1, 10)),
        transaction("b", 2, other, read(1, null), write(1, 11)));
  }
}
