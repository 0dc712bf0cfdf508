package io.isotail.monitor.databases;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What mini-transactions find beside general ones on registers and beside lists that are appended
 * to [1], on three databases of which it is known what they let happen.
 *
 * <p>[1] Mini-transactions for checking strong isolation levels, section V-F2.
 */
class WorkloadComparison {
  private static final int SESSIONS = 8;
  private static final int KEYS = 20;

  private final Path root = Path.of(System.getProperty("isotail.databases.root"));
  private final Path work = root.resolve("target/workloads");

  /** When a workload ends that does not commit as many. */
  private final int seconds = Integer.getInteger("isotail.databases.seconds", 60);

  private final int transactions = Integer.getInteger("isotail.databases.transactions", 5_000);
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
      for (String workload : List.of("mini", "general", "list-append")) {
        Cell cell = new Cell(name, isolation, promise, workload);
        JsonNode found =
            new CellRun(root.resolve("deploy/isotail"), work, seconds, seed)
                .with("--keys=" + KEYS, "--sessions=" + SESSIONS, "--rate=0", "--no-cuts")
                .with("--operations=4", "--transactions=" + transactions)
                .run(cell, system, server);
        row(
            cell,
            found.path("transactions").path("committed").asLong(),
            found.path("anomaliesTotal").asLong());
      }
    }
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
