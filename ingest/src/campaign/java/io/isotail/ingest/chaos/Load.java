package io.isotail.ingest.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The clients: processes with ledgers, and pgbench with and without new connections for each
 * transaction. What has ended, by whatever cause, is started again until the load is over. For one
 * thread.
 */
final class Load {
  private static final int LEDGER_CLIENTS = 3;
  private static final int THREADS = 3;
  private static final int PGBENCHES = 2;
  private static final Pattern PROCESSED =
      Pattern.compile("number of transactions actually processed: (\\d+).*");

  private final Path bin;
  private final Path work;
  private final long seed;
  private final int[] ports;
  private final Program[] clients = new Program[LEDGER_CLIENTS];
  private final Program[] benches = new Program[PGBENCHES];
  private int clientNumber;
  private int benchNumber;

  Load(Path bin, Path work, long seed, int... ports) {
    this.bin = bin;
    this.work = work;
    this.seed = seed;
    this.ports = ports;
  }

  /** Makes the tables of pgbench, past the proxies. */
  void prepare(int serverPort) throws IOException, InterruptedException {
    Program.run(work.resolve("pgbench.log"), pgbench(serverPort, "-i", "-q", "-s", "20"));
  }

  /** Starts what does not run. */
  void keepUp() throws IOException {
    for (int i = 0; i < clients.length; i++) {
      if (clients[i] == null || !clients[i].isAlive()) {
        clients[i] = client(++clientNumber);
      }
    }
    for (int i = 0; i < benches.length; i++) {
      if (benches[i] == null || !benches[i].isAlive()) {
        benches[i] = bench(i, ++benchNumber);
      }
    }
  }

  private Program client(int number) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ChaosClient.class.getName(),
                work.resolve("ledger-" + number).toString(),
                Integer.toString(number),
                Long.toString(seed + number),
                Integer.toString(THREADS)));
    for (int port : ports) {
      command.add(Integer.toString(port));
    }
    return Program.start(work.resolve("clients.log"), Map.of(), command);
  }

  private Program bench(int which, int number) throws IOException {
    int port = ports[number % ports.length];
    String mode = List.of("simple", "extended", "prepared").get(number % 3);
    List<String> arguments =
        new ArrayList<>(
            List.of("-n", "-c", "2", "-T", "20", "--max-tries=20", "--rate=60", "-M", mode));
    if (which == 0) {
      arguments.add("-C");
    }
    return Program.start(
        work.resolve("pgbench.log"),
        Map.of("PGOPTIONS", "-c default_transaction_isolation=serializable"),
        pgbench(port, arguments.toArray(String[]::new)));
  }

  private List<String> pgbench(int port, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                bin.resolve("pgbench").toString(),
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(port),
                "-U",
                "postgres"));
    command.addAll(List.of(arguments));
    command.add("postgres");
    return command;
  }

  void killClient(Random random) {
    clients[random.nextInt(clients.length)].kill();
  }

  void killBench(Random random) {
    benches[random.nextInt(benches.length)].kill();
  }

  /** Ends all clients in good order. */
  void stop() throws IOException, InterruptedException {
    for (Program client : clients) {
      client.closeInput();
    }
    for (Program bench : benches) {
      bench.stop();
    }
    for (Program client : clients) {
      client.await();
    }
  }

  /** Processes of clients that were started. */
  int clients() {
    return clientNumber;
  }

  /** What all clients were told. */
  Map<Long, Ledger.Entry> ledger() throws IOException {
    Map<Long, Ledger.Entry> entries = new TreeMap<>();
    for (int i = 1; i <= clientNumber; i++) {
      Path file = work.resolve("ledger-" + i);
      if (Files.exists(file)) {
        Ledger.read(file, entries);
      }
    }
    return entries;
  }

  /** Errors that clients met and that no disturbance explains. */
  List<String> unexpected() throws IOException {
    try (Stream<String> lines = Files.lines(work.resolve("clients.log"))) {
      return lines
          .filter(line -> line.startsWith(ChaosClient.UNEXPECTED) || line.contains("Exception in"))
          .toList();
    }
  }

  /** Transactions that pgbench reported when it ended. */
  long processedByBenches() throws IOException {
    try (Stream<String> lines = Files.lines(work.resolve("pgbench.log"))) {
      return lines
          .map(PROCESSED::matcher)
          .filter(Matcher::matches)
          .mapToLong(matcher -> Long.parseLong(matcher.group(1)))
          .sum();
    }
  }
}
