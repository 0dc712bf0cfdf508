package io.isotail.monitor.service;

import io.isotail.incremental.anomaly.Anomaly;
import java.net.URI;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Logs one line for each anomaly, with what it is about in the mapped diagnostic context, where a
 * collector of logs can search for it. Keys and versions stay out of it: the page has them.
 */
final class AnomalyLog implements Consumer<Anomaly> {
  private static final Logger log = LoggerFactory.getLogger(AnomalyLog.class);

  private final Function<String, URI> page;
  private final Consumer<Anomaly> next;

  /**
   * Logs before it tells the next one.
   *
   * @param page address of the page of an anomaly, by its id
   */
  AnomalyLog(Function<String, URI> page, Consumer<Anomaly> next) {
    this.page = page;
    this.next = next;
  }

  @Override
  public void accept(Anomaly anomaly) {
    Map<String, String> about =
        Map.of(
            "witness", anomaly.id(),
            "history", anomaly.history(),
            "level", anomaly.level().label(),
            "anomaly", anomaly.kind().label());
    about.forEach(MDC::put);
    try {
      log.info(
          "{} violates {} in history {}: {}",
          anomaly.kind().label(),
          anomaly.level().label(),
          anomaly.history(),
          page.apply(anomaly.id()));
    } finally {
      about.keySet().forEach(MDC::remove);
    }
    next.accept(anomaly);
  }
}
