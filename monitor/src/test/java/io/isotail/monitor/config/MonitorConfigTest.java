package io.isotail.monitor.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MonitorConfigTest {
  @TempDir Path folder;

  @Test
  void theDefaultsWork() {
    MonitorConfig config = MonitorConfig.load(null, Map.of(), Map.of());

    assertThat(config.kafka().bootstrap()).isEqualTo("127.0.0.1:9092");
    assertThat(config.http())
        .isEqualTo(
            new MonitorConfig.Http(
                "127.0.0.1",
                9617,
                null,
                "https://github.com/isotail/isotail/blob/main/dashboards/runbooks",
                null,
                null,
                null));
    assertThat(config.history("any").forChecker("any")).isEqualTo(CheckerConfig.forLive("any"));
  }

  @Test
  void flagsWinOverTheEnvironmentWhichWinsOverTheFile() throws IOException {
    Path file =
        yaml(
            """
            kafka:
              bootstrap: file:1
              events-topic: from-file
              anomalies-topic: file-anomalies
              properties:
                security.protocol: SSL
                ssl:
                  truststore.location: /etc/trust
            """);
    MonitorConfig config =
        MonitorConfig.load(
            file,
            Map.of(
                "ISOTAIL_KAFKA_BOOTSTRAP", "env:2",
                "ISOTAIL_KAFKA_EVENTS_TOPIC", "from-env",
                "ISOTAIL_KAFKA_PROPERTIES_SASL_MECHANISM", "PLAIN",
                "ISOTAIL_DEFAULTS_WINDOW_TRANSACTIONS", "777",
                "ISOTAIL_HOME", "of the launcher"),
            Map.of("kafka.bootstrap", "flag:3"));

    assertThat(config.kafka().bootstrap()).isEqualTo("flag:3");
    assertThat(config.kafka().eventsTopic()).isEqualTo("from-env");
    assertThat(config.kafka().anomaliesTopic()).isEqualTo("file-anomalies");
    assertThat(config.kafka().properties())
        .containsOnly(
            Map.entry("security.protocol", "SSL"),
            Map.entry("ssl.truststore.location", "/etc/trust"),
            Map.entry("sasl.mechanism", "PLAIN"));
    assertThat(config.defaults().checker().windowTransactions()).isEqualTo(777);
  }

  @Test
  void aHistoryTakesWhatItDoesNotSayFromTheDefaults() throws IOException {
    Path file =
        yaml(
            """
            defaults:
              window: {transactions: 5_000}
              promises: {"postgresql:repeatable-read": causal}
            histories:
              shop:
                promise: causal
                closed: true
              eu.orders:
                unique-versions: false
                promises: {"postgresql:serializable": prefix}
              bare: {}
            """);
    MonitorConfig config = MonitorConfig.load(file, Map.of(), Map.of());

    HistoryConfig shop = config.history("shop");
    assertThat(shop.checker().promise()).isEqualTo(IsolationLevel.CAUSAL);
    assertThat(shop.checker().closed()).isTrue();
    assertThat(shop.checker().windowTransactions()).isEqualTo(5_000);
    assertThat(config.history("eu.orders").checker().uniqueVersions()).isFalse();
    assertThat(config.history("eu.orders").checker().promises())
        .containsEntry("postgresql:repeatable-read", IsolationLevel.CAUSAL)
        .containsEntry("postgresql:serializable", IsolationLevel.PREFIX)
        .containsEntry("postgresql:read-committed", IsolationLevel.READ_COMMITTED);
    assertThat(config.histories()).containsOnlyKeys("shop", "eu.orders", "bare");
    assertThat(config.history("undeclared").checker().promise()).isNull();
  }

  @Test
  void aPromiseByLevelDeclaresItsHistoryWithoutAFile() {
    MonitorConfig config =
        MonitorConfig.of(Map.of("histories.eu.bank.promises.postgresql:serializable", "causal"));

    assertThat(config.histories()).containsOnlyKeys("eu.bank");
    assertThat(config.history("eu.bank").checker().promises())
        .containsEntry("postgresql:serializable", IsolationLevel.CAUSAL)
        .containsEntry("postgresql:repeatable-read", IsolationLevel.SNAPSHOT_ISOLATION);
    assertThat(config.history("eu.bank").checker().promise()).isNull();
  }

  @Test
  void standbysArePromisedLessUnlessMoreIsDeclared() {
    MonitorConfig config =
        MonitorConfig.of(
            Map.of("histories.shop.promises.postgresql-standby:read-committed", "causal"));

    assertThat(config.history("shop").checker().promises())
        .containsEntry("postgresql-standby:read-committed", IsolationLevel.CAUSAL)
        .containsEntry("postgresql-standby:repeatable-read", IsolationLevel.CAUSAL)
        .containsEntry("postgresql:read-committed", IsolationLevel.READ_COMMITTED);
    assertThat(config.defaults().checker().promises())
        .containsEntry("postgresql-standby:read-committed", IsolationLevel.READ_COMMITTED);
  }

  @Test
  void aHistoryHasItsOwnLabelsOverThoseOfTheDefaults() throws IOException {
    Path file =
        yaml(
            """
            defaults:
              labels: {team: platform, tier: "2", region: eu}
            histories:
              shop:
                labels: {team: payments, tier: ""}
              bare: {}
            """);
    MonitorConfig config =
        MonitorConfig.load(
            file,
            Map.of("ISOTAIL_DEFAULTS_LABELS_COST_CENTER", "4711"),
            Map.of("histories.eu.bank.labels.team", "ledger"));

    assertThat(config.history("shop").labels())
        .isEqualTo(Map.of("team", "payments", "region", "eu", "cost_center", "4711"));
    assertThat(config.history("bare").labels())
        .isEqualTo(config.history("undeclared").labels())
        .isEqualTo(Map.of("team", "platform", "tier", "2", "region", "eu", "cost_center", "4711"));
    assertThat(config.histories()).containsOnlyKeys("shop", "bare", "eu.bank");
    assertThat(config.history("eu.bank").labels()).containsEntry("team", "ledger");
    assertThat(
            MonitorConfig.lines(file, Map.of(), Map.of("histories.shop.labels.team", "checkout")))
        .contains("defaults.labels.team: platform", "histories.shop.labels.team: checkout")
        .doesNotContain("histories.shop.labels.tier: ");
  }

  @Test
  void aHistoryWhoseNameHoldsTheWordLabelsIsStillOne() {
    MonitorConfig config = MonitorConfig.of(Map.of("histories.eu.labels.shop.promise", "causal"));

    assertThat(config.histories()).containsOnlyKeys("eu.labels.shop");
    assertThat(config.history("eu.labels.shop").labels()).isEmpty();
  }

  @Test
  void everyMistakeIsListedAtOnce() throws IOException {
    Path file =
        yaml(
            """
            kafka: {bootstrap: nowhere, partitions: 0, events-topic: "a b", topics: x}
            http: {port: 70000, public-url: "shop"}
            defaults: {promise: causl, closed: maybe, level: serial}
            histories:
              shop: {window: {transactions: 1}, pending: [1]}
            """);
    ConfigException e =
        catchThrowableOfType(
            ConfigException.class,
            () ->
                MonitorConfig.load(
                    file, Map.of("ISOTAIL_HTTP_PROT", "1"), Map.of("max-histories", "-1")));

    assertThat(e.errors())
        .anyMatch(m -> m.startsWith("kafka.bootstrap=nowhere:") && m.contains("HOST:PORT"))
        .anyMatch(m -> m.startsWith("kafka.partitions=0: expected a whole number from 1"))
        .anyMatch(m -> m.startsWith("kafka.events-topic=a b:"))
        .anyMatch(m -> m.startsWith("kafka.topics (") && m.contains("no such setting"))
        .anyMatch(m -> m.startsWith("http.port=70000: expected a whole number from 0 to 65535"))
        .anyMatch(m -> m.startsWith("http.public-url=shop:"))
        .anyMatch(m -> m.startsWith("defaults.promise=causl:") && m.contains("read-committed"))
        .anyMatch(m -> m.startsWith("defaults.closed=maybe: expected true or false"))
        .anyMatch(m -> m.startsWith("defaults.level=serial: ") && m.contains("read-committed"))
        .anyMatch(m -> m.startsWith("histories.shop.window.transactions=1: expected"))
        .anyMatch(m -> m.startsWith("histories.shop.pending (") && m.contains("a list"))
        .anyMatch(m -> m.startsWith("ISOTAIL_HTTP_PROT: no such setting"))
        .anyMatch(m -> m.startsWith("max-histories=-1:"));
  }

  @Test
  void brokenYamlIsNamedWithItsLine() throws IOException {
    Path file = yaml("kafka:\n  bootstrap: [\n");
    ConfigException e =
        catchThrowableOfType(
            ConfigException.class, () -> MonitorConfig.load(file, Map.of(), Map.of()));

    assertThat(e.errors()).singleElement().asString().startsWith(file + ":").contains("not YAML");
  }

  @Test
  void theTablesOfTheReadmeAreThoseOfTheCode() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    for (Set<Setting> table : List.of(Setting.MONITOR, Setting.HISTORY)) {
      String expected =
          "| setting | may be | default | what |\n|---|---|---|---|\n"
              + table.stream().map(Setting::row).collect(Collectors.joining("\n"))
              + "\n\n";
      assertThat(readme.contains(expected)).as("paste into README.md:\n%s", expected).isTrue();
    }
  }

  private Path yaml(String text) throws IOException {
    return Files.writeString(folder.resolve("isotail.yaml"), text);
  }
}
