package io.isotail.monitor.config;

import java.util.List;
import java.util.Locale;

/**
 * The settings that exist. A setting of a history is written {@code defaults.NAME} for every
 * history and {@code histories.ID.NAME} for one.
 *
 * @param name dotted name, as the YAML file nests it
 * @param fallback value when nothing sets it; empty for none
 * @param help what it does, with its unit
 */
public record Setting(String name, String fallback, String help) {

  /** Settings of the monitor as a whole. */
  public static final List<Setting> MONITOR =
      List.of(
          new Setting("kafka.bootstrap", "127.0.0.1:9092", "brokers, HOST:PORT[,HOST:PORT…]"),
          new Setting("kafka.events-topic", "isotail.events", "topic that the proxies write"),
          new Setting("kafka.anomalies-topic", "isotail.anomalies", "topic for what is found"),
          new Setting("kafka.state-topic", "isotail.state", "compacted topic for saved states"),
          new Setting(
              "kafka.status-topic",
              "isotail.status",
              "topic by which instances tell each other where they stand"),
          new Setting(
              "kafka.group", "isotail-monitor", "consumer group of the instances that share work"),
          new Setting(
              "kafka.instance-id",
              "",
              "name of this instance in the group, the same after a restart; empty: a new one each"
                  + " time"),
          new Setting(
              "checkpoint.interval-ms",
              "10000",
              "least time between two saved states, in ms, up to 60 times as much where one takes"
                  + " long to save; a crash repeats as much"),
          new Setting("kafka.create-topics", "true", "whether missing topics are created"),
          new Setting("kafka.partitions", "1", "partitions of an events topic that is created"),
          new Setting("http.host", "127.0.0.1", "address that the page and metrics listen on"),
          new Setting("http.port", "9617", "port of the page and metrics; 0 takes any free one"),
          new Setting("http.public-url", "", "address that links in alerts use, if not its own"),
          new Setting("http.user", "", "the one user who may look; empty: everybody may"),
          new Setting("http.password", "", "password of http.user"),
          new Setting("http.password-file", "", "file with it, in place of http.password"),
          new Setting(
              "http.tls.certificate", "", "PEM file of the certificates; with it, HTTPS only"),
          new Setting("http.tls.key", "", "PEM file of the certificate's private key"),
          new Setting("anomalies.retained", "10000", "anomalies that the page can show"),
          new Setting("max-histories", "100", "histories checked; records of further ones are bad"),
          new Setting("shutdown-ms", "10000", "longest time that an orderly stop may take, in ms"));

  /** Settings of each history. */
  public static final List<Setting> HISTORY =
      List.of(
          new Setting(
              "promise", "", "level promised to every transaction; empty: by the level it ran at"),
          new Setting("level", "", "strongest level to check; empty: strict-serializable"),
          new Setting("closed", "false", "whether every writer is captured"),
          new Setting("unique-versions", "false", "whether no two writes of a key share a version"),
          new Setting(
              "counting-tables",
              "",
              "tables whose versions never start again, although rows may be deleted: a, b"),
          new Setting("deletes", "true", "whether keys can be deleted"),
          new Setting("window.transactions", "100000", "delivered transactions kept"),
          new Setting(
              "window.retired-versions", "400000", "versions remembered of what left the window"),
          new Setting("pending.transactions", "100000", "transactions that may wait for delivery"),
          new Setting("transaction.operations", "100000", "operations kept of one transaction"),
          new Setting(
              "clock-uncertainty",
              "",
              "how far the clocks of two proxies may be apart, such as 10ms; empty: times of two"
                  + " clocks are never compared (strict-serializable only)"),
          new Setting(
              "proxy.silent-after-ms", "10000", "silence after which a proxy is taken for dead"),
          new Setting(
              "shed.to",
              "",
              "strongest level to check while checking is behind, causal or more; empty: never"
                  + " fewer levels"),
          new Setting("shed.after-ms", "30000", "lag from which on levels are shed, in ms"),
          new Setting(
              "shed.recover-ms", "600000", "time without lag until all are checked again, in ms"),
          new Setting(
              "shed.obey",
              "true",
              "whether control records in the log may say up to which level is checked"));

  /** Prefix of the settings that go to every Kafka client as they are. */
  public static final String KAFKA_PROPERTIES = "kafka.properties.";

  /** Prefix of the settings that hold for every history. */
  public static final String DEFAULTS = "defaults.";

  /** Prefix of the settings of one history. */
  public static final String HISTORIES = "histories.";

  /** Prefix, within a history, of the entries of its table of promises. */
  public static final String PROMISES = "promises.";

  /** Name of the environment variable that sets {@code name}. */
  public static String environmentName(String name) {
    return "ISOTAIL_" + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }
}
