package io.isotail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

/** What becomes of what Kafka's client logs. */
class DriverLogsTest {
  private final List<String> told = new ArrayList<>();

  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          told.add(record.getLevel() + " " + new SimpleFormatter().formatMessage(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private List<String> told(String name, Level level) {
    DriverLogs logs = new DriverLogs();
    logs.initialize();
    Logger jul = Logger.getLogger(name);
    jul.setLevel(level);
    jul.addHandler(handler);
    org.slf4j.Logger logger = logs.getLoggerFactory().getLogger(name);
    assertThat(logs.getLoggerFactory().getLogger(name)).isSameAs(logger);
    logger.info("version {}", 4);
    logger.warn("{} of {} nodes", 1, 2);
    logger.error("lost", new IllegalStateException("no node"));
    assertThat(logger.isInfoEnabled()).isEqualTo(told.size() == 3);
    return told;
  }

  @Test
  void whatKafkaSaysAtInfoIsForDebugging() {
    assertThat(told(ProducerConfig.class.getName(), Level.INFO))
        .containsExactly("WARNING 1 of 2 nodes", "SEVERE lost");
    told.clear();
    assertThat(told(KafkaProducer.class.getName(), Level.FINE))
        .containsExactly("FINE version 4", "WARNING 1 of 2 nodes", "SEVERE lost");
  }

  @Test
  void whatIsotailSaysStays() {
    assertThat(told(DriverLogs.class.getName(), Level.INFO))
        .containsExactly("INFO version 4", "WARNING 1 of 2 nodes", "SEVERE lost");
  }
}
