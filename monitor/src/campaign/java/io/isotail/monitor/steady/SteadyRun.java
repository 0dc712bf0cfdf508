package io.isotail.monitor.steady;

import io.isotail.ingest.sandbox.BrokerProcess;
import io.isotail.monitor.process.MonitorProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Traffic at a fixed rate over a real broker to a monitor that checks every level. */
final class SteadyRun {
  private static final String HISTORY = "steady";
  private static final long TICK_NS = TimeUnit.SECONDS.toNanos(1);

  /** Of many that are alike the monitor proves and publishes the first, and counts the others. */
  private static final String FOUND = "isotail_incident_violations_total";

  private SteadyRun() {}

  /**
   * What was seen in one second.
   *
   * @param checked transactions checked since the start
   * @param busySeconds time that the checker has worked since the start
   * @param heapBytes used, garbage included
   */
  record Sample(
      double checked,
      double lagRecords,
      double lagSeconds,
      double busySeconds,
      double heapBytes,
      double residentBytes,
      double cpuSeconds) {}

  /**
   * What came of it.
   *
   * @param samples one a second
   * @param detection observations of the time from commit to alert up to each bound, in seconds
   * @param delay observations of the time from commit to checked up to each bound, in seconds
   * @param saving pauses while a state was saved up to each bound, in seconds
   * @param savingSeconds all of them together
   * @param anomalies found
   * @param injected put in, -1 when that is not known
   * @param lost records that the stream lost
   * @param coverage share of reads decided
   * @param errors statements or records that failed
   */
  record Result(
      List<Sample> samples,
      SortedMap<Double, Double> detection,
      SortedMap<Double, Double> delay,
      SortedMap<Double, Double> saving,
      double savingSeconds,
      double anomalies,
      long injected,
      double lost,
      double coverage,
      long errors) {}

  /** Makes the traffic, over this broker. */
  interface Source {
    /** Starts it for a history. */
    SteadyTraffic start(String bootstrap, String history) throws Exception;
  }

  /**
   * Runs for so long, and waits until all of it is checked.
   *
   * @param warmUp for so long before that, which counts in the totals and not in the times: code is
   *     compiled and the window fills
   */
  static Result run(
      Path folder, Duration warmUp, Duration duration, int rate, int heapMegabytes, Source source)
      throws Exception {
    try (BrokerProcess broker = BrokerProcess.start(folder.resolve("broker"));
        MonitorProcess monitor =
            MonitorProcess.large(settings(broker), folder.resolve("monitor.log"), heapMegabytes)) {
      URI address = monitor.awaitAddress();
      Scrape.awaitReady(address);
      List<Sample> samples;
      Scrape begin;
      SteadyTraffic traffic = source.start(broker.bootstrapServers(), HISTORY);
      try {
        while (Scrape.of(address).sum("isotail_transactions_total") < rate) {
          LockSupport.parkNanos(TICK_NS / 20);
        }
        long warmNs = System.nanoTime() + warmUp.toNanos();
        while (System.nanoTime() - warmNs < 0) {
          LockSupport.parkNanos(warmNs - System.nanoTime());
        }
        begin = Scrape.of(address);
        samples = watch(address, monitor.handle(), duration);
      } finally {
        traffic.close();
      }
      Scrape end = settled(address, traffic.injected());
      return new Result(
          samples,
          end.since(begin, "isotail_detection_seconds"),
          end.since(begin, "isotail_end_to_end_delay_seconds"),
          end.since(begin, "isotail_state_saving_seconds"),
          end.sum("isotail_state_saving_seconds_sum")
              - begin.sum("isotail_state_saving_seconds_sum"),
          end.sum(FOUND),
          traffic.injected(),
          end.sum("isotail_lost_records_total"),
          end.sum("isotail_reads_decided_total") / end.sum("isotail_reads_total"),
          traffic.errors());
    }
  }

  /** Once all is checked and found; for a minute at most, since something may be missed. */
  private static Scrape settled(URI address, long injected)
      throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (true) {
      Scrape now = Scrape.of(address);
      boolean all = now.sum("isotail_lag_records") == 0 && now.sum(FOUND) >= injected;
      if (all || System.nanoTime() - deadlineNs > 0) {
        return now;
      }
      LockSupport.parkNanos(TICK_NS / 20);
    }
  }

  private static List<Sample> watch(URI address, ProcessHandle monitor, Duration duration)
      throws IOException, InterruptedException {
    List<Sample> samples = new ArrayList<>();
    long beginNs = System.nanoTime();
    for (long second = 0; second <= duration.toSeconds(); second++) {
      LockSupport.parkNanos(beginNs + second * TICK_NS - System.nanoTime());
      Scrape now = Scrape.of(address);
      samples.add(
          new Sample(
              now.sum("isotail_transactions_total", "outcome=\"committed\""),
              now.sum("isotail_lag_records"),
              now.sum("isotail_lag_seconds"),
              now.sum("isotail_checker_busy_seconds_total"),
              now.sum("jvm_memory_used_bytes", "area=\"heap\""),
              residentBytes(monitor.pid()),
              monitor.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3));
    }
    return samples;
  }

  /** As the system tells it; NaN where it does not. */
  private static double residentBytes(long pid) throws IOException {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    if (Files.exists(status)) {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith("VmRSS:")) {
          return 1024.0 * Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
    }
    return Double.NaN;
  }

  private static Map<String, String> settings(BrokerProcess broker) {
    Map<String, String> settings = new HashMap<>();
    settings.put("kafka.bootstrap", broker.bootstrapServers());
    settings.put("http.port", "0");
    settings.put("histories." + HISTORY + ".promise", "serializable");
    settings.put("histories." + HISTORY + ".closed", "true");
    settings.put("histories." + HISTORY + ".deletes", "false");
    settings.put("histories." + HISTORY + ".unique-versions", "true");
    return settings;
  }
}
