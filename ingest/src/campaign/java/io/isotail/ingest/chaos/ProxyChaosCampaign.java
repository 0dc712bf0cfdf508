package io.isotail.ingest.chaos;

import io.isotail.incremental.record.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Kills whatever stands around two proxies, and the proxies, in an order that a seed decides; then
 * compares what clients were told, what the database has, what was recorded and what the monitor
 * found.
 */
public final class ProxyChaosCampaign {
  private static final String HISTORY = "proxy-chaos";

  /** A short queue, so that a few seconds without Kafka lose records. */
  private static final int QUEUE_RECORDS = 3_000;

  private static final int MOST_RESIDENT_MB = 512;
  private static final int CATCH_UP_SECONDS = 240;

  /** Heartbeats come all the time. */
  private static final int RECORDS_UNDER_WAY = 10;

  /** Failures of the capture itself, which a conversation survives. */
  private static final String INTERNAL_FAILURES_OF_CAPTURE =
      "isotail_proxy_capture_events_total{event=\"internal-failure\"}";

  private static final int PLANTED = 400;
  private static final int PLANTERS = 4;
  private static final int FIRST_PORT = 20_000;
  private static final int PORTS = 12_000;

  private final Path work;
  private final Random random;
  private final ChaosBroker broker;
  private final PostgresServer server;
  private final ChaosProxy[] proxies;
  private final Program monitor;
  private final int monitorPort;
  private final Load load;
  private final Findings findings = new Findings();
  private final Map<Disturbance, Integer> done = new EnumMap<>(Disturbance.class);
  private final List<String> crashed = Collections.synchronizedList(new ArrayList<>());
  private int sessionsEnded;

  private ProxyChaosCampaign(Path work, Path launcher, Path bin, long seed)
      throws IOException, InterruptedException, SQLException {
    this.work = work;
    this.random = new Random(seed);
    int serverPort = freePort();
    server = new PostgresServer(bin, work, serverPort);
    broker = new ChaosBroker(work, freePort());
    Runtime.getRuntime().addShutdownHook(new Thread(this::end));
    List<String> command =
        List.of(
            launcher.toString(),
            "proxy",
            "--upstream",
            "127.0.0.1:" + serverPort,
            "--kafka",
            broker.address(),
            "--history",
            HISTORY,
            "--set",
            "drain-ms=3000",
            "--set",
            "queue-records=" + QUEUE_RECORDS,
            "--set",
            "harmless-functions=linger");
    proxies =
        new ChaosProxy[] {
          new ChaosProxy("a", command, work, freePort(), freePort()),
          new ChaosProxy("b", command, work, freePort(), freePort())
        };
    load = new Load(bin, work, seed, proxies[0].port(), proxies[1].port());
    load.prepare(serverPort);
    try (Connection connection = DriverManager.getConnection(server.url())) {
      ChaosClient.makeTables(connection);
    }
    monitorPort = freePort();
    monitor =
        Program.start(
            work.resolve("monitor.log"),
            Map.of("JAVA_OPTS", "-Xmx3g"),
            List.of(
                launcher.toString(),
                "serve",
                "--kafka",
                broker.address(),
                "--set",
                "http.port=" + monitorPort,
                "--set",
                "histories." + HISTORY + ".promise=serializable"));
  }

  /**
   * Runs it.
   *
   * @param arguments an empty folder that the server may enter, isotail's launcher, the folder of
   *     PostgreSQL's programs, seconds of disturbances, and the seed
   */
  public static void main(String[] arguments) throws Exception {
    Path work = Path.of(arguments[0]);
    ProxyChaosCampaign campaign =
        new ProxyChaosCampaign(
            work, Path.of(arguments[1]), Path.of(arguments[2]), Long.parseLong(arguments[4]));
    campaign.disturb(Integer.parseInt(arguments[3]));
    campaign.calm();
    campaign.plant();
    campaign.compare();
    campaign.print();
    System.exit(campaign.findings.allHold() ? 0 : 1);
  }

  private void end() {
    broker.kill();
    try {
      server.crash();
    } catch (IOException | InterruptedException | IllegalStateException e) {
      // It does not run.
    }
  }

  private static int freePort() {
    Random any = new Random();
    while (true) {
      int port = FIRST_PORT + any.nextInt(PORTS);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        // Taken: try another one.
      }
    }
  }

  private void disturb(int seconds) throws IOException, InterruptedException, SQLException {
    for (ChaosProxy proxy : proxies) {
      proxy.start();
    }
    Thread looking = new Thread(this::look, "look");
    looking.setDaemon(true);
    looking.start();
    load.keepUp();
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    List<Disturbance> next = new ArrayList<>();
    while (true) {
      TimeUnit.MILLISECONDS.sleep(2_000 + random.nextInt(4_000));
      load.keepUp();
      if (System.nanoTime() > endNs) {
        break;
      }
      if (next.isEmpty()) {
        next.addAll(List.of(Disturbance.values()));
        Collections.shuffle(next, random);
      }
      Disturbance disturbance = next.remove(next.size() - 1);
      System.err.printf("%d %s%n", System.currentTimeMillis(), disturbance);
      checkProxies(); // What has ended before is not taken for what is ended now.
      disturb(disturbance);
      done.merge(disturbance, 1, Integer::sum);
      checkProxies();
      load.keepUp();
    }
    load.stop();
  }

  private void disturb(Disturbance disturbance)
      throws IOException, InterruptedException, SQLException {
    ChaosProxy proxy = proxies[random.nextInt(proxies.length)];
    switch (disturbance) {
      case KAFKA_KILLED -> {
        broker.kill();
        pause(15_000);
        broker.start();
      }
      case KAFKA_FROZEN -> {
        broker.freeze();
        pause(6_000);
        broker.thaw();
      }
      case SERVER_CRASHED -> {
        server.crash();
        pause(2_000);
        server.start();
      }
      case SESSIONS_ENDED -> sessionsEnded += server.endSessions(1 + random.nextInt(4));
      case CLIENT_KILLED -> load.killClient(random);
      case PGBENCH_KILLED -> load.killBench(random);
      case PROXY_STOPPED -> {
        proxy.stop();
        proxy.start();
      }
      case PROXY_KILLED -> {
        proxy.kill();
        proxy.start();
      }
    }
  }

  private void pause(int mostMs) throws InterruptedException {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(mostMs));
    while (System.nanoTime() < endNs) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Looks at the proxies once a second. */
  private void look() {
    try {
      while (true) {
        for (ChaosProxy proxy : proxies) {
          proxy.look();
        }
        TimeUnit.SECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void checkProxies() throws IOException, InterruptedException {
    for (ChaosProxy proxy : proxies) {
      if (proxy.crashed()) {
        crashed.add("%s at %d".formatted(proxy.name(), System.currentTimeMillis()));
        proxy.start();
      }
    }
  }

  /** The load is over: what is said now is about all of it. */
  private void calm() throws IOException, InterruptedException {
    checkProxies();
    long openAfter = awaitZero(() -> proxies[0].open() + proxies[1].open());
    findings.add(
        "connections of clients go when clients do", openAfter == 0, "%d are open", openAfter);
    long caughtUp = awaitMonitor();
    findings.add(
        "the monitor has read all soon after the load",
        caughtUp >= 0,
        caughtUp >= 0 ? "%d s" : "not within " + CATCH_UP_SECONDS + " s",
        caughtUp);
    Scrape seen = monitorMetrics();
    findings.add(
        "no alarm at serializable",
        seen.sum("isotail_anomalies_total") == 0,
        "%,d anomalies in %,d transactions; %,d of %,d reads decided; lost records %,d, silent proxies"
            + " %,d",
        seen.sum("isotail_anomalies_total"),
        seen.sum("isotail_transactions_total"),
        seen.sum("isotail_reads_decided_total"),
        seen.sum("isotail_reads_total"),
        seen.sum("isotail_lost_records_total"),
        seen.sum("isotail_silent_proxies_total"));
  }

  private interface Count {
    long now();
  }

  private static long awaitZero(Count count) throws InterruptedException {
    long left = count.now();
    for (int i = 0; i < 100 && left > 0; i++) {
      TimeUnit.MILLISECONDS.sleep(200);
      left = count.now();
    }
    return left;
  }

  private Scrape monitorMetrics() {
    Scrape scrape = Scrape.of(monitorPort);
    if (scrape == null) {
      throw new IllegalStateException(
          "the monitor does not answer; see " + work.resolve("monitor.log"));
    }
    return scrape;
  }

  /**
   * Until the monitor has read what stands on the stream, and what waited for heartbeats; returns
   * how many seconds that took, or -1 if it did not come to an end.
   */
  private long awaitMonitor() throws InterruptedException {
    long startNs = System.nanoTime();
    TimeUnit.SECONDS.sleep(5);
    while (System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(CATCH_UP_SECONDS)) {
      Scrape scrape = Scrape.of(monitorPort);
      if (scrape != null
          && scrape.sum("isotail_ready") == 1
          && scrape.has("isotail_lag_records")
          && scrape.sum("isotail_lag_records") < RECORDS_UNDER_WAY) {
        TimeUnit.SECONDS.sleep(5);
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
    return -1;
  }

  /** In the same history, through the same proxy: counters read and written at read committed. */
  private void plant() throws InterruptedException, ExecutionException, SQLException {
    ExecutorService planters = Executors.newFixedThreadPool(PLANTERS);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < PLANTERS; i++) {
      running.add(
          planters.submit(
              () -> {
                count();
                return true;
              }));
    }
    planters.shutdown();
    for (Future<?> one : running) {
      one.get();
    }
    long counted;
    try (Connection connection = DriverManager.getConnection(server.url());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT n FROM counter")) {
      row.next();
      counted = row.getLong(1);
    }
    awaitMonitor();
    long found = monitorMetrics().sum("isotail_anomalies_total");
    findings.add(
        "lost updates planted at read committed are found",
        found > 0 && counted < PLANTERS * PLANTED,
        "%,d increments, of which %,d were lost; %,d anomalies",
        PLANTERS * PLANTED,
        PLANTERS * PLANTED - counted,
        found);
  }

  /** Reads and then writes, which loses what others count in between. */
  private void count() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(PostgresServer.url(proxies[0].port()));
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < PLANTED; i++) {
        try (ResultSet row = statement.executeQuery("SELECT n FROM counter WHERE id = 1")) {
          row.next();
          long n = row.getLong(1) + 1;
          statement.executeUpdate("UPDATE counter SET n = " + n + " WHERE id = 1");
        }
        connection.commit();
      }
    }
  }

  private void compare() throws Exception {
    for (ChaosProxy proxy : proxies) {
      proxy.stop();
    }
    List<ChaosProxy.Life> lives =
        Stream.of(proxies).flatMap(proxy -> proxy.lives().stream()).toList();
    RecordedStream stream = RecordedStream.of(broker.address(), HISTORY);
    Map<Long, Ledger.Entry> ledger = load.ledger();
    Bookings bookings =
        new Bookings(ledger, Bookings.inDatabase(server.url()), stream, lives, HISTORY);
    bookings.compareWithDatabase(findings);
    compareBalances();
    comparePgbench();
    bookings.compareOutcomes(findings);
    bookings.compareGaps(findings);
    compareProxies(lives, stream);
    findings.none(
        "clients meet no error but lost connections and refusals",
        load.unexpected(),
        "%,d others, of %,d client processes",
        load.unexpected().size(),
        load.clients());
    long others =
        stream.levels().entrySet().stream()
            .filter(level -> !level.getKey().endsWith(":serializable"))
            .mapToLong(Map.Entry::getValue)
            .sum();
    findings.add(
        "transactions ran at the level that is promised, but for those that were planted",
        others <= PLANTERS * PLANTED,
        "%s; %,d committed, %,d aborted, %,d unknown",
        stream.levels(),
        stream.transactions(Outcome.COMMITTED),
        stream.transactions(Outcome.ABORTED),
        stream.transactions(Outcome.UNKNOWN));
    long announced =
        stream.incarnations().stream().mapToLong(RecordedStream.Incarnation::lost).sum();
    long counted = monitorMetrics().sum("isotail_lost_records_total");
    findings.add(
        "the monitor counts what is announced as lost",
        counted >= announced && !monitor.endedByItself(),
        "%,d records, %,d announced",
        counted,
        announced);
  }

  /** Each transaction that changes the sum of the balances books by how much. */
  private void compareBalances() throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.url());
        Statement statement = connection.createStatement();
        ResultSet sums =
            statement.executeQuery(
                "SELECT (SELECT sum(balance) FROM account),"
                    + " (SELECT 1000 * count(*) FROM account)"
                    + " + (SELECT coalesce(sum(amount), 0) FROM booking)")) {
      sums.next();
      findings.add(
          "the accounts have what is booked",
          sums.getLong(1) == sums.getLong(2),
          "%,d in all, %,d by what is booked",
          sums.getLong(1),
          sums.getLong(2));
    }
  }

  /** Each of pgbench's transactions adds the same to three balances and to its history. */
  private void comparePgbench() throws SQLException, IOException {
    try (Connection connection = DriverManager.getConnection(server.url());
        Statement statement = connection.createStatement();
        ResultSet sums =
            statement.executeQuery(
                "SELECT (SELECT sum(abalance) FROM pgbench_accounts), (SELECT sum(tbalance) FROM"
                    + " pgbench_tellers), (SELECT sum(bbalance) FROM pgbench_branches),"
                    + " coalesce(sum(delta), 0), count(*) FROM pgbench_history")) {
      sums.next();
      long delta = sums.getLong(4);
      long processed = load.processedByBenches();
      findings.add(
          "pgbench's balances agree, and have what it reported",
          sums.getLong(1) == delta
              && sums.getLong(2) == delta
              && sums.getLong(3) == delta
              && sums.getLong(5) >= processed,
          "%,d transactions, %,d reported at a good end",
          sums.getLong(5),
          processed);
    }
  }

  private void compareProxies(List<ChaosProxy.Life> lives, RecordedStream stream)
      throws IOException {
    List<String> badEnds = new ArrayList<>(crashed);
    lives.stream().filter(life -> !life.endedWell()).forEach(life -> badEnds.add(life.toString()));
    findings.none(
        "no proxy ends by itself",
        badEnds,
        "%,d processes of proxies, %,d of them killed; %,d ended otherwise",
        lives.size(),
        lives.stream().filter(ChaosProxy.Life::wasKilled).count(),
        badEnds.size());
    for (String failures :
        List.of(
            "isotail_proxy_internal_failures_total",
            "isotail_proxy_conversation_failures_total",
            INTERNAL_FAILURES_OF_CAPTURE,
            "isotail_proxy_framing_lost_total",
            "isotail_proxy_connections_uncaptured_total")) {
      long count = lives.stream().mapToLong(life -> life.counted(failures)).sum();
      findings.add("`" + failures + "` stays 0", count == 0, "%,d", count);
    }
    long most = lives.stream().mapToLong(ChaosProxy.Life::mostResidentKb).max().orElse(0) / 1_024;
    findings.add(
        "memory of a proxy is bounded",
        most < MOST_RESIDENT_MB,
        "at most %,d MB resident, with a heap of %d MB; %,d expected at most",
        most,
        ChaosProxy.HEAP_MB,
        MOST_RESIDENT_MB);
    long silent = stream.incarnations().stream().filter(i -> !i.saidGoodbye()).count();
    long killed = lives.stream().filter(ChaosProxy.Life::wasKilled).count();
    findings.add(
        "no more proxies fall silent than are killed",
        silent <= killed,
        "%,d on the stream, %,d without a goodbye, %,d killed",
        stream.incarnations().size(),
        silent,
        killed);
  }

  private void print() {
    System.out.println("| disturbance | times |");
    System.out.println("|---|---|");
    for (Disturbance disturbance : Disturbance.values()) {
      String more =
          disturbance == Disturbance.SESSIONS_ENDED ? " (" + sessionsEnded + " sessions)" : "";
      System.out.printf(
          "| %s | %d%s |%n", disturbance.words(), done.getOrDefault(disturbance, 0), more);
    }
    System.out.println();
    System.out.println("| what must hold | | figures |");
    System.out.println("|---|---|---|");
    findings.rows().forEach(System.out::println);
  }
}
