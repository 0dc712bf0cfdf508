package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureSetting;
import io.isotail.ingest.capture.Dialects;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * isotail's own settings, taken out of a JDBC URL and its properties.
 *
 * <p>A setting is looked for in this order: URL, connection properties, the file that {@code
 * isotail.config} names, system properties, environment ({@code ISOTAIL_TABLES} for {@code
 * isotail.tables}).
 *
 * @param realUrl the URL for the real driver, without any setting of isotail
 * @param realProperties the properties for the real driver, without any setting of isotail
 * @param config the configuration; null when nothing is to be observed
 * @param startWaitMs how long a connection may wait for its stream to begin; 0 for not at all
 */
record CaptureSettings(
    String realUrl, Properties realProperties, @Nullable CaptureConfig config, int startWaitMs) {

  static final String URL_PREFIX = "jdbc:isotail:";

  /**
   * Takes the settings apart.
   *
   * @param toKafka whether records go to Kafka, so that it must be told where that is
   * @throws IllegalArgumentException saying which setting is wrong and what was expected
   */
  static CaptureSettings of(String url, Properties properties, boolean toKafka) {
    return of(url, properties, toKafka, System::getProperty, System::getenv);
  }

  static CaptureSettings of(
      String url,
      Properties properties,
      boolean toKafka,
      UnaryOperator<@Nullable String> systemProperty,
      UnaryOperator<@Nullable String> environment) {
    Map<String, String> settings = new HashMap<>();
    Properties realProperties = new Properties();
    for (String name : properties.stringPropertyNames()) {
      String value = properties.getProperty(name);
      if (name.startsWith(DriverSetting.PREFIX)) {
        settings.put(name, value);
      } else {
        realProperties.setProperty(name, value);
      }
    }
    properties.forEach(
        (name, value) -> {
          if (!(name instanceof String) || !(value instanceof String)) {
            realProperties.put(name, value);
          }
        });
    String realUrl = stripUrl(url, settings);
    SettingLookup lookup = new SettingLookup(settings, systemProperty, environment);
    SettingLookup.warnOfUnknownProperties();
    CaptureConfig config = config(lookup, realUrl, toKafka);
    int startWaitMs = config == null ? 0 : lookup.number(DriverSetting.START_WAIT_MS);
    return new CaptureSettings(realUrl, realProperties, config, startWaitMs);
  }

  /** Moves isotail's parameters from the URL to {@code settings}. */
  static String stripUrl(String url, Map<String, String> settings) {
    String rest = "jdbc:" + url.substring(URL_PREFIX.length());
    int question = rest.indexOf('?');
    if (question < 0) {
      return rest;
    }
    List<String> kept = new ArrayList<>();
    for (String parameter : rest.substring(question + 1).split("&", -1)) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      if (name.startsWith(DriverSetting.PREFIX)) {
        String value = equals < 0 ? "true" : parameter.substring(equals + 1);
        settings.put(name, URLDecoder.decode(value, StandardCharsets.UTF_8));
      } else {
        kept.add(parameter);
      }
    }
    String base = rest.substring(0, question);
    return kept.isEmpty() ? base : base + "?" + String.join("&", kept);
  }

  private static @Nullable CaptureConfig config(
      SettingLookup settings, String realUrl, boolean toKafka) {
    boolean enabled = settings.bool(DriverSetting.ENABLED);
    settings.bool(DriverSetting.CLEAR_NAMES);
    settings.bool(DriverSetting.REWRITE);
    settings.number(DriverSetting.CHUNK_OPERATIONS);
    settings.number(DriverSetting.QUEUE_RECORDS);
    settings.number(DriverSetting.START_WAIT_MS);
    if (!enabled) {
      return null;
    }
    boolean findsTables = Dialects.of(DatabaseUrl.database(realUrl)).tablesQuery() != null;
    if (!findsTables) {
      settings.required(DriverSetting.TABLES, "reg(k;v)");
    }
    settings.required(DriverSetting.HISTORY, "orders-db");
    if (toKafka) {
      settings.required(DriverSetting.KAFKA, "kafka:9092");
    }
    return CaptureSetting.config(
        shared -> settings.find(DriverSetting.of(shared)),
        settings.withPrefix(SettingLookup.KAFKA_PREFIX));
  }
}
