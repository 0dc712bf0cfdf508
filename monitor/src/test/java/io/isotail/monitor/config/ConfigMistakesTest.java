package io.isotail.monitor.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.isotail.monitor.SelfSigned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Every mistake is told by the setting, or the variable, or the file and its line, with the value
 * found and with what was expected. The value of a name that does not exist is not shown, since it
 * may be a password under a misspelt name; there the name is what was found.
 */
final class ConfigMistakesTest {
  @TempDir static Path folder;

  private static SelfSigned signed;
  private static SelfSigned other;

  /** A file, variables and flags with one mistake, and the words of the one error about it. */
  private record Mistake(
      String yaml, Map<String, String> environment, Map<String, String> flags, String... words) {
    @Override
    public String toString() {
      return (yaml + environment + flags).replace("\n", "; ").replace("{}", "");
    }
  }

  static final List<Mistake> IN_FLAGS =
      List.of(
          flag("kafka.bootstrap", "broker", "'broker' is no server", "HOST:PORT"),
          flag("kafka.bootstrap", "a:1,,b:2", "'' is no server", "HOST:PORT"),
          flag("kafka.bootstrap", "a:99999", "HOST:PORT"),
          flag("kafka.bootstrap", "a:0", "HOST:PORT"),
          flag("kafka.bootstrap", "PLAINTEXT://a:9092", "HOST:PORT"),
          flag("kafka.events-topic", "a b", "expected 1 to 249 of"),
          flag("kafka.events-topic", "..", "neither . nor .."),
          flag("kafka.state-topic", "", "expected 1 to 249 of"),
          flag("kafka.status-topic", "a/b", "expected 1 to 249 of"),
          flag("kafka.status-topic", "isotail.state", "same as kafka.state-topic", "another"),
          flag(
              "kafka.anomalies-topic",
              "isotail.events",
              "the same as kafka.events-topic",
              "another"),
          flag("kafka.state-topic", "isotail.events", "the same as kafka.events-topic", "another"),
          flag(
              "kafka.state-topic", "isotail.anomalies", "same as kafka.anomalies-topic", "another"),
          flag("kafka.group", "shop/1", "expected 1 to 249 of"),
          flag("kafka.instance-id", "pod 1", "expected 1 to 249 of"),
          flag("kafka.create-topics", "yes", "expected true or false"),
          flag("kafka.partitions", "0", "from 1 to 10000"),
          flag("checkpoint.interval-ms", "60s", "a whole number from 100"),
          flag("kafka.properties.group.id", "mine", "expected kafka.group instead"),
          flag("kafka.properties.group.instance.id", "a", "expected kafka.instance-id instead"),
          flag("kafka.properties.bootstrap.servers", "a:1", "expected kafka.bootstrap instead"),
          flag("kafka.properties.transactional.id", "t", "expected kafka.group and"),
          flag("kafka.properties.enable.auto.commit", "true", "left out", "checkpoint.interval-ms"),
          flag("kafka.properties.isolation.level", "read_uncommitted", "left out"),
          flag("kafka.properties.auto.offset.reset", "latest", "left out", "kafka.group"),
          flag("kafka.properties.acks", "1", "left out"),
          flag("kafka.properties.key.serializer", "a.B", "left out"),
          flag("kafka.properties.value.serializer", "a.B", "left out"),
          flag("kafka.properties.key.deserializer", "a.B", "left out"),
          flag("kafka.properties.value.deserializer", "a.B", "left out"),
          flag("kafka.properties.group.protocol", "consumer", "left out"),
          flag("kafka.properties.request.timeout.ms", "5s", "expected", "type INT"),
          flag("kafka.properties.security.protocol", "TLS", "expected", "SASL_SSL"),
          flag("http.host", "", "expected a name or an address"),
          flag("http.host", "localhost:9617", "expected a name or an address", "no port"),
          flag("http.host", "http://localhost", "expected a name or an address"),
          flag("http.port", "65536", "from 0 to 65535"),
          flag("http.port", "-1", "from 0 to 65535"),
          flag("http.port", "9617.5", "a whole number"),
          flag("http.public-url", "isotail.example", "expected http(s)://HOST"),
          flag("http.public-url", "ftp://isotail.example", "expected http(s)://HOST"),
          flag("http.public-url", "https://a b", "expected http(s)://HOST"),
          flag("http.public-url", "https://a/?history=shop", "without user, query and fragment"),
          flag("trace.url-template", "javascript:alert({trace})", "expected http(s)://HOST"),
          flag("trace.url-template", "https://tempo.example/trace/", "with {trace} in place"),
          flag("trace.url-template", "https://{trace}.example/", "expected http(s)://HOST"),
          flag("otlp.endpoint", "collector:4318", "expected http(s)://HOST"),
          flag("otlp.endpoint", "http://c:4318/v1/logs", "expected it without /v1/logs"),
          flag("otlp.timeout-ms", "0", "100 to"),
          flag("http.user", "ops", "set alone", "http.password or http.password-file"),
          flag("anomalies.retained", "0", "from 1 to 1000000"),
          flag("max-histories", "many", "from 1 to 100000"),
          flag("shutdown-ms", "1", "from 100 to 3600000"),
          flag("defaults.promise", "causl", "expected one of read-committed, "),
          flag("defaults.level", "SERIALIZABLE", "expected one of read-committed, "),
          flag("defaults.closed", "1", "expected true or false"),
          flag("histories.shop.unique-versions", "TRUE", "expected true or false"),
          flag("histories.shop.deletes", "", "expected true or false"),
          flag("histories.shop.window.transactions", "1", "a whole number from 2"),
          flag("histories.shop.window.retired-versions", "-1", "a whole number from 0"),
          flag("histories.shop.pending.transactions", "4294967296", "a whole number from 1"),
          flag("histories.shop.transaction.operations", "0", "a whole number from 1"),
          flag("histories.shop.proxy.silent-after-ms", "10s", "a whole number from 1"),
          flag("defaults.clock-uncertainty", "10", "expected a time as in 10ms"),
          flag("defaults.shed.to", "read-atomic", "from causal on", "strict-serializable"),
          flag("histories.shop.shed.to", "strict-serializable", "weaker than strict-serializable"),
          flag("histories.shop.shed.to", "solid", "level"),
          flag("defaults.shed.after-ms", "0", "a whole number from 1"),
          flag("defaults.shed.recover-ms", "10m", "a whole number from 1"),
          flag("defaults.clock-uncertainty", "-5ms", "expected a time as in 10ms"),
          flag("defaults.clock-uncertainty", "0s", "expected a time as in 10ms"),
          flag("defaults.clock-uncertainty", "9999999h", "expected a time as in 10ms"),
          flag("defaults.counting-tables", "account orders", "commas between"),
          flag("defaults.labels.a-b", "x", "'a-b' is no name of a label", "letters, digits and _"),
          flag("histories.shop.labels.7up", "x", "no name of a label"),
          flag("histories.shop.labels.__team", "x", "no name of a label"),
          flag("histories.shop.labels.severity", "page", "expected none of", "severity"),
          flag("histories.shop.labels.history", "x", "uses itself"),
          flag("histories.shop.labels.team", "x".repeat(101), "101 characters", "at most 100"),
          flag("histories.shop.labels.team", "a\tb", "no control characters"),
          new Mistake(
              "",
              Map.of("ISOTAIL_DEFAULTS_LABELS_SLOT", "x"),
              Map.of(),
              "defaults.labels.slot=x",
              "uses itself",
              "set by ISOTAIL_DEFAULTS_LABELS_SLOT"),
          new Mistake(
              "histories: {shop: {labels: {code: 0123}}}",
              Map.of(),
              Map.of(),
              "histories.shop.labels.code",
              "a number",
              "put it in quotes"),
          new Mistake(
              "histories: {shop: {labels: {team: {a: b}}}}",
              Map.of(),
              Map.of(),
              "histories.shop.labels.team",
              "expected one value"),
          new Mistake(
              "histories: {shop: {labels: payments}}",
              Map.of(),
              Map.of(),
              "histories.shop.labels",
              "expected names and values below it"),
          new Mistake(
              "{defaults: {labels: {a: x, b: x, c: x, d: x}}, histories: {shop: {labels: {e: x, f: x, g: x, h: x, i: x}}}}",
              Map.of(),
              Map.of(),
              "histories.shop.labels.*",
              "9 labels",
              "at most 8"),
          flag("http.runbook-url", "wiki", "expected http(s)://HOST"),
          flag("defaults.promises.serializable", "causal", "expected DATABASE:LEVEL"),
          flag("defaults.promises.postgresql:repeatable_read", "causal", "expected DATABASE:LEVEL"),
          flag(
              "defaults.promises.postgresql-standby:snapshot",
              "causal",
              "postgresql-standby:repeatable-read"),
          flag("histories.shop.promises.postgresql:serializable", "none", "expected one of"),
          new Mistake(
              "",
              Map.of(),
              Map.of("defaults.level", "causal", "histories.shop.promise", "serializable"),
              "histories.shop.promise=serializable",
              "stronger than defaults.level=causal",
              "expected at most that"),
          new Mistake(
              "",
              Map.of(),
              Map.of("defaults.level", "causal", "defaults.promises.db:x", "prefix"),
              "defaults.promises.db:x=prefix",
              "stronger than defaults.level=causal",
              "expected at most that"),
          new Mistake(
              "",
              Map.of(),
              Map.of(
                  "max-histories", "1", "histories.a.closed", "true", "histories.b.closed", "true"),
              "max-histories=1",
              "fewer than the 2 histories declared",
              "at least as many"),
          unknown("http.prot", "expected one of", "http.port"),
          unknown("oops", "expected one of", "kafka.bootstrap", "histories.ID.NAME"),
          unknown("defaults.windw.transactions", "defaults.window.transactions"),
          unknown("histories.shop.prmise", "expected histories.ID.NAME", "promise"),
          unknown("histories.closed", "expected histories.ID.NAME", "closed"),
          new Mistake(
              "",
              Map.of(),
              Map.of("histories..closed", "true"),
              "histories.:",
              "without a name",
              "expected histories.ID.NAME"));

  static final List<Mistake> IN_FILES =
      List.of(
          file("kafka:\n  bootstrap: [\n", ":2:", "not YAML", "found '<stream end>'"),
          file("http:\n  port: 1\n  port: 2\n", ":3:", "'port'", "each name is given once"),
          file("http:\n  port: 1\n---\nhttp:\n  port: 2\n", "expected one document"),
          file("- kafka\n", "a list at the top", "expected names and values"),
          file("kafka\n", "one value at the top", "expected names and values"),
          file("http: {port: 1}\nhttp.port: 2\n", "http.port (", "given twice", "expected once"),
          file("http: 9617\n", "http (", "'9617'", "expected names and values below it"),
          file("defaults: {window: 5}\n", "defaults.window (", "'5'", "names and values below it"),
          file("histories: shop\n", "histories (", "'shop'", "names and values below it"),
          file("histories: [shop]\n", "histories (", "a list", "expected"),
          file("histories: {shop: causal}\n", "histories.shop (", "'causal'", "values below it"),
          file("kafka: {bootstrap: [a, b]}\n", "kafka.bootstrap (", "a list", "one value"),
          file(
              "defaults: {counting-tables: [a, b]}\n",
              "defaults.counting-tables (",
              "a list",
              "\"account, orders\""),
          file("http: {port: {a: 1}}\n", "http.port (", "values below it", "expected one value"),
          file("http: {port: {}}\n", "http.port (", "values below it", "expected one value"),
          new Mistake(
              "http: {port: }\n", Map.of(), Map.of(), "http.port=:", "expected a whole number"),
          file("htpp: {}\n", "htpp (", "no such setting", "http.port"),
          file("htpp: {port: 1}\n", "htpp.port (", "no such setting", "http.port"),
          file("http: {user: ops, password: 0123}\n", "http.password (", "a number", "in quotes"),
          file("closed: yes\n", "closed (", "no such setting", "defaults.closed"));

  static final List<Mistake> IN_VARIABLES =
      List.of(
          variable("ISOTAIL_HTTP_PROT", "1", "no such setting", "ISOTAIL_HTTP_PORT"),
          variable("ISOTAIL_KAFKA_TOPIC", "a", "no such setting", "ISOTAIL_KAFKA_EVENTS_TOPIC"),
          variable("ISOTAIL_CHECKPOINT_MS", "1", "ISOTAIL_CHECKPOINT_INTERVAL_MS"),
          variable("ISOTAIL_MAX_HISTORY", "1", "no such setting", "ISOTAIL_MAX_HISTORIES"),
          variable("ISOTAIL_SHUTDOWN", "1", "no such setting", "ISOTAIL_SHUTDOWN_MS"),
          variable("ISOTAIL_DEFAULTS_PROMIS", "a", "no such setting", "ISOTAIL_DEFAULTS_PROMISE"),
          variable("ISOTAIL_HISTORIES_SHOP_CLOSED", "true", "expected histories in the file"),
          variable("ISOTAIL_HTTP_PORT", "all", "http.port=all", "whole number", "set by "),
          variable(
              "ISOTAIL_KAFKA_PROPERTIES_GROUP_ID", "g", "group.id=g", "kafka.group", "set by "),
          variable("ISOTAIL_LOG_FORMAT", "xml", "=xml", "expected one of json, text"),
          variable("ISOTAIL_LOG_FORMAT", "", "ISOTAIL_LOG_FORMAT=: expected one of json, text"),
          variable("ISOTAIL_LOG", "loud", "=loud", "expected one of DEBUG, ERROR"));

  @BeforeAll
  static void makeCertificates() throws Exception {
    signed = SelfSigned.in(folder, "RSA");
    other = SelfSigned.in(folder, "EC");
  }

  @ParameterizedTest
  @FieldSource({"IN_FLAGS", "IN_FILES", "IN_VARIABLES"})
  void isNamedWithWhatWasFoundAndWhatWasExpected(Mistake mistake) throws IOException {
    Path file = null;
    if (!mistake.yaml().isEmpty()) {
      file = Files.writeString(folder.resolve("isotail.yaml"), mistake.yaml());
    }
    assertThat(errors(file, mistake.environment(), mistake.flags()))
        .singleElement()
        .asString()
        .contains(mistake.words());
  }

  @Test
  void aFileThatCannotBeReadIsNamed() throws IOException {
    Path none = folder.resolve("none.yaml");
    assertThat(errors(none, Map.of(), Map.of()))
        .containsExactly(none + ": cannot be read: nothing is there; expected a YAML file");
    assertThat(errors(folder, Map.of(), Map.of()))
        .singleElement()
        .asString()
        .isEqualTo(folder + ": cannot be read: it is a directory; expected a YAML file");
  }

  @Test
  void aPasswordIsNeverShown() throws IOException {
    String secret = "hunter2";
    assertThat(errors(Map.of("http.password", secret)))
        .containsExactly("http.password=(not shown): set alone; expected http.user too");
    Path password = Files.writeString(folder.resolve("password"), secret + "\n\n");
    Path empty = Files.writeString(folder.resolve("empty"), "\n");
    Path none = folder.resolve("no-password");
    List<String> found = new ArrayList<>();
    for (Map<String, String> flags :
        List.of(
            Map.of("http.user", "ops", "http.pasword", secret),
            Map.of("http.user", "ops", "http.password", secret + "\n"),
            Map.of("http.user", "o:s", "http.password", secret),
            Map.of("http.user", "ops", "http.password", secret, "http.password-file", "" + none),
            Map.of("http.user", "ops", "http.password-file", "" + password),
            Map.of("http.user", "ops", "http.password-file", "" + empty),
            Map.of("http.password-file", "" + password),
            Map.of("http.public-url", "https://ops:" + secret + "@isotail.example"))) {
      found.addAll(errors(flags));
    }
    assertThat(found)
        .noneMatch(m -> m.contains(secret))
        .anyMatch(m -> m.startsWith("http.pasword (flag): no such setting; expected one of"))
        .anyMatch(m -> m.startsWith("http.password=(not shown): expected no control"))
        .anyMatch(m -> m.startsWith("http.user=o:s: expected a name without :"))
        .anyMatch(
            m ->
                m.equals(
                    "http.password-file="
                        + none
                        + ": http.password is set too; expected one of the two"))
        .anyMatch(m -> m.startsWith("http.password-file=" + none + ": cannot be read"))
        .anyMatch(m -> m.startsWith("http.password-file=" + password + ": more than one line; exp"))
        .anyMatch(m -> m.startsWith("http.password-file=" + empty + ": empty; expected a password"))
        .anyMatch(m -> m.startsWith("http.password-file=" + password + ": set alone; expected"))
        .anyMatch(m -> m.startsWith("http.public-url=https://…@isotail.example: expected"));
  }

  @Test
  void headersOfEventsAreTakenByVariableAndNeverShown() {
    String secret = "Bearer%20open%2Csesame+";
    Map<String, String> variables =
        Map.of(
            "ISOTAIL_OTLP_ENDPOINT",
            "https://collector.example/otlp/",
            "ISOTAIL_OTLP_HEADERS",
            "Authorization=" + secret + ", X-Scope = a=b ,");
    MonitorConfig.Otlp otlp = MonitorConfig.load(null, variables, Map.of()).otlp();
    assertThat(otlp).isNotNull();
    assertThat(otlp.endpoint()).hasToString("https://collector.example/otlp/v1/logs");
    assertThat(otlp.headers())
        .isEqualTo(Map.of("Authorization", "Bearer open,sesame+", "X-Scope", "a=b"));
    assertThat(otlp.toString()).doesNotContain("sesame");
    assertThat(MonitorConfig.lines(null, variables, Map.of()))
        .contains("otlp.endpoint: https://collector.example/otlp/", "otlp.headers: (set)");

    for (String wrong :
        List.of("sesame", "=sesame", "a b=sesame", "a=sesame%", "a=sesame%0A", "a=sesame…")) {
      assertThat(errors(Map.of("otlp.endpoint", "http://c", "otlp.headers", wrong)))
          .as(wrong)
          .containsExactly(
              "otlp.headers=(not shown): expected NAME=VALUE[,NAME=VALUE…], values in printable"
                  + " ASCII");
    }
    assertThat(errors(Map.of("otlp.endpoint", "http://c", "otlp.headers", "Host=sesame")))
        .containsExactly(
            "otlp.headers=(not shown): 'Host' is the monitor's own; expected it to be left out");
    assertThat(errors(Map.of("otlp.headers", "a=sesame")))
        .containsExactly("otlp.headers=(not shown): set alone; expected otlp.endpoint too");
  }

  @Test
  void certificatesAndKeysThatAreNoneAreNamed() throws IOException {
    String certificate = signed.certificate().toString();
    String key = signed.key().toString();
    String none = folder.resolve("none.pem").toString();
    String text = Files.writeString(folder.resolve("text.pem"), "no PEM").toString();
    String broken =
        Files.writeString(
                folder.resolve("broken.pem"),
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
                    + "-----BEGIN PRIVATE KEY-----\nMAAA\n-----END PRIVATE KEY-----\n")
            .toString();
    String encrypted =
        Files.writeString(
                folder.resolve("encrypted.pem"),
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAAA\n-----END ENCRYPTED PRIVATE KEY-----\n")
            .toString();
    assertTls(certificate, "", "http.tls.certificate=" + certificate, "expected http.tls.key too");
    assertTls("", key, "http.tls.key=" + key, "expected http.tls.certificate too");
    assertTls(none, key, "http.tls.certificate=" + none, "cannot be read", "in PEM");
    assertTls(text, key, "http.tls.certificate=" + text, "no certificate in it", "in PEM");
    assertTls(broken, key, "http.tls.certificate=" + broken, "no certificate in it", "in PEM");
    assertTls(key, key, "http.tls.certificate=" + key, "no certificate in it", "in PEM");
    assertTls(certificate, none, "http.tls.key=" + none, "cannot be read", "in PEM");
    assertTls(certificate, text, "http.tls.key=" + text, "no private key in it", "in PEM");
    assertTls(certificate, broken, "http.tls.key=" + broken, "expected a private key of RSA or EC");
    assertTls(certificate, encrypted, "http.tls.key=", "an encrypted key", "without a password");
    assertTls(
        certificate,
        other.key().toString(),
        "http.tls.key=" + other.key(),
        "not the key of http.tls.certificate=" + certificate,
        "expected that of the first certificate");
  }

  @Test
  void allMistakesOfAConfigurationAreListedEachOnce() throws IOException {
    Map<String, String> flags = new LinkedHashMap<>();
    Map<String, String> environment = new LinkedHashMap<>();
    List<String> words = new ArrayList<>();
    Stream.of(IN_FLAGS, IN_VARIABLES)
        .flatMap(List::stream)
        // One mistake for each setting, and none that needs the others to be right.
        .filter(m -> m.flags().size() + m.environment().size() == 1)
        .filter(m -> m.flags().keySet().stream().noneMatch(flags::containsKey))
        .filter(m -> m.environment().keySet().stream().noneMatch(environment::containsKey))
        .filter(m -> !m.flags().containsKey("kafka.anomalies-topic"))
        .filter(m -> !m.environment().containsKey("ISOTAIL_HTTP_PORT"))
        .filter(m -> !m.environment().containsKey("ISOTAIL_KAFKA_PROPERTIES_GROUP_ID"))
        .forEach(
            m -> {
              flags.putAll(m.flags());
              environment.putAll(m.environment());
              words.add(m.words()[0]);
            });
    Path file = Files.writeString(folder.resolve("many.yaml"), "http: {user: 7}\nhttpd: 1\n");
    List<String> errors = errors(file, environment, flags);

    assertThat(words).hasSizeGreaterThan(40);
    assertThat(errors).doesNotHaveDuplicates().hasSize(words.size() + 2);
    for (String word : words) {
      assertThat(errors).anyMatch(m -> m.contains(word));
    }
    ConfigException thrown = new ConfigException(errors);
    assertThat(thrown.getMessage()).contains("%d error(s)".formatted(errors.size()), errors.get(0));
  }

  @Test
  void aMistakeInTheDefaultsIsNotRepeatedForEachHistory() {
    assertThat(
            errors(
                Map.of(
                    "defaults.closed", "maybe",
                    "histories.a.deletes", "true",
                    "histories.b.deletes", "true")))
        .containsExactly("defaults.closed=maybe: expected true or false");
  }

  @Test
  void whatOnlyLooksLikeAMistakeIsTaken() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("fine.yaml"),
            """
            http:
            defaults: {}
            kafka.bootstrap: "[::1]:9092, broker.example:9093"
            histories:
              quiet:
              eu.orders: {promise: causal, level: causal}
            """);
    MonitorConfig config =
        MonitorConfig.load(
            file,
            Map.of("ISOTAIL_TABLES", "of the driver", "ISOTAIL_LOG", "debug", "ISOTAILX", "1"),
            Map.of(
                "http.host", "::",
                "http.public-url", "https://isotail.example:8443/shop/",
                "trace.url-template", "https://tempo.example:3000/explore?left={trace}#{trace}",
                "kafka.properties.ssl.engine.of.mine", "anything",
                "defaults.promises.mysql:repeatable-read", "causal"));

    assertThat(config.histories()).containsOnlyKeys("quiet", "eu.orders");
  }

  private static void assertTls(String certificate, String key, String... words) {
    Map<String, String> flags = Map.of("http.tls.certificate", certificate, "http.tls.key", key);
    assertThat(errors(flags)).singleElement().asString().contains(words);
  }

  private static List<String> errors(Map<String, String> flags) {
    return errors(null, Map.of(), flags);
  }

  private static List<String> errors(
      Path file, Map<String, String> environment, Map<String, String> flags) {
    ConfigException thrown =
        catchThrowableOfType(
            ConfigException.class, () -> MonitorConfig.load(file, environment, flags));
    assertThat(thrown).as("accepted").isNotNull();
    return thrown.errors();
  }

  private static Mistake flag(String name, String value, String... expected) {
    return new Mistake("", Map.of(), Map.of(name, value), and(name + "=" + value + ":", expected));
  }

  private static Mistake unknown(String name, String... expected) {
    String head = name + " (flag): no such setting";
    return new Mistake("", Map.of(), Map.of(name, "1"), and(head, expected));
  }

  private static Mistake file(String yaml, String... words) {
    return new Mistake(yaml, Map.of(), Map.of(), and("isotail.yaml", words));
  }

  private static Mistake variable(String name, String value, String... expected) {
    return new Mistake("", Map.of(name, value), Map.of(), and(name, expected));
  }

  private static String[] and(String first, String... others) {
    return Stream.concat(Stream.of(first), Stream.of(others)).toArray(String[]::new);
  }
}
