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

/** The metrics of a proxy or a monitor at one moment, samples of a name added up. */
final class Scrape {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Map<String, Double> sums = new TreeMap<>();

  private Scrape(String text) {
    for (String line : text.split("\n")) {
      int space = line.lastIndexOf(' ');
      if (!line.startsWith("#") && space > 0) {
        int brace = line.indexOf('{');
        String value = line.substring(space + 1).replace("+Inf", "Infinity");
        sums.merge(
            line.substring(0, brace < 0 ? space : brace), Double.parseDouble(value), Double::sum);
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

  /** Sum of the samples of a name; 0 if there is none. */
  long sum(String name) {
    return Math.round(sums.getOrDefault(name, 0.0));
  }
}
