package io.isotail.monitor.config;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;

/** The settings of the stream. */
final class KafkaSettings {
  private static final String LEAVE_OUT = "expected it to be left out: ";
  private static final String BYTES = LEAVE_OUT + "records are bytes to the clients";
  private static final String GROUP_WORK =
      LEAVE_OUT + "partitions change hands one by one, with their states";

  /**
   * Properties on which it rests that nothing is lost or reported twice, with what to do instead.
   */
  private static final Map<String, String> OWNED =
      Map.ofEntries(
          Map.entry("bootstrap.servers", "expected kafka.bootstrap instead"),
          Map.entry("group.id", "expected kafka.group instead"),
          Map.entry("group.instance.id", "expected kafka.instance-id instead"),
          Map.entry(
              "transactional.id",
              "expected kafka.group and kafka.instance-id instead, of which it is made"),
          Map.entry("allow.auto.create.topics", "expected kafka.create-topics instead"),
          Map.entry(
              "enable.auto.commit",
              LEAVE_OUT + "offsets are committed with what was found, see checkpoint.interval-ms"),
          Map.entry(
              "auto.offset.reset",
              LEAVE_OUT + "a kafka.group without a saved state reads from the beginning"),
          Map.entry("isolation.level", LEAVE_OUT + "it is always read_committed"),
          Map.entry("acks", LEAVE_OUT + "it is always all"),
          Map.entry("enable.idempotence", LEAVE_OUT + "it is always true"),
          Map.entry("partition.assignment.strategy", GROUP_WORK),
          Map.entry("group.protocol", GROUP_WORK),
          Map.entry("group.remote.assignor", GROUP_WORK),
          Map.entry("key.serializer", BYTES),
          Map.entry("value.serializer", BYTES),
          Map.entry("key.deserializer", BYTES),
          Map.entry("value.deserializer", BYTES));

  private final SettingReader settings;

  private KafkaSettings(SettingReader settings) {
    this.settings = settings;
  }

  static MonitorConfig.Kafka read(SettingReader settings) {
    return new KafkaSettings(settings).read();
  }

  private MonitorConfig.Kafka read() {
    MonitorConfig.Kafka kafka =
        new MonitorConfig.Kafka(
            bootstrap(),
            topic("kafka.events-topic"),
            topic("kafka.anomalies-topic"),
            topic("kafka.state-topic"),
            topic("kafka.status-topic"),
            topic("kafka.group"),
            settings.text("kafka.instance-id").isEmpty() ? null : topic("kafka.instance-id"),
            settings.number("checkpoint.interval-ms", 100, 86_400_000),
            settings.bool("kafka.create-topics"),
            settings.number("kafka.partitions", 1, 10_000),
            properties());
    requireOther(
        "kafka.anomalies-topic", kafka.anomaliesTopic(), "kafka.events-topic", kafka.eventsTopic());
    requireOther(
        "kafka.state-topic", kafka.stateTopic(), "kafka.events-topic", kafka.eventsTopic());
    requireOther(
        "kafka.state-topic", kafka.stateTopic(), "kafka.anomalies-topic", kafka.anomaliesTopic());
    requireOther(
        "kafka.status-topic", kafka.statusTopic(), "kafka.events-topic", kafka.eventsTopic());
    requireOther(
        "kafka.status-topic", kafka.statusTopic(), "kafka.anomalies-topic", kafka.anomaliesTopic());
    requireOther(
        "kafka.status-topic", kafka.statusTopic(), "kafka.state-topic", kafka.stateTopic());
    return kafka;
  }

  private String bootstrap() {
    String value = settings.text("kafka.bootstrap");
    for (String server : value.split(",", -1)) {
      if (!isServer(server.trim())) {
        settings.wrong(
            "kafka.bootstrap",
            value,
            "'%s' is no server; expected HOST:PORT[,HOST:PORT…]".formatted(server));
      }
    }
    return value;
  }

  private static boolean isServer(String server) {
    if (!server.matches("(\\[[0-9a-fA-F:.]+]|[^\\s:/@]+):[0-9]{1,5}")) {
      return false;
    }
    int port = Integer.parseInt(server.substring(server.lastIndexOf(':') + 1));
    return port >= 1 && port <= 65_535;
  }

  private String topic(String name) {
    String value = settings.text(name);
    if (!value.matches("[a-zA-Z0-9._-]{1,249}") || value.matches("\\.{1,2}")) {
      settings.wrong(name, value, "expected 1 to 249 of a-z A-Z 0-9 . _ - and neither . nor ..");
    }
    return value;
  }

  private void requireOther(String name, String value, String otherName, String other) {
    if (value.equals(other)) {
      settings.wrong(name, value, "the same as %s; expected another".formatted(otherName));
    }
  }

  private Map<String, String> properties() {
    Map<String, String> properties = new TreeMap<>();
    settings
        .below(Setting.KAFKA_PROPERTIES)
        .forEach(
            (property, value) -> {
              String owned = OWNED.get(property);
              if (property.isEmpty()) {
                settings.wrong(
                    Setting.KAFKA_PROPERTIES, "(not shown)", "expected the name of a property");
              } else if (owned != null) {
                settings.wrong(
                    Setting.KAFKA_PROPERTIES + property, value, "the monitor's own; " + owned);
              } else {
                checkWithKafka(property, value);
                properties.put(property, value);
              }
            });
    return properties;
  }

  /** Properties that no client knows are left to the plug-ins that may know them. */
  private void checkWithKafka(String property, String value) {
    for (ConfigDef known :
        List.of(
            ConsumerConfig.configDef(),
            ProducerConfig.configDef(),
            AdminClientConfig.configDef())) {
      ConfigDef.ConfigKey key = known.configKeys().get(property);
      if (key == null || key.type == ConfigDef.Type.PASSWORD) {
        continue;
      }
      for (ConfigValue checked : known.validate(Map.of(property, value))) {
        if (checked.name().equals(property) && !checked.errorMessages().isEmpty()) {
          settings.wrong(
              Setting.KAFKA_PROPERTIES + property,
              value,
              "expected what Kafka takes: " + checked.errorMessages().get(0));
          return;
        }
      }
    }
  }
}
