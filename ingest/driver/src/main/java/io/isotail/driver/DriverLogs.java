package io.isotail.driver;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.jul.JULServiceProvider;
import org.slf4j.spi.LocationAwareLogger;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Logs of the jar's classes: they go to {@code java.util.logging}, those of Kafka's client one
 * level lower than it says where it says INFO. An application did not choose that client, whose two
 * dumps of settings are 200 lines. Its warnings stay. Safe for any thread.
 */
public final class DriverLogs implements SLF4JServiceProvider {
  private static final String KAFKA = "org.apache.kafka.";

  private final JULServiceProvider jul = new JULServiceProvider();
  private final Map<String, Logger> ofKafka = new ConcurrentHashMap<>();

  @Override
  public void initialize() {
    jul.initialize();
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return name -> {
      Logger logger = jul.getLoggerFactory().getLogger(name);
      return name.startsWith(KAFKA) && logger instanceof LocationAwareLogger chatty
          ? ofKafka.computeIfAbsent(name, made -> new QuietLogger(chatty))
          : logger;
    };
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return jul.getMarkerFactory();
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return jul.getMDCAdapter();
  }

  @Override
  public String getRequestedApiVersion() {
    return jul.getRequestedApiVersion();
  }
}
