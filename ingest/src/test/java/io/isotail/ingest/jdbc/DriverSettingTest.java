package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.isotail.ingest.capture.CaptureConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class DriverSettingTest {
  private static CaptureConfig config(String parameter) {
    return settings(parameter).config();
  }

  private static CaptureSettings settings(String parameter) {
    String url =
        "jdbc:isotail:postgresql:db?isotail.history=h&isotail.kafka=k:1&isotail.tables=reg(k;v)&";
    return CaptureSettings.of(url + parameter, new Properties(), true, name -> null, name -> null);
  }

  @Test
  void whatIsNotSetHasTheDefaultOfTheTable() {
    CaptureConfig config = config("x=y");
    assertThat(config.service()).isEqualTo(DriverSetting.SERVICE.fallback());
    assertThat(config.chunkOperations()).hasToString(DriverSetting.CHUNK_OPERATIONS.fallback());
    assertThat(config.queueRecords()).hasToString(DriverSetting.QUEUE_RECORDS.fallback());
    assertThat(settings("x=y").startWaitMs()).hasToString(DriverSetting.START_WAIT_MS.fallback());
  }

  @Test
  void numbersHaveABound() {
    for (DriverSetting setting :
        List.of(DriverSetting.CHUNK_OPERATIONS, DriverSetting.QUEUE_RECORDS)) {
      assertThatThrownBy(() -> config(setting.key() + "=0"))
          .hasMessage(setting.key() + "=0; expected at least 1");
      assertThatThrownBy(() -> config(setting.key() + "=1.5"))
          .hasMessage(setting.key() + "=1.5; expected a whole number");
    }
  }

  /** A word that is neither would switch off what it should switch on. */
  @Test
  void switchesAreTrueOrFalse() {
    for (DriverSetting setting :
        List.of(DriverSetting.ENABLED, DriverSetting.CLEAR_NAMES, DriverSetting.REWRITE)) {
      for (String value : List.of("yes", "1", "")) {
        assertThatThrownBy(() -> config(setting.key() + "=" + value))
            .hasMessage(setting.key() + "=" + value + "; expected true or false");
      }
    }
    assertThat(config("isotail.enabled=FALSE")).isNull();
    assertThat(config("isotail.enabled=True&isotail.clear-names=%20true%20").clearNames()).isTrue();
  }

  @Test
  void whatIsWrongIsSaidOfADriverThatIsSwitchedOffToo() {
    assertThatThrownBy(() -> config("isotail.enabled=false&isotail.queue-records=0"))
        .hasMessageContaining("expected at least 1");
  }

  @Test
  void anUnknownSettingIsRefused() {
    assertThatThrownBy(() -> config("isotail.kafak=k:1"))
        .hasMessageStartingWith(
            "unknown setting isotail.kafak; known are [isotail.chunk-operations");
  }

  @Test
  void aSystemPropertyPassesAProducerSettingOnUnlessTheUrlDoes() {
    System.setProperty("isotail.kafka.linger.ms", "7");
    System.setProperty("isotail.kafka.acks", "1");
    try {
      String url = "jdbc:isotail:postgresql:db?isotail.history=h&isotail.kafka=k:1";
      CaptureConfig config =
          CaptureSettings.of(url + "&isotail.kafka.acks=all", new Properties(), true).config();
      assertThat(config.kafkaProperties())
          .containsOnly(entry("linger.ms", "7"), entry("acks", "all"));
    } finally {
      System.clearProperty("isotail.kafka.linger.ms");
      System.clearProperty("isotail.kafka.acks");
    }
  }

  @Test
  void aSystemPropertyThatIsNoSettingIsWarnedOfOnce() {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(SettingLookup.class);
    log.start();
    logger.addAppender(log);
    System.setProperty("isotail.histroy", "h");
    try {
      config("x=y");
      config("x=y");
    } finally {
      System.clearProperty("isotail.histroy");
      logger.detachAppender(log);
    }
    assertThat(log.list)
        .filteredOn(event -> event.getFormattedMessage().contains("isotail.histroy"))
        .hasSize(1);
  }

  @Test
  void theWaitForTheStreamCanBeSwitchedOff() {
    String key = DriverSetting.START_WAIT_MS.key();
    assertThat(settings(key + "=0").startWaitMs()).isZero();
    assertThatThrownBy(() -> settings(key + "=-1")).hasMessage(key + "=-1; expected at least 0");
  }

  @Test
  void whatOnlyTheWaitDiffersInSharesACapture() {
    String key = DriverSetting.START_WAIT_MS.key();
    assertThat(config(key + "=0")).isEqualTo(config(key + "=5000"));
  }

  @Test
  void theTableOfTheReadmeIsThatOfTheCode() throws IOException {
    String expected =
        "| setting | default | what |\n|---|---|---|\n"
            + Arrays.stream(DriverSetting.values())
                .map(DriverSetting::row)
                .collect(Collectors.joining("\n"))
            + "\n\n";
    boolean same = Files.readString(Path.of("README.md")).contains(expected);
    assertThat(same).as("paste into README.md:\n%s", expected).isTrue();
  }
}
