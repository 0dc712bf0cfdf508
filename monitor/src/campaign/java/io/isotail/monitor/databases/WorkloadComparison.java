package io.isotail.monitor.databases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.incremental.level.IsolationLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What mini-transactions find beside general ones on registers and beside lists that are appended
 * to [1], on three databases of which it is known what they let happen.
 *
 * <p>[1] Mini-transactions for checking strong isolation levels, section V-F2.
 */
class WorkloadComparison {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SESSIONS = 8;
  private static final int KEYS = 20;

  private final Path root = Path.of(System.getProperty("isotail.databases.root"));
  private final Path work = root.resolve("target/workloads");
  private final int seconds = Integer.getInteger("isotail.databases.seconds", 20);
  private final long seed = Long.getLong("isotail.databases.seed", 1);
  private final StringBuilder table =
      new StringBuilder(
          """
          | database | level | held to | transactions | committed | anomalies | per 1,000 committed |
          |---|---|---|---|---|---|---|
          """);

  @Test
  void run() throws Exception {
    Files.createDirectories(work);
    on("postgresql-12.6", "repeatable-read", "serializable");
    on("mariadb", "repeatable-read", "snapshot-isolation");
    on("h2", "serializable", "serializable");
    Files.writeString(work.resolve("table.md"), table);
  }

  private void on(String name, String isolation, String promise) throws Exception {
    DatabaseSystem system = DatabaseSystem.named(name);
    try (DatabaseServer server = system.start().with(root.resolve("monitor/target/servers"))) {
      for (String workload : List.of("mini", "general")) {
        Cell cell = new Cell(name, isolation, promise, workload);
        JsonNode found =
            new CellRun(root.resolve("deploy/isotail"), work, seconds, seed)
                .with("--keys=" + KEYS, "--sessions=" + SESSIONS, "--rate=0", "--no-cuts")
                .with("--operations=4")
                .run(cell, system, server);
        row(
            cell,
            found.path("transactions").path("committed").asLong(),
            found.path("anomaliesTotal").asLong());
      }
      Cell cell = new Cell(name, isolation, promise, "list-append");
      Path history = work.resolve(cell.name() + ".edn");
      ListAppends lists = new ListAppends(new SessionsAt(system, server, isolation), KEYS, seed);
      long committed = lists.run(SESSIONS, seconds, history);
      row(cell, committed, anomalies(history, promise));
    }
  }

  /** How many distinct anomalies up to a level {@code isotail check} finds in a history. */
  private long anomalies(Path history, String promise) throws IOException, InterruptedException {
    Path out = work.resolve("check.json");
    Process process =
        new ProcessBuilder(
                root.resolve("deploy/isotail").toString(),
                "check",
                "--json",
                "--promise=" + promise,
                "--level=" + levels(promise),
                history.toString())
            .redirectOutput(out.toFile())
            .redirectError(work.resolve("check.log").toFile())
            .start();
    if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() > 1) {
      process.destroyForcibly().waitFor();
      throw new IOException("check did not decide " + history + ": " + Files.readString(out));
    }
    long sum = 0;
    for (JsonNode anomaly : JSON.readTree(out.toFile()).path("causes")) {
      sum += anomaly.path("violations").asLong();
    }
    return sum;
  }

  private static String levels(String promise) {
    StringBuilder levels = new StringBuilder();
    for (IsolationLevel level : IsolationLevel.values()) {
      if (IsolationLevel.ofLabel(promise).atLeast(level)) {
        levels.append(levels.isEmpty() ? "" : ",").append(level.label());
      }
    }
    return levels.toString();
  }

  private void row(Cell cell, long committed, long anomalies) {
    String row =
        "| %s | %s | %s | %s | %,d | %,d | %.2f |"
            .formatted(
                cell.system(),
                cell.isolation(),
                cell.promise(),
                cell.workload(),
                committed,
                anomalies,
                1000.0 * anomalies / Math.max(1, committed));
    System.out.println("databases: " + row);
    table.append(row).append('\n');
  }
}
