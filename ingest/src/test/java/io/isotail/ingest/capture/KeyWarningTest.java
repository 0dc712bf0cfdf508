package io.isotail.ingest.capture;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.isotail.ingest.sql.ObservedTables;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class KeyWarningTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(KeyWarning.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final KeyWarning warning = new KeyWarning();

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(log);
  }

  private static CaptureConfig config(String secret) {
    return new CaptureConfig(
        "orders",
        "shop",
        "1",
        null,
        new ObservedTables(java.util.List.of()),
        secret,
        false,
        Set.of(),
        true,
        10,
        10,
        null,
        Map.of());
  }

  @Test
  void hashesWithoutASecretAreWarnedOfOnce() {
    warning.check(config("a secret"));
    warning.check(config(null).withClearNames());
    assertThat(log.list).isEmpty();
    warning.check(config(null));
    warning.check(config(" "));
    assertThat(log.list)
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.getFormattedMessage())
                    .contains("isotail.key is not set", "history orders"));
  }
}
