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
          Map.entry("bootstrap.servers", "expected " + Setting.KAFKA_BOOTSTRAP + " instead"),
          Map.entry("group.id", "expected " + Setting.KAFKA_GROUP + " instead"),
          Map.entry("group.instance.id", "expected " + Setting.KAFKA_INSTANCE_ID + " instead"),
          Map.entry(
              "transactional.id",
              "expected %s and %s instead, of which it is made"
                  .formatted(Setting.KAFKA_GROUP, Setting.KAFKA_INSTANCE_ID)),
          Map.entry(
              "allow.auto.create.topics", "expected " + Setting.KAFKA_CREATE_TOPICS + " instead"),
          Map.entry(
              "enable.auto.commit",
              LEAVE_OUT
                  + "offsets are committed with what was found, see "
                  + Setting.CHECKPOINT_INTERVAL_MS),
          Map.entry(
              "auto.offset.reset",
              LEAVE_OUT
                  + "a %s without a saved state reads from the beginning"
                      .formatted(Setting.KAFKA_GROUP)),
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

  private static final String PROPERTIES = Setting.KAFKA_PROPERTIES.prefix();
  private static final List<Setting> TOPICS =
      List.of(
          Setting.KAFKA_EVENTS_TOPIC,
          Setting.KAFKA_ANOMALIES_TOPIC,
          Setting.KAFKA_STATE_TOPIC,
          Setting.KAFKA_STATUS_TOPIC,
          Setting.KAFKA_DECISIONS_TOPIC);

  private final SettingReader settings;

  private KafkaSettings(SettingReader settings) {
    this.settings = settings;
  }

  static MonitorConfig.Kafka read(SettingReader settings) {
    return new KafkaSettings(settings).read();
  }

  private MonitorConfig.Kafka read() {
    String instance = settings.text(Setting.KAFKA_INSTANCE_ID);
    MonitorConfig.Kafka kafka =
        new MonitorConfig.Kafka(
            bootstrap(),
            settings.text(Setting.KAFKA_EVENTS_TOPIC),
            settings.text(Setting.KAFKA_ANOMALIES_TOPIC),
            settings.text(Setting.KAFKA_STATE_TOPIC),
            settings.text(Setting.KAFKA_STATUS_TOPIC),
            settings.text(Setting.KAFKA_DECISIONS_TOPIC),
            settings.text(Setting.KAFKA_GROUP),
            instance.isEmpty() ? null : instance,
            settings.number(Setting.CHECKPOINT_INTERVAL_MS),
            settings.bool(Setting.KAFKA_CREATE_TOPICS),
            settings.number(Setting.KAFKA_PARTITIONS),
            properties());
    requireDifferentTopics();
    return kafka;
  }

  private void requireDifferentTopics() {
    for (int i = 0; i < TOPICS.size(); i++) {
      String topic = settings.text(TOPICS.get(i));
      for (Setting other : TOPICS.subList(0, i)) {
        if (topic.equals(settings.text(other))) {
          settings.wrong(TOPICS.get(i), topic, "the same as %s; expected another".formatted(other));
        }
      }
    }
  }

  private String bootstrap() {
    String value = settings.text(Setting.KAFKA_BOOTSTRAP);
    for (String server : value.split(",", -1)) {
      if (!isServer(server.trim())) {
        settings.wrong(
            Setting.KAFKA_BOOTSTRAP,
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

  private Map<String, String> properties() {
    Map<String, String> properties = new TreeMap<>();
    settings
        .below(PROPERTIES)
        .forEach(
            (property, value) -> {
              String owned = OWNED.get(property);
              if (property.isEmpty()) {
                settings.wrong(PROPERTIES, "(not shown)", "expected the name of a property");
              } else if (owned != null) {
                settings.wrong(PROPERTIES + property, value, "the monitor's own; " + owned);
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
              PROPERTIES + property,
              value,
              "expected what Kafka takes: " + checked.errorMessages().get(0));
          return;
        }
      }
    }
  }
}
