package io.isotail.monitor.steady;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.steady.SteadyRun.Result;
import io.isotail.monitor.steady.SteadyRun.Sample;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Traffic at a fixed rate, and what becomes of latency, lag and memory. Its name keeps it out of
 * ordinary builds; {@code deploy/verify --campaign steady} runs it.
 */
final class SteadyCampaign {
  private static final int WARM_UP = Integer.getInteger("isotail.steady.warmup", 0);
  private static final int SECONDS = Integer.getInteger("isotail.steady.seconds", 600);
  private static final int RATE = Integer.getInteger("isotail.steady.rate", 2_000);
  private static final boolean MINI =
      Boolean.parseBoolean(System.getProperty("isotail.steady.mini", "true"));
  private static final boolean DRIVER = Boolean.getBoolean("isotail.steady.driver");
  private static final int KEYS = Integer.getInteger("isotail.steady.keys", 400);
  private static final int BETWEEN = Integer.getInteger("isotail.steady.between", 2_000);
  private static final int SEED = Integer.getInteger("isotail.steady.seed", 1);
  private static final int HEAP = Integer.getInteger("isotail.steady.heap", 2_048);
  private static final int MINUTE = 60;
  private static final double MB = 1 << 20;

  @TempDir private Path folder;

  @Test
  void latencyLagAndMemoryStayFlat() throws Exception {
    Result result =
        SteadyRun.run(
            folder,
            Duration.ofSeconds(WARM_UP),
            Duration.ofSeconds(SECONDS),
            RATE,
            HEAP,
            (broker, history) ->
                DRIVER
                    ? new DriverTraffic(broker, history, RATE, KEYS, SEED, folder)
                    : new EmitterTraffic(broker, history, RATE, BETWEEN, MINI, SEED));
    List<Sample> samples = result.samples();
    say(
        "| minute | checked/s | lag, records: mean, max | lag, s: max | checker busy | CPU | heap: least, most | resident |");
    say("|---|---|---|---|---|---|---|---|");
    for (int from = 0; from + 1 < samples.size(); from += MINUTE) {
      row(from / MINUTE + 1, samples.subList(from, Math.min(from + MINUTE + 1, samples.size())));
    }
    say("");
    say(
        "detection: %,.0f anomalies; p50 %.3f s, p99 %.3f s, p99.9 %.3f s, within 1 s %.5f",
        result.detection().get(Double.POSITIVE_INFINITY),
        Scrape.quantile(0.5, result.detection()),
        Scrape.quantile(0.99, result.detection()),
        Scrape.quantile(0.999, result.detection()),
        result.detection().get(1.0) / result.detection().get(Double.POSITIVE_INFINITY));
    say(
        "end to end: %,.0f transactions; p50 %.3f s, p99 %.3f s, p99.9 %.3f s",
        result.delay().isEmpty() ? 0 : result.delay().get(Double.POSITIVE_INFINITY),
        Scrape.quantile(0.5, result.delay()),
        Scrape.quantile(0.99, result.delay()),
        Scrape.quantile(0.999, result.delay()));
    say(
        "states saved: %.0f, %.2f s for all, the longest within %.1f s",
        result.saving().get(Double.POSITIVE_INFINITY),
        result.savingSeconds(),
        Scrape.quantile(1, result.saving()));
    say(
        "coverage %.5f, %.0f records lost, %,.0f anomalies of %,d put in, %d failures of the traffic",
        result.coverage(), result.lost(), result.anomalies(), result.injected(), result.errors());
    List<Sample> last = samples.subList(Math.max(1, samples.size() - MINUTE), samples.size());
    assertThat(result.anomalies()).as("anomalies").isPositive();
    if (!DRIVER) {
      assertThat(result.anomalies()).as("anomalies").isEqualTo(result.injected());
    }
    assertThat(Scrape.quantile(0.99, result.detection())).as("p99 of detection").isLessThan(1);
    assertThat(result.lost()).as("records lost").isZero();
    assertThat(result.coverage()).as("coverage").isGreaterThan(0.99);
    assertThat(rate(samples)).as("transactions a second").isGreaterThan(0.98 * RATE);
    assertThat(max(last, Sample::lagSeconds)).as("lag in the last minute").isLessThan(2);
  }

  private static void row(int minute, List<Sample> of) {
    Sample first = of.get(0);
    Sample last = of.get(of.size() - 1);
    int seconds = of.size() - 1;
    say(
        "| %d | %,.0f | %,.0f, %,.0f | %.2f | %.0f %% | %.0f %% | %,.0f MB, %,.0f MB | %,.0f MB |",
        minute,
        rate(of),
        of.stream().mapToDouble(Sample::lagRecords).average().orElse(0),
        max(of, Sample::lagRecords),
        max(of, Sample::lagSeconds),
        100 * (last.busySeconds() - first.busySeconds()) / seconds,
        100 * (last.cpuSeconds() - first.cpuSeconds()) / seconds,
        of.stream().mapToDouble(Sample::heapBytes).min().orElse(0) / MB,
        max(of, Sample::heapBytes) / MB,
        last.residentBytes() / MB);
  }

  private static double rate(List<Sample> of) {
    return (of.get(of.size() - 1).checked() - of.get(0).checked()) / (of.size() - 1);
  }

  private static double max(List<Sample> of, ToDoubleFunction<Sample> value) {
    return of.stream().mapToDouble(value).max().orElse(0);
  }

  private static void say(String format, Object... arguments) {
    System.out.println("steady: " + String.format(Locale.ROOT, format, arguments));
  }
}
