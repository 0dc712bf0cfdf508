package io.isotail.monitor.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureSetting;
import io.isotail.ingest.proxy.ProxyConfig;
import io.isotail.ingest.proxy.ProxyConfig.UpstreamTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProxySettingsTest {
  private static final Map<String, String> NEEDED =
      Map.of("upstream", "db:5432", "history", "shop", "kafka", "kafka:9092");

  @TempDir private Path folder;

  private static ProxySettings load(Map<String, String> environment, Map<String, String> more) {
    Map<String, String> flags = new HashMap<>(NEEDED);
    flags.putAll(more);
    return ProxySettings.load(null, environment, flags);
  }

  private static List<String> mistakes(Map<String, String> flags) {
    return catchThrowableOfType(
            ConfigException.class, () -> ProxySettings.load(null, Map.of(), flags))
        .errors();
  }

  private static List<String> mistakesWith(String name, String value) {
    Map<String, String> flags = new HashMap<>(NEEDED);
    flags.put(name, value);
    return mistakes(flags);
  }

  @Test
  void theDefaultsAreThoseOfProxyAndDriver() {
    ProxySettings settings = load(Map.of(), Map.of());
    assertThat(settings.proxy().listen()).hasToString("127.0.0.1:6432");
    assertThat(settings.proxy().upstream()).hasToString("db:5432");
    assertThat(settings.proxy().upstreamTls()).isEqualTo(UpstreamTls.PREFER);
    assertThat(settings.proxy().clientTls()).isNull();
    assertThat(settings.proxy().mostConnections()).isEqualTo(ProxyConfig.DEFAULT_CONNECTIONS);
    assertThat(settings.http().port()).isEqualTo(9618);
    CaptureConfig capture = settings.capture();
    assertThat(capture.history()).isEqualTo("shop");
    assertThat(capture.service()).isEqualTo(CaptureConfig.DEFAULT_SERVICE);
    assertThat(capture.secret()).isNull();
    assertThat(capture.rewrite()).isTrue();
    assertThat(settings.startWaitMs()).hasToString(CaptureSetting.START_WAIT_MS.fallback());
  }

  @Test
  void fileEnvironmentAndFlagsAreReadAndTheLastOneWins() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("proxy.yaml"),
            """
            listen: "[::1]:7000"
            upstream: db:1
            history: "0123"
            key: "0456"
            kafka: k:1
            kafka.acks: all
            upstream-tls:
              mode: require
            http:
              port: 7001
            queue-records: 5_000
            """);
    ProxySettings settings =
        ProxySettings.load(
            file,
            Map.of(
                "ISOTAIL_UPSTREAM", "db:2",
                "ISOTAIL_SERVICE", "orders",
                "ISOTAIL_KAFKA_SASL_JAAS_CONFIG", "x",
                "ISOTAIL_TABLES", "reg(k; v)"),
            Map.of("upstream", "db:3"));
    assertThat(settings.proxy().listen()).hasToString("[::1]:7000");
    assertThat(settings.proxy().upstream()).hasToString("db:3");
    assertThat(settings.proxy().upstreamTls()).isEqualTo(UpstreamTls.REQUIRE);
    assertThat(settings.http().port()).isEqualTo(7001);
    assertThat(settings.capture().history()).isEqualTo("0123");
    assertThat(settings.capture().secret()).isEqualTo("0456");
    assertThat(settings.capture().service()).isEqualTo("orders");
    assertThat(settings.capture().queueRecords()).isEqualTo(5_000);
    assertThat(settings.capture().tables().all()).hasSize(1);
    assertThat(settings.capture().kafkaProperties())
        .containsOnly(Map.entry("acks", "all"), Map.entry("sasl.jaas.config", "x"));
  }

  @Test
  void whatMustBeSetIsAskedForAtOnce() {
    assertThat(mistakes(Map.of()))
        .hasSize(3)
        .anyMatch(m -> m.startsWith("upstream: not set"))
        .anyMatch(m -> m.startsWith("history: not set"))
        .anyMatch(m -> m.startsWith("kafka: not set"));
  }

  @Test
  void withoutCaptureOnlyTheServerMustBeSet() {
    ProxySettings settings =
        ProxySettings.load(null, Map.of(), Map.of("upstream", "db:5432", "capture", "false"));
    assertThat(settings.captures()).isFalse();
    assertThat(mistakes(Map.of("capture", "false")))
        .singleElement()
        .asString()
        .contains("upstream");
  }

  @Test
  void eventLoopsAreFewerWhereBytesOnlyGoThrough() {
    int processors = Runtime.getRuntime().availableProcessors();
    assertThat(eventLoops(Map.of("upstream", "db:5432", "capture", "false")))
        .isEqualTo(Math.max(1, processors / 2));
    Map<String, String> captures =
        Map.of("upstream", "db:5432", "history", "shop", "kafka", "kafka:9092");
    assertThat(eventLoops(captures)).isEqualTo(processors);
    Map<String, String> told = new HashMap<>(captures);
    told.put("event-loops", "3");
    assertThat(eventLoops(told)).isEqualTo(3);
  }

  private static int eventLoops(Map<String, String> flags) {
    return ProxySettings.load(null, Map.of(), flags).proxy().eventLoops();
  }

  @ParameterizedTest
  @CsvSource({
    "listen, 6432, expected HOST:PORT",
    "upstream, db, expected HOST:PORT",
    "upstream, db:70000, expected HOST:PORT",
    "upstream, ::1:5432, expected HOST:PORT",
    "upstream-tls.mode, allow, expected one of disable",
    "upstream-tls.mode, verify-full, expected upstream-tls.ca too",
    "tls.certificate, none.pem, expected tls.key too",
    "max-connections, 0, expected a whole number",
    "queue-records, 0, expected a whole number",
    "rewrite, perhaps, expected true or false",
    "capture, perhaps, expected true or false",
    "tables, reg(, reg(",
    "histories.shop.closed, true, no such setting",
    "defaults.promise, serializable, no such setting",
    "kafka.bootstrap.x.y, 1, ''"
  })
  void mistakesNameSettingAndExpectation(String name, String value, String expected) {
    if (expected.isEmpty()) {
      assertThat(load(Map.of(), Map.of(name, value)).capture().kafkaProperties())
          .containsKey("bootstrap.x.y");
    } else {
      assertThat(mistakesWith(name, value)).anyMatch(m -> m.contains(name) && m.contains(expected));
    }
  }

  @Test
  void aVariableThatIsNoSettingIsRefused() {
    assertThat(
            catchThrowableOfType(
                    ConfigException.class,
                    () -> load(Map.of("ISOTAIL_UPSTREAM_TSL_MODE", "require"), Map.of()))
                .errors())
        .singleElement()
        .asString()
        .contains("ISOTAIL_UPSTREAM_TSL_MODE", "ISOTAIL_UPSTREAM_TLS_MODE");
  }

  @Test
  void secretsAreNotPrinted() {
    Map<String, String> flags = new HashMap<>(NEEDED);
    flags.put("key", "a-secret");
    flags.put("kafka.sasl.jaas.config", "another-secret");
    List<String> lines = ProxySettings.lines(null, Map.of(), flags);
    assertThat(lines)
        .contains("upstream: db:5432", "key: (set)", "kafka.sasl.jaas.config: (set)")
        .noneMatch(line -> line.contains("secret") && !line.startsWith("secrets:"));
    assertThat(lines).doesNotHaveDuplicates();
  }

  @Test
  void theTableOfTheGuideIsThatOfTheCode() throws IOException {
    String guide = Files.readString(Path.of("../ingest/guide/proxy.md"));
    String expected =
        "| setting | may be | default | what |\n|---|---|---|---|\n"
            + Setting.PROXY.stream().map(Setting::row).collect(Collectors.joining("\n"))
            + "\n\n";
    assertThat(guide.contains(expected)).as("paste into guide/proxy.md:\n%s", expected).isTrue();
  }
}
