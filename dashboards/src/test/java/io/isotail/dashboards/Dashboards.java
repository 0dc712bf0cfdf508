package io.isotail.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The dashboards that Grafana finds in the folder. */
final class Dashboards {
  private static final Path FOLDER = Repository.DASHBOARDS.resolve("grafana");

  private Dashboards() {}

  /** All of them, by name of the file without its ending. */
  static Map<String, JsonNode> all() throws IOException {
    Map<String, JsonNode> dashboards = new TreeMap<>();
    try (Stream<Path> files = Files.walk(FOLDER)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".json")).toList()) {
        String name = file.getFileName().toString().replace(".json", "");
        dashboards.put(name, new ObjectMapper().readTree(file.toFile()));
      }
    }
    return dashboards;
  }

  /** What a dashboard asks of Prometheus: panels and annotations. */
  static List<String> expressions(JsonNode dashboard) {
    List<String> expressions = new ArrayList<>();
    dashboard.findValues("expr").forEach(e -> expressions.add(e.asText()));
    return expressions;
  }

  /** An expression as Grafana sends it for one history, with nothing of Grafana left in it. */
  static String filledIn(String expression, String history) {
    return expression
        .replace("$history", history)
        .replace("$__range", "5m")
        .replace("$__rate_interval", "1m")
        .replace("$__interval", "1m");
  }
}
