package io.isotail.monitor.kafka;

import io.isotail.monitor.reach.BrokerWords;
import io.isotail.monitor.reach.Reachability;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Asks twice a second where the log ends. That tells the lag, and whether the broker answers at
 * all: a consumer's poll returns nothing both when there is nothing and when there is no broker.
 *
 * <p>Called by two threads, of which one asks; answers arrive on the admin client's. Why there is
 * none is found out on a thread of its own, one at a time: Kafka's client tells neither host nor
 * cause.
 */
public final class BrokerProbe {
  private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long SILENT_NS = TimeUnit.SECONDS.toNanos(4);
  private static final int TIMEOUT_MS = 3_000;

  private final Admin admin;
  private final String bootstrap;
  private final TopicPartition any;
  private volatile Map<TopicPartition, OffsetSpec> request;
  private final AtomicLong failures = new AtomicLong();
  private volatile Ends ends;
  private volatile @Nullable String lastError;
  private volatile boolean asking;
  private long nextNs;

  /**
   * Where the log ended.
   *
   * @param offsets next offset to be written, by partition
   * @param atNs when the broker said so, in ns of {@link System#nanoTime}
   */
  public record Ends(Map<TopicPartition, Long> offsets, long atNs) {}

  /** Asks about one partition until it is told others. */
  public BrokerProbe(Admin admin, String bootstrap, TopicPartition any, long nowNs) {
    this.admin = admin;
    this.bootstrap = bootstrap;
    this.any = any;
    this.request = Map.of(any, OffsetSpec.latest());
    this.ends = new Ends(Map.of(), nowNs);
    this.nextNs = nowNs;
  }

  /** Asks for these partitions from now on; for any one if there are none. */
  public void partitions(Collection<TopicPartition> partitions) {
    request =
        (partitions.isEmpty() ? List.of(any) : partitions)
            .stream().collect(Collectors.toUnmodifiableMap(p -> p, p -> OffsetSpec.latest()));
  }

  /** Asks again when it is time to; never blocks. */
  public void tick(long nowNs) {
    if (asking || nowNs - nextNs < 0) {
      return;
    }
    nextNs = nowNs + INTERVAL_NS;
    asking = true;
    var unused =
        admin
            .listOffsets(request, new ListOffsetsOptions().timeoutMs(TIMEOUT_MS))
            .all()
            .whenComplete(this::answered);
  }

  private void answered(
      @Nullable Map<TopicPartition, ListOffsetsResultInfo> found, @Nullable Throwable error) {
    if (error == null && found != null) {
      Map<TopicPartition, Long> offsets = new HashMap<>();
      found.forEach((partition, info) -> offsets.put(partition, info.offset()));
      ends = new Ends(Map.copyOf(offsets), System.nanoTime());
      lastError = null;
      asking = false;
    } else {
      failures.incrementAndGet();
      lastError = error == null ? null : BrokerWords.of(error, bootstrap);
      Thread search = new Thread(this::findCause, "isotail-probe");
      search.setDaemon(true);
      search.start();
    }
  }

  /** Asking goes on when it is found, or when it is clear that the host is not to blame. */
  private void findCause() {
    try {
      String problem = Reachability.problem(bootstrap, Reachability.PATIENCE);
      if (problem != null) {
        lastError = problem;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      asking = false;
    }
  }

  /** The latest answer. */
  public Ends ends() {
    return ends;
  }

  /** Questions that got no answer. */
  public long failures() {
    return failures.get();
  }

  /** Why the broker is taken for dead, or null while it answers. */
  public @Nullable String problem(long nowNs) {
    long silentNs = nowNs - ends.atNs();
    if (silentNs < SILENT_NS) {
      return null;
    }
    String error = lastError;
    return "the broker has not answered for %d s%s"
        .formatted(TimeUnit.NANOSECONDS.toSeconds(silentNs), error == null ? "" : ": " + error);
  }
}
