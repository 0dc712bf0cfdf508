package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.ingest.capture.KafkaSinks;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.postgres.Conversation;
import io.isotail.ingest.postgres.Message;
import io.isotail.ingest.postgres.Wires;
import io.isotail.ingest.proxy.ProxyConfig;
import io.isotail.ingest.proxy.ProxyServer;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.config.ProxySettings;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.service.ProxyService;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor says of a real proxy before a real database, and of what is none. */
final class DoctorProxyIT {
  private static EmbeddedDatabase database;
  private static EmbeddedKafka kafka;
  private static ProxyService proxy;

  /** Closed together at the end: their captures are the process's. */
  private static final List<ProxyService> PROXIES = new ArrayList<>();

  @TempDir private Path folder;

  private final CommandRun doctor = new CommandRun("doctor");
  private final StringWriter out = doctor.out;
  private final StringWriter err = doctor.err;

  @BeforeAll
  static void start() throws Exception {
    kafka = EmbeddedKafka.start();
    kafka.createTopic("isotail.events", 1, Map.of("message.timestamp.type", "LogAppendTime"));
    database = EmbeddedDatabase.start();
    try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE orders (id int PRIMARY KEY, total int, \"Odd Name\" text, amount_sum int)");
      statement.execute(
          "CREATE TABLE stock (shop int, item text, n int, PRIMARY KEY (shop, item))");
      statement.execute("CREATE TABLE \"Empty\" (id bigint PRIMARY KEY)");
      statement.execute("CREATE TABLE audit (line text)");
      statement.execute(
          "INSERT INTO orders SELECT n, n * 10, 'x', n FROM generate_series(1, 30) AS n");
      statement.execute("INSERT INTO stock VALUES (1, 'a', 1), (1, 'b', NULL)");
      statement.execute("CREATE DATABASE other");
      statement.execute("CREATE ROLE ann LOGIN PASSWORD 'secret of ann'");
      askAnnForHerPassword(statement);
    }
    proxy = proxy(database.port(), kafka.bootstrapServers(), "doctored");
  }

  private static void askAnnForHerPassword(Statement statement) throws Exception {
    try (ResultSet row = statement.executeQuery("SHOW hba_file")) {
      row.next();
      Path rules = Path.of(row.getString(1));
      Files.writeString(rules, "host all ann all scram-sha-256\n" + Files.readString(rules));
    }
    statement.execute("SELECT pg_reload_conf()");
  }

  @AfterAll
  static void stop() throws Exception {
    PROXIES.forEach(ProxyService::close);
    database.close();
    kafka.close();
  }

  private static ProxyService proxy(int upstream, String brokers, String history) {
    ProxySettings settings =
        ProxySettings.load(
            null,
            Map.of(),
            Map.of(
                "listen", "127.0.0.1:0",
                "upstream", "127.0.0.1:" + upstream,
                "kafka", brokers,
                "history", history,
                "start-wait-ms", "0",
                "drain-ms", "100",
                "http.port", "0"));
    ProxyService started =
        ProxyService.start(
            settings, CapturedConversations.of(settings.capture(), new KafkaSinks(), 0));
    PROXIES.add(started);
    return started;
  }

  private int run(String... options) {
    return doctor.run(options);
  }

  private static String at(int port) {
    return "127.0.0.1:" + port;
  }

  @Test
  void whatGoesInComesOutAndIsCaptured() throws Exception {
    long before = writes();
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    do {
      int status =
          run(
              "--proxy=" + at(proxy.port()),
              "--metrics=" + at(proxy.httpPort()),
              "--url=" + database.jdbcUrl());
      assertThat(status).as(out + "\n" + err).isZero();
      // What it had captured a moment ago may be on its way to Kafka.
    } while (!out.toString().contains("; 0 records wait") && System.nanoTime() < deadlineNs);
    assertThat(out.toString())
        .contains(at(proxy.port()) + " answers")
        .containsPattern(
            "server +PostgreSQL [0-9.]+ at [0-9.:]*:" + database.port() + ", as it says")
        .contains("public.orders", "public.stock", "public.\"Empty\"")
        .doesNotContain("audit")
        .contains("compared with those past the proxy")
        .contains("none that isotail adds was seen")
        .contains("all 15 statements on tables were captured")
        .containsPattern("kafka +answers the proxy; 0 records wait, 0 were lost")
        .contains("all is well");
    assertThat(writes()).as("it only reads").isEqualTo(before);
  }

  /** Rows that were written, changed or removed in the database since it began. */
  private static long writes() throws Exception {
    try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT count(*), max(xmin::text::bigint) FROM orders")) {
      row.next();
      return row.getLong(1) * 1_000_000 + row.getLong(2);
    }
  }

  @Test
  void withoutTheDatabaseAndTheMetricsItSaysWhatItDidNotAsk() throws Exception {
    int status =
        run("--proxy=" + at(proxy.port()), "--user=postgres", "--database=postgres", "--json");
    assertThat(status).as(out + "\n" + err).isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.path("well").asBoolean()).isTrue();
    assertThat(json.has("tables")).isFalse();
    assertThat(json.path("facts").findValuesAsText("words"))
        .anyMatch(
            words -> words.endsWith("not compared with those past the proxy, for want of --url"))
        .anyMatch(words -> words.startsWith("not asked for: --metrics"));
  }

  @Test
  void aProxyWithoutTablesIsWellAndTheServerItselfIsNone() {
    String other = database.jdbcUrl().replace("/postgres?", "/other?");
    try (ProxyServer elsewhere = plain(database.port())) {
      assertThat(run("--proxy=" + at(elsewhere.port()), "--url=" + other))
          .as(out + "\n" + err)
          .isZero();
    }
    assertThat(run("--proxy=" + at(database.port()), "--url=" + database.jdbcUrl()))
        .isEqualTo(ExitCode.TO_MEND);
    assertThat(out.toString()).contains("is the server itself, as it says, and no proxy");
  }

  /** A proxy that captures nothing and has no metrics. */
  private static ProxyServer plain(int upstream) {
    return ProxyServer.start(
        ProxyConfig.of(
            new ProxyConfig.Address("127.0.0.1", 0),
            new ProxyConfig.Address("127.0.0.1", upstream)),
        (parameters, host) -> Conversation.UNSEEN);
  }

  /** As a proxy that leaves an added column: it calls one of the application's so. */
  private static final class Leaking implements Conversation {
    @Override
    public boolean looksAtClient(byte type, int length) {
      return false;
    }

    @Override
    public void fromClient(Message message, Wires wires) {
      wires.toServer(message.array(), message.offset(), message.length());
    }

    @Override
    public void closed(boolean byClient) {}

    @Override
    public boolean isIdle() {
      return false;
    }

    @Override
    public boolean looksAtServer(byte type, int length) {
      return type == 'T';
    }

    @Override
    public void fromServer(Message message, Wires wires) {
      String text =
          new String(
              message.array(), message.offset(), message.length(), StandardCharsets.ISO_8859_1);
      byte[] changed =
          text.replace("amount_sum", "isotail_h1").getBytes(StandardCharsets.ISO_8859_1);
      wires.toClient(changed, 0, changed.length);
    }
  }

  @Test
  void aColumnThatIsNoneOfTheApplicationsIsSeen() {
    try (ProxyServer leaking =
        ProxyServer.start(
            ProxyConfig.of(
                new ProxyConfig.Address("127.0.0.1", 0),
                new ProxyConfig.Address("127.0.0.1", database.port())),
            (parameters, host) -> new Leaking())) {
      assertThat(run("--proxy=" + at(leaking.port()), "--url=" + database.jdbcUrl()))
          .isEqualTo(ExitCode.TO_MEND);
      assertThat(out.toString())
          .contains("a column that isotail adds reaches the client")
          .contains("rows of public.orders, in the simple protocol, has the columns")
          .contains("a row of public.orders by its key, in the extended protocol, has the columns");
      assertThat(run("--proxy=" + at(leaking.port()), "--user=postgres", "--database=postgres"))
          .isEqualTo(ExitCode.TO_MEND);
      assertThat(out.toString()).contains("rows of public.orders", "and should have");
    }
  }

  @Test
  void aServerThatIsNotTheProxysIsTold() throws Exception {
    try (EmbeddedDatabase another = EmbeddedDatabase.start()) {
      assertThat(run("--proxy=" + at(proxy.port()), "--url=" + another.jdbcUrl()))
          .isEqualTo(ExitCode.TO_MEND);
      assertThat(out.toString()).contains("--url leads to another server or database");
    }
  }

  @Test
  void metricsOfAnotherProxyAndAKafkaThatIsAwayAreWorthMending() {
    try (ProxyServer unseen = plain(database.port())) {
      assertThat(
              run(
                  "--proxy=" + at(unseen.port()),
                  "--metrics=" + at(proxy.httpPort()),
                  "--url=" + database.jdbcUrl()))
          .isEqualTo(ExitCode.TO_MEND);
      assertThat(out.toString()).contains("count no connection of ours");
    }
    ProxyService lonely = proxy(database.port(), "127.0.0.1:1", "lonely");
    assertThat(
            run(
                "--proxy=" + at(lonely.port()),
                "--metrics=" + at(lonely.httpPort()),
                "--url=" + database.jdbcUrl()))
        .isEqualTo(ExitCode.TO_MEND);
    assertThat(out.toString())
        .contains("all 15 statements on tables were captured")
        .contains("kafka: does not answer the proxy");
  }

  @Test
  void nothingAndNoPostgresqlAreToldApart() throws Exception {
    assertBad("no proxy answers at 127.0.0.1:1: connection refused", "--proxy=127.0.0.1:1");
    try (ServerSocket web = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      Thread answering = new Thread(() -> answer(web), "no-postgresql");
      answering.setDaemon(true);
      answering.start();
      assertBad(
          "what listens at %s does not speak PostgreSQL's protocol"
              .formatted(at(web.getLocalPort())),
          "--proxy=" + at(web.getLocalPort()));
    }
  }

  /** As a web server answers what is no request of its own. */
  private static void answer(ServerSocket web) {
    try {
      while (true) {
        try (Socket client = web.accept()) {
          client.getInputStream().read();
          client
              .getOutputStream()
              .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  @Test
  void aProxyWithoutItsServerIsToldApartFromAServerThatIsAway() {
    ProxyService alone = proxy(1, "127.0.0.1:1", "alone");
    assertBad(
        "no login through %s: FATAL: ".formatted(at(alone.port())), "--proxy=" + at(alone.port()));
    assertThat(err.toString()).contains("127.0.0.1:1");
    assertBad(
        "; past the proxy, the database takes the same login",
        "--proxy=" + at(alone.port()),
        "--url=" + database.jdbcUrl());
  }

  @Test
  void aLoginThatIsRefusedIsToldInTheServersWords() throws Exception {
    assertBad(
        "no login through %s: FATAL: role \"nobody\" does not exist".formatted(at(proxy.port())),
        "--proxy=" + at(proxy.port()),
        "--user=nobody");
    String[] ann = {
      "--proxy=" + at(proxy.port()),
      "--url=" + database.jdbcUrl().replace("user=postgres", "user=ann"),
      "--password-file=" + Files.writeString(folder.resolve("wrong"), "secret of bob")
    };
    assertBad(
        "no login through %s: FATAL: password authentication failed for user \"ann\"; past the proxy, the database says: FATAL: password"
            .formatted(at(proxy.port())),
        ann);
    assertThat(err.toString()).doesNotContain("secret");
    Files.writeString(folder.resolve("wrong"), "secret of ann");
    assertThat(run(ann)).as(out + "\n" + err).isZero();
  }

  @Test
  void optionsThatDoNotFitAreRefused() {
    assertBad("found --metrics without --proxy", "--metrics=h:1", "--url=jdbc:postgresql://h/d");
    assertBad("--proxy nowhere: expected HOST:PORT", "--proxy=nowhere");
    assertBad(
        "--metrics ftp://nowhere: expected HOST:PORT", "--proxy=h:1", "--metrics=ftp://nowhere");
    assertBad("settings of the driver", "--proxy=h:1", "--kafka=k:1");
    assertBad("of another database", "--proxy=h:1", "--url=jdbc:mariadb://h/d");
    assertBad(
        "without the metrics of a proxy",
        "--proxy=" + at(proxy.port()),
        "--user=postgres",
        "--metrics=http://%s/healthz".formatted(at(proxy.httpPort())));
  }

  private void assertBad(String words, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    boolean names = all.stream().anyMatch(o -> o.startsWith("--user") || o.startsWith("--url"));
    if (!names) {
      all.add("--user=postgres");
    }
    assertThat(run(all.toArray(String[]::new))).as(out.toString()).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains(words);
  }
}
