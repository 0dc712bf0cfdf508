package io.isotail.ingest.cost;

import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.sandbox.BrokerProcess;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Prints, for each workload and level, what the driver costs, as rows of a Markdown table; fails if
 * it did not record all transactions. PostgreSQL and the broker are processes of their own on the
 * same machine.
 */
public final class CostCampaign {
  private static final List<Workload> WORKLOADS =
      List.of(new SmallBank(), new PointReads(), new Orders());
  private static final List<String> LEVELS =
      List.of("serializable", "repeatable-read", "read-committed");

  private CostCampaign() {}

  /**
   * Runs it.
   *
   * @param arguments pairs of turns, pairs to warm up, milliseconds of a turn, threads, workloads
   *     and levels by name with commas between them
   */
  public static void main(String[] arguments) throws Exception {
    int pairs = Integer.parseInt(arguments[0]);
    int warmUp = Integer.parseInt(arguments[1]);
    long turnNanos = TimeUnit.MILLISECONDS.toNanos(Integer.parseInt(arguments[2]));
    int threads = Integer.parseInt(arguments[3]);
    List<String> workloads = List.of(arguments[4].split(",", -1));
    List<String> levels = List.of(arguments[5].split(",", -1));
    Path data = Files.createTempDirectory("isotail-cost-");
    try (EmbeddedDatabase database = EmbeddedDatabase.start();
        BrokerProcess broker = BrokerProcess.start(data)) {
      System.out.println(
          "| workload | level | plain, tx/s | isotail, tx/s | throughput | CPU plain, µs/tx"
              + " | CPU isotail, µs/tx | CPU | retries |");
      System.out.println("|---|---|---|---|---|---|---|---|---|");
      for (Workload workload : WORKLOADS) {
        if (!workloads.contains(workload.name())) {
          continue;
        }
        makeTables(database, workload);
        for (String level : LEVELS) {
          if (!levels.contains(level)) {
            continue;
          }
          String history = workload.name() + "-" + level;
          String isotail =
              database.jdbcUrl().replace("jdbc:", "jdbc:isotail:")
                  + "&isotail.key=cost-campaign-secret&isotail.history="
                  + history
                  + "&isotail.kafka="
                  + broker.bootstrapServers();
          long committed;
          Properties properties = new Properties();
          properties.setProperty("options", "-c search_path=" + schema(workload));
          try (Comparison comparison =
              new Comparison(
                  database.jdbcUrl(), isotail, properties, workload, jdbc(level), threads)) {
            committed = isotail(comparison.run(warmUp, turnNanos));
            List<Comparison.Pair> measured = comparison.run(pairs, turnNanos);
            committed += isotail(measured);
            print(workload, level, measured);
          }
          IsotailDriver.shutDown();
          Recorded recorded = Recorded.of(broker.bootstrapServers(), history);
          System.err.printf("%s: %s%n", history, recorded);
          if (!recorded.whole() || recorded.committed() < committed) {
            throw new IllegalStateException(
                "%s: not what it costs to record %d transactions: %s"
                    .formatted(history, committed, recorded));
          }
        }
      }
    }
  }

  private static long isotail(List<Comparison.Pair> pairs) {
    return pairs.stream().mapToLong(pair -> pair.isotail().transactions()).sum();
  }

  private static String schema(Workload workload) {
    return workload.name().replace('-', '_');
  }

  private static int jdbc(String level) {
    return switch (level) {
      case "serializable" -> Connection.TRANSACTION_SERIALIZABLE;
      case "repeatable-read" -> Connection.TRANSACTION_REPEATABLE_READ;
      default -> Connection.TRANSACTION_READ_COMMITTED;
    };
  }

  private static void makeTables(EmbeddedDatabase database, Workload workload) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA " + schema(workload));
      statement.execute("SET search_path = " + schema(workload));
      for (String table : workload.tables()) {
        statement.execute(table);
      }
      statement.execute("VACUUM ANALYZE");
    }
  }

  private static void print(Workload workload, String level, List<Comparison.Pair> pairs) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %.0f | %.0f | %.3f (%.3f to %.3f) | %.1f | %.1f | %+.1f %% | %d and %d |%n",
        workload.name(),
        level,
        part(pairs, 0.5, pair -> pair.plain().perSecond()),
        part(pairs, 0.5, pair -> pair.isotail().perSecond()),
        part(pairs, 0.5, Comparison.Pair::throughput),
        part(pairs, 0.25, Comparison.Pair::throughput),
        part(pairs, 0.75, Comparison.Pair::throughput),
        part(pairs, 0.5, pair -> pair.plain().cpuMicros()),
        part(pairs, 0.5, pair -> pair.isotail().cpuMicros()),
        100 * (part(pairs, 0.5, Comparison.Pair::cpu) - 1),
        pairs.stream().mapToLong(pair -> pair.plain().retries()).sum(),
        pairs.stream().mapToLong(pair -> pair.isotail().retries()).sum());
  }

  /** The value below which this part of all is. */
  private static double part(
      List<Comparison.Pair> pairs, double part, ToDoubleFunction<Comparison.Pair> of) {
    double[] sorted = pairs.stream().mapToDouble(of).sorted().toArray();
    return sorted[(int) (part * (sorted.length - 1))];
  }
}
