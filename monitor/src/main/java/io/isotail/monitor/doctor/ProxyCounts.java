package io.isotail.monitor.doctor;

import io.isotail.monitor.reach.Cause;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a proxy has counted at one moment, as its metrics tell it. */
final class ProxyCounts {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final String OF_A_PROXY = "isotail_proxy_connections_total";
  private static final Pattern SAMPLE = Pattern.compile("(isotail_\\w+(?:\\{[^}]*})?) (\\S+)");

  private final Map<String, Double> samples = new HashMap<>();

  private ProxyCounts() {}

  /**
   * Asks a proxy.
   *
   * @param authorization the header that says who asks; null for nobody
   * @throws UnansweredException if nothing, or something else than a proxy, answers there
   */
  static ProxyCounts of(URI metrics, @Nullable String authorization)
      throws UnansweredException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(metrics).timeout(PATIENCE);
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    HttpResponse<String> response;
    try {
      response =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(PATIENCE)
              .build()
              .send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UnansweredException(
          "no metrics are to be had at %s: %s".formatted(metrics, Cause.of(e)));
    }
    if (response.statusCode() == UNAUTHORIZED) {
      throw new UnansweredException(
          "%s asks for the user and the password of http.user; expected them in ISOTAIL_HTTP_USER and ISOTAIL_HTTP_PASSWORD"
              .formatted(metrics));
    }
    ProxyCounts counts = new ProxyCounts();
    response.body().lines().map(SAMPLE::matcher).filter(Matcher::matches).forEach(counts::add);
    if (response.statusCode() != OK || !counts.samples.containsKey(OF_A_PROXY)) {
      throw new UnansweredException(
          "%s answered %d without the metrics of a proxy; expected the address of its http.port"
              .formatted(metrics, response.statusCode()));
    }
    return counts;
  }

  private void add(Matcher sample) {
    try {
      samples.put(sample.group(1), Double.parseDouble(sample.group(2)));
    } catch (NumberFormatException e) {
      // A value such as +Inf, of which none is asked for.
    }
  }

  /** A sample's value, by its name with its labels. */
  double of(String sample) {
    return samples.getOrDefault(sample, 0.0);
  }

  /** The sum of all samples of a name. */
  double sum(String name) {
    return samples.entrySet().stream()
        .filter(e -> e.getKey().equals(name) || e.getKey().startsWith(name + "{"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /** By how much the sum of a name has grown since an earlier moment. */
  long since(ProxyCounts earlier, String name) {
    return Math.round(sum(name) - earlier.sum(name));
  }

  /** The values of a label whose samples have grown, with by how much. */
  Map<String, Long> grown(ProxyCounts earlier, String name, String label) {
    Map<String, Long> grown = new java.util.TreeMap<>();
    Pattern value = Pattern.compile(Pattern.quote(name) + "\\{.*\\b" + label + "=\"([^\"]*)\".*}");
    samples.forEach(
        (sample, now) -> {
          Matcher matcher = value.matcher(sample);
          long by = Math.round(now - earlier.of(sample));
          if (matcher.matches() && by > 0) {
            grown.put(matcher.group(1), by);
          }
        });
    return grown;
  }
}
