package io.isotail.ingest.chaos;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The metrics of a proxy or a monitor at one moment. */
final class Scrape {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** By name, samples added up, and each sample by its name with its labels. */
  private final Map<String, Double> values = new TreeMap<>();

  private Scrape(String text) {
    for (String line : text.split("\n")) {
      int space = line.lastIndexOf(' ');
      if (!line.startsWith("#") && space > 0) {
        String sample = line.substring(0, space);
        double value = Double.parseDouble(line.substring(space + 1).replace("+Inf", "Infinity"));
        int brace = sample.indexOf('{');
        values.merge(brace < 0 ? sample : sample.substring(0, brace), value, Double::sum);
        if (brace >= 0) {
          values.put(sample, value);
        }
      }
    }
  }

  /** Asks; null if there is no answer. */
  static @Nullable Scrape of(int port) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
            .timeout(Duration.ofSeconds(5))
            .build();
    try {
      HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() == 200 ? new Scrape(answer.body()) : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Whether a sample of a name is there. */
  boolean has(String name) {
    return values.containsKey(name);
  }

  /**
   * Sum of the samples of a name, or the one of a name with labels, as in {@code
   * lost_total{reason="queue-full"}}.
   *
   * @throws IllegalStateException if there is none: nothing is known of it then
   */
  long sum(String name) {
    Double sum = values.get(name);
    if (sum == null) {
      throw new IllegalStateException("no metric " + name);
    }
    return Math.round(sum);
  }
}
