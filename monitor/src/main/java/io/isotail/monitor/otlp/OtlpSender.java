package io.isotail.monitor.otlp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.metrics.EventCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends events one request after the other, each with what waits at the time. A request that failed
 * in passing is sent again until it succeeds, after pauses that double up to {@link #MAX_PAUSE_MS},
 * or as long as the receiver asks for [1]; one that was refused is lost. Who offers events never
 * waits. An outage is logged once, and its end.
 *
 * <p>[1] OpenTelemetry Protocol Specification 1.7, section "OTLP/HTTP Response".
 */
public final class OtlpSender implements AutoCloseable {
  /** Events that may wait. */
  public static final int MAX_EVENTS = 1_000;

  /** Events of one request. */
  static final int MAX_IN_REQUEST = 100;

  static final long MAX_PAUSE_MS = 60_000;
  private static final long MIN_PAUSE_MS = 1_000;
  private static final Logger log = LoggerFactory.getLogger(OtlpSender.class);

  private final OtlpClient client;
  private final ObjectNode resource;
  private final EventCounts counts;
  private final BlockingQueue<ObjectNode> queue = new ArrayBlockingQueue<>(MAX_EVENTS);
  private final Random jitter = new Random();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile long deadlineNs;
  private boolean failing;

  /**
   * Begins to send what will be offered.
   *
   * @param instance name of this instance, as the receiver is to know it
   */
  public OtlpSender(MonitorConfig.Otlp config, String instance, EventCounts counts) {
    this.client = new OtlpClient(config);
    this.counts = counts;
    this.resource = JsonNodeFactory.instance.objectNode();
    ArrayNode attributes = resource.putArray("attributes");
    LogRecords.add(attributes, "service.name", "isotail-monitor");
    LogRecords.add(attributes, "service.instance.id", instance);
    this.thread = new Thread(this::run, "isotail-otlp");
    thread.setDaemon(true);
    thread.start();
  }

  /** Takes an event. Returns at once; without room for it, the event is lost. */
  public void offer(ObjectNode event) {
    if (!queue.offer(event)) {
      counts.lost(1);
    }
  }

  private void run() {
    List<ObjectNode> batch = new ArrayList<>();
    try {
      while (true) {
        ObjectNode next = queue.poll(isClosing() ? 0 : 100, TimeUnit.MILLISECONDS);
        if (next != null) {
          batch.add(next);
          queue.drainTo(batch, MAX_IN_REQUEST - 1);
          deliverAnyway(batch);
          batch.clear();
        } else if (isClosing()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      log.debug("interrupted, as close() does at its bound");
    } finally {
      queue.drainTo(batch);
      if (!batch.isEmpty()) {
        counts.lost(batch.size());
        log.warn("OTLP: {} events were not sent before the end", batch.size());
      }
    }
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  /** What nobody has foreseen loses the events of one request, not those to come. */
  private void deliverAnyway(List<ObjectNode> events) throws InterruptedException {
    try {
      deliver(events);
    } catch (RuntimeException e) {
      counts.failed();
      counts.lost(events.size());
      log.error("OTLP: {} events were not sent", events.size(), e);
    }
  }

  /** Sends a request until it is answered for good. */
  private void deliver(List<ObjectNode> events) throws InterruptedException {
    String body = request(events);
    long pauseMs = MIN_PAUSE_MS;
    while (true) {
      OtlpClient.Answer answer = client.post(body);
      if (answer instanceof OtlpClient.Taken taken) {
        long lost = Math.min(events.size(), taken.rejected());
        counts.sent(events.size() - lost);
        counts.lost(lost);
        noteEnd();
        return;
      }
      counts.failed();
      if (answer instanceof OtlpClient.Refused refused) {
        counts.lost(events.size());
        note(refused.why(), "such events are lost");
        return;
      }
      OtlpClient.Later later = (OtlpClient.Later) answer;
      note(later.why(), "they are sent again");
      pause(Math.max(later.afterMs(), pauseMs / 2 + jitter.nextLong(pauseMs / 2)));
      pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
    }
  }

  /** Waits; at the end of all not longer than until its bound, where there is no next time. */
  private void pause(long pauseMs) throws InterruptedException {
    if (closing.await(pauseMs, TimeUnit.MILLISECONDS)) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
      if (leftMs <= 0) {
        throw new InterruptedException("no time is left");
      }
      TimeUnit.MILLISECONDS.sleep(Math.min(leftMs, MIN_PAUSE_MS / 5));
    }
  }

  private void note(String why, String whatFollows) {
    if (!failing) {
      failing = true;
      log.warn(
          "OTLP: events cannot be sent to {}: {}; {}, and further failures only counted",
          client.endpoint(),
          why,
          whatFollows);
    }
  }

  private void noteEnd() {
    if (failing) {
      failing = false;
      log.info("OTLP: events are sent to {} again", client.endpoint());
    }
  }

  private String request(List<ObjectNode> events) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    ObjectNode logs = request.putArray("resourceLogs").addObject();
    logs.set("resource", resource);
    ObjectNode scope = logs.putArray("scopeLogs").addObject();
    scope.putObject("scope").put("name", "io.isotail.monitor");
    scope.putArray("logRecords").addAll(events);
    return request.toString();
  }

  /** Sends what waits, as far as that is done within the time. */
  public void close(Duration timeout) {
    deadlineNs = System.nanoTime() + timeout.toNanos();
    closing.countDown();
    try {
      thread.join(Math.max(1, timeout.toMillis()));
      thread.interrupt();
      thread.join(Duration.ofSeconds(1).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    close(Duration.ofSeconds(1));
  }
}
