package io.isotail.monitor.steady;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One scrape of a monitor. */
final class Scrape {
  private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+)");
  private static final Pattern BOUND = Pattern.compile(".*le=\"([^\"]+)\".*");
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final List<Sample> samples = new ArrayList<>();

  private record Sample(String name, String labels, double value) {}

  private Scrape(String text) {
    for (String line : text.split("\n")) {
      Matcher sample = SAMPLE.matcher(line);
      if (!line.startsWith("#") && sample.matches()) {
        String labels = sample.group(2);
        samples.add(
            new Sample(
                sample.group(1),
                labels == null ? "" : labels,
                Double.parseDouble(sample.group(3).replace("+Inf", "Infinity"))));
      }
    }
  }

  /** Scrapes the monitor at this address. */
  static Scrape of(URI address) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + "/metrics"))
            .timeout(Duration.ofSeconds(10))
            .build();
    return new Scrape(CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body());
  }

  /** Until the monitor at this address reads the log. */
  static void awaitReady(URI address) throws IOException, InterruptedException {
    while (of(address).sum("isotail_ready") < 1) {
      LockSupport.parkNanos(PAUSE_NS);
    }
  }

  /** Sum of the samples of this name whose labels contain the text. */
  double sum(String name, String labels) {
    return samples.stream()
        .filter(s -> s.name().equals(name) && s.labels().contains(labels))
        .mapToDouble(Sample::value)
        .sum();
  }

  /** Sum of all samples of this name. */
  double sum(String name) {
    return sum(name, "");
  }

  /** How many observations of a histogram were at most each bound, over all its series. */
  SortedMap<Double, Double> buckets(String histogram) {
    SortedMap<Double, Double> buckets = new TreeMap<>();
    for (Sample sample : samples) {
      Matcher bound = BOUND.matcher(sample.labels());
      if (sample.name().equals(histogram + "_bucket") && bound.matches()) {
        double le = Double.parseDouble(bound.group(1).replace("+Inf", "Infinity"));
        buckets.merge(le, sample.value(), Double::sum);
      }
    }
    return buckets;
  }

  /** Counts by bound of what was observed since an earlier scrape. */
  SortedMap<Double, Double> since(Scrape earlier, String histogram) {
    SortedMap<Double, Double> buckets = buckets(histogram);
    earlier.buckets(histogram).forEach((bound, count) -> buckets.merge(bound, -count, Double::sum));
    return buckets;
  }

  /** Quantile as Prometheus estimates it, NaN when nothing was observed. */
  static double quantile(double share, SortedMap<Double, Double> buckets) {
    double all = buckets.isEmpty() ? 0 : buckets.get(buckets.lastKey());
    double wanted = share * all;
    double below = 0;
    double belowCount = 0;
    for (var bucket : buckets.entrySet()) {
      if (bucket.getValue() >= wanted && all > 0) {
        double width = bucket.getKey() - below;
        double inside = bucket.getValue() - belowCount;
        return Double.isInfinite(width) ? below : below + width * (wanted - belowCount) / inside;
      }
      below = bucket.getKey();
      belowCount = bucket.getValue();
    }
    return Double.NaN;
  }
}
