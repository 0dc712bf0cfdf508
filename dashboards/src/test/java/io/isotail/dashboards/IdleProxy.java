package io.isotail.dashboards;

import io.isotail.ingest.capture.KafkaSinks;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.monitor.config.ProxySettings;
import io.isotail.monitor.service.ProxyService;
import java.util.Map;

/** A proxy to which nobody connects: it exports all that it counts. */
final class IdleProxy {
  private IdleProxy() {}

  static ProxyService start() {
    ProxySettings settings =
        ProxySettings.load(
            null,
            Map.of(),
            Map.of(
                "listen", "127.0.0.1:0",
                "upstream", "127.0.0.1:1",
                "kafka", "127.0.0.1:1",
                "history", "shop",
                "http.port", "0"));
    return ProxyService.start(
        settings, CapturedConversations.of(settings.capture(), new KafkaSinks(), 0));
  }
}
