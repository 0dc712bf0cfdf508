package io.isotail.monitor.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.Checker;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.emit.TransactionSink;
import io.isotail.ingest.jdbc.ConnectionWrapper;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sql.ObservedTables;
import io.isotail.monitor.cli.Main;
import io.isotail.monitor.render.AnomalyDocument;
import io.isotail.monitor.resolve.ReadOnlyDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From what the driver records on a real database back to its rows. */
class ResolveCommandIT {
  private static final String SECRET = "a secret of the applications";
  private static final String TABLES =
      "small(id; v), big(id; v), word(id; v), doc(id; v), num(id; v), pair(b, a; rev), shop.item(id; v)";
  private static final UUID DOC = UUID.fromString("9f0f2b44-07d1-4a5c-8a51-2f3d8e6f7a10");
  private static final ObjectMapper JSON = new ObjectMapper();

  private static EmbeddedDatabase database;

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<TransactionRecord> records = new ArrayList<>();
  private Path settings;

  @BeforeAll
  static void startDatabase() throws Exception {
    database = EmbeddedDatabase.start();
    direct(
        "CREATE SCHEMA shop",
        "CREATE TABLE small (id int PRIMARY KEY, v bigint)",
        "CREATE TABLE big (id bigint PRIMARY KEY, v bigint)",
        "CREATE TABLE word (id text PRIMARY KEY, v bigint)",
        "CREATE TABLE doc (id uuid PRIMARY KEY, v bigint)",
        "CREATE TABLE num (id numeric(10, 2) PRIMARY KEY, v bigint)",
        "CREATE TABLE pair (a int, b text, rev text, PRIMARY KEY (a, b))",
        "CREATE TABLE shop.item (id bigint PRIMARY KEY, v bigint)",
        "CREATE TABLE late (at timestamptz PRIMARY KEY, v bigint)");
  }

  @AfterAll
  static void stopDatabase() throws Exception {
    database.close();
  }

  @BeforeEach
  void fill() throws Exception {
    direct(
        "TRUNCATE small, big, word, doc, num, pair, shop.item",
        "INSERT INTO small VALUES (-7, 1), (7, 1), (8, 1)",
        "INSERT INTO big SELECT i, 1 FROM generate_series(5000000000, 5000030000) i",
        "INSERT INTO word VALUES ('a', 1), ('b', 1)",
        "INSERT INTO shop.item VALUES (7, 1)");
    settings =
        Files.writeString(
            folder.resolve("isotail.properties"),
            "isotail.key=%s\nisotail.history=shop\nisotail.tables=%s\n".formatted(SECRET, TABLES));
  }

  @Test
  void keysOfEveryTypeAreTurnedBackIntoTheirRows() throws Exception {
    try (Connection c = recorded(SECRET, false)) {
      run(c, "UPDATE small SET v = 2 WHERE id = ?", -7);
      run(c, "UPDATE big SET v = 2 WHERE id = ?", new BigDecimal("5000029999"));
      run(c, "INSERT INTO word VALUES (?, 2)", "it's \u001b[31m\u202ered\n");
      run(c, "INSERT INTO doc VALUES (?, 2)", DOC);
      run(c, "INSERT INTO num VALUES (?, 2)", new BigDecimal("12.50"));
      run(c, "INSERT INTO pair (a, b, rev) VALUES (?, ?, 'r2')", 3, "x,y");
      run(c, "UPDATE shop.item SET v = 2 WHERE id = ?", 7);
    }
    List<String> keys = shown();
    assertThat(keys).hasSize(7);
    assertThat(resolve(arguments(database(), keys))).as("%s", err).isZero();
    assertThat(out.toString().lines().map(l -> l.replaceFirst("^\\S+ \\(\\d+\\)  ", "")).toList())
        .containsExactlyInAnyOrder(
            "small: id = -7",
            "big: id = 5000029999",
            "word: id = \"it's \\u001b[31m\\u202ered\\u000a\"",
            "doc: id = " + DOC,
            "num: id = 12.5",
            "pair: b = \"x,y\", a = 3",
            "shop.item: id = 7");
    assertThat(err.toString()).isEmpty();
    // The same by their numbers alone, as the page's operations show them.
    assertThat(resolve(arguments(database(), numbers()))).as("%s", err).isZero();
    assertThat(out.toString().lines()).hasSize(7);
    String hex = "%016x".formatted(Long.parseUnsignedLong(numbers().get(0)));
    assertThat(out.toString())
        .contains("%s (%s)  small: id = -7\n".formatted(numbers().get(0), hex));
  }

  @Test
  void aDeletedRowIsNotFoundUnlessItsKeyIsGivenAsACandidate() throws Exception {
    try (Connection c = recorded(SECRET, false)) {
      run(c, "UPDATE small SET v = 2 WHERE id = ?", 7);
      run(c, "UPDATE small SET v = 41 WHERE id = ?", 8);
    }
    direct("DELETE FROM small WHERE id = 8");
    assertThat(resolve(arguments(database(), shown()))).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(out.toString())
        .contains("small: id = 7\n")
        .containsPattern("small#\\w+ .*not found");
    assertThat(err.toString())
        .contains("1 of 2 keys not found among 2 rows of small")
        .contains("--values tries keys that are known elsewhere")
        .doesNotContain("none was found");
    Path candidates = Files.writeString(folder.resolve("candidates"), "x\n8\n");
    List<String> offline =
        List.of(
            "--settings=" + settings,
            "--observed=small(id int; v bigint)",
            "--values=" + candidates);
    String key =
        shown().get(1) + "=" + Long.toUnsignedString(records.get(1).operations().version(0));
    assertThat(resolve(arguments(offline, List.of(key)))).as("%s", err).isZero();
    assertThat(out.toString()).contains("small: id = 8\n").contains("= 41\n");
    assertThat(err.toString())
        .contains("1 of 2 lines, the first is line 1, fit the key of no table");
  }

  @Test
  void anAnomalyIsResolvedWithItsVersions() throws Exception {
    Path document = lostUpdate(false);
    assertThat(resolve(arguments(database(), List.of("--json", "--anomaly=" + document))))
        .as("%s", err)
        .isZero();
    JsonNode found = JSON.readTree(out.toString());
    assertThat(found.fieldNames())
        .toIterable()
        .containsExactly("given", "hash", "number", "table", "status", "key", "versions");
    assertThat(found.path("status").textValue()).isEqualTo("found");
    assertThat(found.path("table").textValue()).isEqualTo("word");
    assertThat(found.path("key").toString()).isEqualTo("{\"id\":\"b\"}");
    assertThat(found.path("versions").findValuesAsText("value"))
        .containsExactlyInAnyOrder("1", "42", "43");
    for (JsonNode version : found.path("versions")) {
      assertThat(version.path("present").booleanValue())
          .isEqualTo(version.path("value").textValue().equals("43"));
    }
    // What the sentence says is found in what was printed.
    String sentence = JSON.readTree(document.toFile()).path("explanation").textValue();
    assertThat(sentence).contains("word#" + found.path("hash").textValue());
    // An anomaly too large for a record has no capsule; its keys are in its sentence.
    ObjectNode large = (ObjectNode) JSON.readTree(document.toFile());
    large.putArray("capsule");
    large.putArray("cycle");
    Path shortened = Files.writeString(folder.resolve("large.json"), large.toString());
    assertThat(resolve(arguments(database(), List.of("--anomaly=" + shortened))))
        .as("%s", err)
        .isZero();
    assertThat(out.toString()).endsWith("  word: id = b\n");
    assertThat(resolve(arguments(database(), List.of("--table=doc", "--anomaly=" + document))))
        .isEqualTo(ExitCode.BAD);
    assertThat(err.toString())
        .contains("found no key of table doc in the anomaly")
        .contains("word");
  }

  @Test
  void keysInClearNeedNotBeResolved() throws Exception {
    Path document = lostUpdate(true);
    assertThat(resolve(arguments(database(), List.of("--anomaly=" + document)))).isZero();
    assertThat(out.toString()).containsPattern("word#\\w{16} \\(\\d+\\)  in clear already: b\n");
    assertThat(err.toString()).contains("there is nothing to resolve");
    assertThat(resolve(arguments(database(), List.of("word[b]=42")))).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("\"word[b]=42\" is in clear already");
  }

  @Test
  void withoutTheListOfTablesPrimaryKeysAreTaken() throws Exception {
    try (Connection c = recorded(null, false)) {
      run(c, "UPDATE small SET v = 2 WHERE id = ?", 7);
      run(c, "UPDATE shop.item SET v = 2 WHERE id = ?", 7);
    }
    List<String> options = List.of("--url=" + database.jdbcUrl(), "--history=shop");
    assertThat(resolve(arguments(options, shown()))).as("%s", err).isZero();
    assertThat(out.toString()).contains("small: id = 7\n").contains("shop.item: id = 7\n");
    assertThat(err.toString()).contains("no isotail.key is set");
    assertThat(resolve(arguments(options, numbers()))).as("%s", err).isZero();
    assertThat(out.toString()).contains("small: id = 7\n").contains("shop.item: id = 7\n");
    assertThat(err.toString()).contains("late: key column at is of a type of which the driver");
    assertThat(resolve(arguments(options, List.of("--table=shop.item", numbers().get(0)))))
        .isEqualTo(ExitCode.NOT_FOUND);
    assertThat(err.toString())
        .contains("1 of 1 keys not found among 1 rows of shop.item")
        .contains("key columns were taken from primary keys");
  }

  @Test
  void anotherSecretFindsNothingAndSaysWhy() throws Exception {
    try (Connection c = recorded("another secret", false)) {
      run(c, "UPDATE small SET v = 2 WHERE id = ?", 7);
    }
    assertThat(resolve(arguments(database(), shown()))).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(err.toString()).contains("is this the isotail.key of the applications?");
    Path key = Files.writeString(folder.resolve("key"), "another secret\n");
    assertThat(resolve(arguments(database(), List.of("--key-file=" + key, shown().get(0)))))
        .as("%s", err)
        .isZero();
    assertThat(
            resolve(
                arguments(database(), List.of("--key-file=" + key, "--limit=1", shown().get(0)))))
        .isEqualTo(ExitCode.NOT_FOUND);
    assertThat(err.toString()).contains("small: stopped after 1 rows (--limit)");
  }

  @Test
  void whatCannotBeUsedIsSaid() throws Exception {
    String key = "small#0d6c8009d9a94f5a";
    Path list = Files.writeString(folder.resolve("list"), "{\"anomalies\":[]}");
    Path noJson = Files.writeString(folder.resolve("no.json"), "{\n!");
    Path empty = Files.writeString(folder.resolve("empty"), "");
    String secret = "&isotail.key=k-in-the-url";
    Map<List<String>, String> mistakes =
        Map.ofEntries(
            Map.entry(database(), "found nothing to resolve; expected hashed keys, or --anomaly"),
            Map.entry(List.of(key), "found neither --url nor --values"),
            Map.entry(
                List.of("--url=" + database.jdbcUrl() + secret, key),
                "found isotail.key in --url, where everybody who runs ps can read it"),
            Map.entry(
                List.of("--url=jdbc:mysql://h/d", "--history=h", key), "expected jdbc:postgresql:"),
            Map.entry(
                List.of("--url=jdbc:postgresql://h:5x/d?password=hunter2", "--history=h", key),
                "--url cannot be read; expected jdbc:postgresql:"),
            Map.entry(
                List.of("--url=" + database.jdbcUrl(), key),
                "found no secret; expected isotail.key"),
            Map.entry(
                List.of("--url=jdbc:postgresql://localhost:1/x?user=u", "--history=h", key),
                "no database answers at localhost:1: connection refused"),
            Map.entry(
                List.of("--url=" + database.jdbcUrl(), "--history=h", "--user=me", key),
                "found the user in --url and in an option"),
            Map.entry(
                arguments(database(), List.of("small#12zz")),
                "found \"small#12zz\"; expected a hashed key"),
            Map.entry(
                arguments(database(), List.of("18446744073709551616")), "expected a hashed key"),
            Map.entry(
                arguments(database(), List.of("none#0d6c8009d9a94f5a")),
                "found no table none in isotail.tables (small, big,"),
            Map.entry(arguments(database(), List.of("--table=big", key)), "not in a table that"),
            Map.entry(arguments(database(), List.of("--limit=0", key)), "expected at least 1"),
            Map.entry(
                arguments(database(), List.of("--observed=small(k;v)", "--table=small", key)),
                "key column k was not found in the database"),
            Map.entry(arguments(database(), List.of("--observed=small(id)", key)), "expected ';'"),
            Map.entry(
                arguments(database(), List.of("--key-file=" + empty, key)),
                "empty; expected one line"),
            Map.entry(
                List.of("--settings=" + settings, "--values=" + empty, key),
                "found no type of column id of small"),
            Map.entry(
                arguments(database(), List.of("--anomaly=" + list)), "found a list of anomalies"),
            Map.entry(arguments(database(), List.of("--anomaly=" + noJson)), "line 2 is no JSON"),
            Map.entry(
                arguments(database(), List.of("--anomaly=" + folder.resolve("none"))),
                "found nothing there; expected a file"));
    Set<String> notBad = Set.of("key column k was not found in the database");
    mistakes.forEach(
        (arguments, message) -> {
          int expected = notBad.contains(message) ? ExitCode.NOT_FOUND : ExitCode.BAD;
          assertThat(resolve(arguments)).as("%s: %s", arguments, err).isEqualTo(expected);
          assertThat(err.toString()).contains(message).doesNotContain("\tat ", "k-in-the-url");
        });
  }

  @Test
  void nothingCanBeWritten() throws Exception {
    try (ReadOnlyDatabase opened =
            ReadOnlyDatabase.open(database.jdbcUrl(), new Properties(), Duration.ofSeconds(20));
        Statement statement = opened.connection().createStatement()) {
      assertThatThrownBy(() -> statement.execute("INSERT INTO small VALUES (99, 1)"))
          .hasMessageContaining("read-only transaction");
    }
  }

  /** A lost update on a row, found by a checker in what the driver recorded, as its document. */
  private Path lostUpdate(boolean clearNames) throws Exception {
    try (Connection one = recorded(SECRET, clearNames);
        Connection two = recorded(SECRET, clearNames)) {
      run(one, "UPDATE word SET v = 1 WHERE id = ?", "b");
      one.setAutoCommit(false);
      two.setAutoCommit(false);
      run(one, "SELECT id, v FROM word WHERE id = ?", "b");
      run(two, "SELECT id, v FROM word WHERE id = ?", "b");
      run(one, "UPDATE word SET v = 42 WHERE id = ?", "b");
      one.commit();
      run(two, "UPDATE word SET v = 43 WHERE id = ?", "b");
      two.commit();
    }
    List<Anomaly> anomalies = new ArrayList<>();
    Checker checker =
        new Checker(
            CheckerConfig.forFile("shop", IsolationLevel.SNAPSHOT_ISOLATION)
                .withPromise(IsolationLevel.SNAPSHOT_ISOLATION),
            new AnomalyListener() {
              @Override
              public void found(Anomaly anomaly) {
                anomalies.add(anomaly);
              }

              @Override
              public void repeated(String id, long occurrences) {}
            });
    for (int i = 0; i < records.size(); i++) {
      checker.accept(i, 0, records.get(i));
    }
    checker.finish();
    assertThat(anomalies).hasSize(1);
    return Files.write(
        folder.resolve("anomaly.json"), AnomalyDocument.bytes(anomalies.get(0), 0, 0));
  }

  private List<String> database() {
    return List.of("--settings=" + settings, "--url=" + database.jdbcUrl());
  }

  private static List<String> arguments(List<String> options, List<String> more) {
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(more);
    return arguments;
  }

  /** The keys of what was recorded, as witnesses show them. */
  private List<String> shown() {
    return records.stream()
        .map(TransactionRecord::operations)
        .map(o -> "%s#%016x".formatted(o.statement(0).table(), o.key(0)))
        .distinct()
        .toList();
  }

  private List<String> numbers() {
    return records.stream()
        .map(TransactionRecord::operations)
        .map((Operations o) -> Long.toUnsignedString(o.key(0)))
        .distinct()
        .toList();
  }

  private int resolve(List<String> arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    List<String> all = new ArrayList<>(List.of("resolve"));
    all.addAll(arguments);
    return Main.run(
        new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(new String[0]));
  }

  /** A connection of an application that is observed. */
  private Connection recorded(String secret, boolean clearNames) throws SQLException {
    CaptureConfig config =
        new CaptureConfig(
            "shop",
            "checkout",
            "1",
            null,
            ObservedTables.parse(TABLES),
            secret,
            clearNames,
            Set.of(),
            true,
            1_000,
            1_000,
            null,
            Map.of());
    TransactionSink sink =
        new TransactionSink() {
          @Override
          public void writeStarted(long session, long transaction) {}

          @Override
          public void transaction(TransactionRecord record) {
            records.add(record);
          }
        };
    ConnectionWrapper wrapper = IsotailDriver.wrapper(config, sink, null);
    return wrapper.wrap(
        DriverManager.getConnection(database.jdbcUrl() + "&currentSchema=public,shop"));
  }

  private static void run(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      if (statement.execute()) {
        assertThat(statement.getResultSet().next()).as(Arrays.toString(parameters)).isTrue();
      } else {
        assertThat(statement.getUpdateCount()).isEqualTo(1);
      }
    }
  }

  private static void direct(String... statements) throws SQLException {
    try (Connection c = DriverManager.getConnection(database.jdbcUrl());
        Statement s = c.createStatement()) {
      for (String sql : statements) {
        s.execute(sql);
      }
    }
  }
}
