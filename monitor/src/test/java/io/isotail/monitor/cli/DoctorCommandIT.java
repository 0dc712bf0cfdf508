package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.ingest.sandbox.EmbeddedStandby;
import io.isotail.monitor.offline.ExitCode;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.logging.Logger;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor says of a real database and a real broker. */
final class DoctorCommandIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static EmbeddedDatabase database;
  private static EmbeddedKafka kafka;

  @TempDir private Path folder;

  private final CommandRun doctor = new CommandRun("doctor");
  private final StringWriter out = doctor.out;
  private final StringWriter err = doctor.err;

  @BeforeAll
  static void start() throws Exception {
    kafka = EmbeddedKafka.start();
    kafka.createTopic(EventCodec.TOPIC, 4, Map.of("message.timestamp.type", "LogAppendTime"));
    database = EmbeddedDatabase.start();
    sql(
        "CREATE SCHEMA shop",
        "CREATE SCHEMA secret",
        "CREATE TABLE orders (id int PRIMARY KEY, total int)",
        "CREATE TABLE stock (warehouse int, item text, n int, PRIMARY KEY (warehouse, item))",
        "CREATE TABLE parted (id int PRIMARY KEY) PARTITION BY RANGE (id)",
        "CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (10)");
  }

  @AfterAll
  static void stop() throws Exception {
    database.close();
    kafka.close();
  }

  private static void sql(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = connection.createStatement()) {
      for (String one : statements) {
        statement.execute(one);
      }
    }
  }

  /** A database of its own, in which the others' tables are not. */
  private static String newDatabase(String name, String... statements) throws SQLException {
    sql("CREATE DATABASE " + name);
    String url = database.jdbcUrl().replaceAll("/[^/?]+(\\?|$)", "/" + name + "$1");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String one : statements) {
        statement.execute(one);
      }
    }
    return url;
  }

  private int run(String... options) {
    return doctor.run(options);
  }

  private String settings(String... lines) throws Exception {
    return Files.writeString(
            Files.createTempFile(folder, "isotail", ".properties"), String.join("\n", lines))
        .toString();
  }

  private String good(String... more) throws Exception {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "isotail.key=a secret",
                "isotail.history=shop",
                "isotail.kafka=" + kafka.bootstrapServers()));
    lines.addAll(List.of(more));
    return settings(lines.toArray(String[]::new));
  }

  private JsonNode json(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--json");
    run(all.toArray(String[]::new));
    return JSON.readTree(out.toString());
  }

  private static Map<String, String> reasons(JsonNode json) {
    Map<String, String> reasons = new TreeMap<>();
    for (JsonNode table : json.path("tables")) {
      reasons.put(table.path("name").asText(), table.path("why").asText());
    }
    return reasons;
  }

  @Test
  void allIsWell() throws Exception {
    int status = run("--url", database.jdbcUrl(), "--config", good());
    assertThat(out.toString())
        .contains("PostgreSQL")
        .contains("postgresql:read-committed by default, which is checked as read-committed")
        .contains("isotail.key is set")
        .contains("topic isotail.events has 4 partitions")
        .contains("observed: 3")
        .contains("public.stock   key warehouse, item, version xmin")
        .contains("all is well")
        .doesNotContain("a secret");
    assertThat(status).as(err.toString()).isZero();
  }

  @Test
  void aStandbyIsToldAndCheckedAsSuch() throws Exception {
    try (EmbeddedStandby standby = EmbeddedStandby.of(database)) {
      int status =
          run(
              "--url",
              standby.jdbcUrl()
                  + "&options=-c%20default_transaction_isolation=repeatable%5C%20read",
              "--config",
              good());
      assertThat(out.toString())
          .contains("postgresql-standby:repeatable-read by default, which is checked as causal")
          .contains("public.stock   key warehouse, item, version xmin")
          .contains("all is well");
      assertThat(status).as(err.toString()).isZero();
    }
  }

  @Test
  void theApplicationsOwnUrlIsUnderstood() throws Exception {
    String url = "jdbc:isotail:" + database.jdbcUrl().substring("jdbc:".length());
    assertThat(run("--url", url, "--config", good())).as(out.toString()).isZero();
    assertThat(out.toString()).doesNotContain("puts the driver in between");
  }

  @Test
  void ofEachTableItIsToldWhyItIsNotObserved() throws Exception {
    String url =
        newDatabase(
            "reasons",
            "CREATE SCHEMA other",
            "CREATE SCHEMA hidden",
            "CREATE ROLE clerk LOGIN",
            "CREATE TABLE good (id int PRIMARY KEY)",
            "CREATE TABLE unique_key (id int NOT NULL UNIQUE)",
            "CREATE TABLE no_key (v int)",
            "CREATE TABLE nullable_key (id int UNIQUE)",
            "CREATE TABLE deferrable_key (id int PRIMARY KEY DEFERRABLE)",
            "CREATE TABLE time_key (at timestamptz PRIMARY KEY)",
            "CREATE VIEW some_view AS SELECT * FROM good",
            "CREATE MATERIALIZED VIEW kept_view AS SELECT * FROM good",
            "CREATE TABLE secured (id int PRIMARY KEY)",
            "ALTER TABLE secured ENABLE ROW LEVEL SECURITY",
            "CREATE TABLE ruled (id int PRIMARY KEY)",
            "CREATE RULE r AS ON DELETE TO ruled DO INSTEAD NOTHING",
            "CREATE TABLE parent (id int PRIMARY KEY)",
            "CREATE TABLE child (PRIMARY KEY (id)) INHERITS (parent)",
            "CREATE TABLE other.elsewhere (id int PRIMARY KEY)",
            "CREATE TABLE other.good (id int PRIMARY KEY)",
            "CREATE TABLE hidden.unusable (id int PRIMARY KEY)",
            "CREATE TABLE unreadable (id int PRIMARY KEY)",
            "GRANT USAGE ON SCHEMA public, other TO clerk",
            "GRANT SELECT ON ALL TABLES IN SCHEMA public, other TO clerk",
            "REVOKE ALL ON unreadable FROM clerk");
    JsonNode json = json("--url", url.replaceAll("user=\\w+", "user=clerk"), "--config", good());
    assertThat(err.toString()).isEmpty();
    assertThat(reasons(json))
        .isEqualTo(
            new TreeMap<>(
                Map.ofEntries(
                    Map.entry("public.good", "null"),
                    Map.entry("public.unique_key", "null"),
                    Map.entry("public.no_key", "no-key"),
                    Map.entry("public.nullable_key", "null"),
                    Map.entry("public.deferrable_key", "deferrable-key"),
                    Map.entry("public.time_key", "key-type"),
                    Map.entry("public.some_view", "view"),
                    Map.entry("public.kept_view", "view"),
                    Map.entry("public.secured", "row-security"),
                    Map.entry("public.ruled", "rules"),
                    Map.entry("public.parent", "inheritance"),
                    Map.entry("public.child", "inheritance"),
                    Map.entry("other.elsewhere", "not-on-path"),
                    Map.entry("other.good", "not-on-path"),
                    Map.entry("hidden.unusable", "no-schema-privilege"),
                    Map.entry("public.unreadable", "no-select-privilege"))));
    assertThat(json.path("problems").findValuesAsText("subject"))
        .containsExactlyInAnyOrder(
            "public.no_key",
            "public.nullable_key",
            "public.deferrable_key",
            "public.time_key",
            "hidden.unusable",
            "public.unreadable");
    String path = url + (url.contains("?") ? "&" : "?") + "currentSchema=other,public";
    assertThat(reasons(json("--url", path, "--config", good())))
        .containsEntry("other.good", "null")
        .containsEntry("other.elsewhere", "null")
        .containsEntry("public.good", "not-on-path");
  }

  @Test
  void declaredTablesAreLookedFor() throws Exception {
    JsonNode json =
        json(
            "--url",
            database.jdbcUrl(),
            "--config",
            good("isotail.tables=orders(id;total),stock(item;rev),gone(id;v),parted(id;xmin)"));
    assertThat(reasons(json))
        .isEqualTo(
            Map.of(
                "orders", "null",
                "stock", "no-such-column",
                "gone", "not-found",
                "parted", "null"));
    assertThat(json.at("/tables/0/version").asText()).isEqualTo("total");
    assertThat(json.path("problems").findValuesAsText("subject")).containsExactly("stock", "gone");
  }

  @Test
  void settingsThatAreMissingAreWorthMending() throws Exception {
    int status = run("--url", database.jdbcUrl(), "--config", settings("isotail.rewrite=false"));
    assertThat(status).isEqualTo(ExitCode.TO_MEND);
    assertThat(out.toString())
        .contains("isotail.key is not set")
        .contains("isotail.history is not set")
        .contains("isotail.kafka is not set")
        .contains("isotail.rewrite=false")
        .contains("worth mending: 4");
  }

  @Test
  void aBrokerThatDoesNotAnswerAndATopicThatIsNotThere() throws Exception {
    String[] quickly = {"--kafka-timeout", "2s", "--url", database.jdbcUrl(), "--config"};
    List<String> arguments = new ArrayList<>(List.of(quickly));
    arguments.add(good());
    arguments.addAll(List.of("--kafka", "localhost:1"));
    assertThat(run(arguments.toArray(String[]::new))).isEqualTo(ExitCode.TO_MEND);
    assertThat(out.toString()).contains("no broker answers: localhost:1: connection refused");
    try (EmbeddedKafka empty = EmbeddedKafka.start()) {
      run("--url", database.jdbcUrl(), "--config", good(), "--kafka", empty.bootstrapServers());
      assertThat(out.toString()).contains("has no topic isotail.events");
      empty.createTopic(EventCodec.TOPIC, 1, Map.of("message.timestamp.type", "CreateTime"));
      run("--url", database.jdbcUrl(), "--config", good(), "--kafka", empty.bootstrapServers());
      assertThat(out.toString()).contains("message.timestamp.type=CreateTime");
    }
  }

  /** A driver that this program finds only through the jar that names it. */
  public static final class OtherDriver implements Driver {
    private static final String PREFIX = "jdbc:other:";

    @Override
    public boolean acceptsURL(String url) {
      return url.startsWith(PREFIX);
    }

    @Override
    public Connection connect(String url, Properties info) throws SQLException {
      String real = "jdbc:postgresql:" + url.substring(PREFIX.length());
      return DriverManager.getConnection(real, info);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
      return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
      return 1;
    }

    @Override
    public int getMinorVersion() {
      return 0;
    }

    @Override
    public boolean jdbcCompliant() {
      return false;
    }

    @Override
    public Logger getParentLogger() {
      return Logger.getLogger("other");
    }
  }

  @Test
  void aDriverThatIsNotInThisProgramComesInAJar() throws Exception {
    Path jar = folder.resolve("other.jar");
    try (JarOutputStream file = new JarOutputStream(Files.newOutputStream(jar))) {
      file.putNextEntry(new ZipEntry("META-INF/services/java.sql.Driver"));
      file.write(OtherDriver.class.getName().getBytes(StandardCharsets.UTF_8));
    }
    String url = database.jdbcUrl().replace("jdbc:postgresql:", "jdbc:isotail:other:");
    assertThat(run("--url", url, "--config", good())).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("--driver-jar");
    assertThat(run("--url", url, "--config", good(), "--driver-jar", jar.toString()))
        .as(err.toString())
        .isZero();
    assertThat(run("--url", "jdbc:unheard:x", "--driver-jar", jar.toString()))
        .isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("has no driver for --url");
  }

  @Test
  void whatCannotBeToldIsAnError() throws Exception {
    assertThat(run()).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("found no --url");
    assertThat(run("--url", database.jdbcUrl() + "&isotail.key=hush")).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("isotail.key in --url").doesNotContain("hush");
    assertThat(run("--url", "postgres://db/shop")).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("does not start with jdbc:");
    assertThat(run("--url", "jdbc:mysql://db/shop?password=hush")).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("--driver-jar").doesNotContain("hush");
    assertThat(run("--url", "jdbc:postgresql://localhost:1/shop")).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("no database answers at localhost:1: connection refused");
    assertThat(run("--url", "jdbc:postgresql://host.invalid/shop?password=hush"))
        .isEqualTo(ExitCode.BAD);
    assertThat(err.toString())
        .contains("no database answers at host.invalid:5432: no such host name")
        .doesNotContain("hush");
    assertThat(run("--url", database.jdbcUrl(), "--config", "/no/such/file"))
        .isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("/no/such/file cannot be read");
    assertThat(run("--url", database.jdbcUrl(), "--observed", "orders(")).isEqualTo(ExitCode.BAD);
    assertThat(run("--url", database.jdbcUrl(), "--driver-jar", "/no/such.jar"))
        .isEqualTo(ExitCode.BAD);
    assertThat(run("--url", database.jdbcUrl(), "--config", settings("isotail.tabels=x(k;v)")))
        .isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("unknown setting isotail.tabels");
  }
}
