package io.isotail.ingest.capture;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets commits wait until their streams have begun, which needs an answer of Kafka.
 *
 * <p>The wait is measured from one moment for all streams to the same bootstrap servers: from the
 * opening of the first of those that have not begun. So a Kafka that is away costs the process one
 * wait, however many streams it opens and transactions it commits. Once all of them have begun, the
 * next stream has a wait of its own.
 *
 * <p>Safe for use by many threads. It holds no more than the streams that are open.
 */
final class StreamStarts {
  /** A Kafka that has not answered for as long is warned of. */
  static final long LATE_NS = 2_000_000_000L;

  private static final Logger LOG = LoggerFactory.getLogger(StreamStarts.class);

  private final LongSupplier nanoClock;
  private final Map<String, Unanswered> unanswered = new HashMap<>();
  private final Set<SinkFactory.OpenSink> warnedOf = new HashSet<>();

  /** The streams to the same servers that have not begun. */
  private static final class Unanswered {
    private final Set<SinkFactory.OpenSink> streams = new HashSet<>();
    private long sinceNs;
  }

  StreamStarts(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** The beginning of a stream that is opened now, which nobody waits for yet. */
  Opened opened(CaptureConfig config, SinkFactory.OpenSink stream) {
    silentNs(config, stream);
    return new Opened(config, stream);
  }

  /** The beginning of a stream, from when it was opened on. */
  final class Opened implements StreamStart {
    private final CaptureConfig config;
    private final SinkFactory.OpenSink stream;
    private volatile long mostNs;

    /** The wait that is over, and was warned of; in nanoseconds. */
    private volatile long overNs;

    private Opened(CaptureConfig config, SinkFactory.OpenSink stream) {
      this.config = config;
      this.stream = stream;
    }

    /** It may be waited for as long, in nanoseconds and from when it was opened on, or longer. */
    void awaitAtLeast(long waitNs) {
      synchronized (StreamStarts.this) {
        mostNs = Math.max(mostNs, waitNs);
      }
    }

    @Override
    public boolean isAwaited() {
      long most = mostNs;
      if (most <= overNs || stream.hasBegun()) {
        return false;
      }
      long silentNs = silentNs(config, stream);
      if (silentNs >= most && silentNs >= LATE_NS) {
        warn(config, stream, silentNs);
        overNs = most;
      }
      return silentNs < most;
    }

    @Override
    public void await() {
      if (isAwaited()) {
        StreamStarts.this.await(config, stream, mostNs);
      }
    }
  }

  /**
   * Waits until a stream has begun. Returns at once if it has, or if the wait for its servers is
   * over. A thread that is interrupted waits all the same, and still is interrupted afterwards.
   *
   * @param mostNs how long it may wait, in nanoseconds; 0 for not at all, and without a warning
   */
  void await(CaptureConfig config, SinkFactory.OpenSink stream, long mostNs) {
    if (mostNs <= 0 || stream.hasBegun()) {
      return;
    }
    boolean interrupted = false;
    for (long leftNs = mostNs - silentNs(config, stream); leftNs > 0; ) {
      try {
        stream.awaitStart(leftNs);
        leftNs = 0;
      } catch (InterruptedException e) {
        interrupted = true;
        leftNs = mostNs - silentNs(config, stream);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    long silentNs = silentNs(config, stream);
    if (silentNs >= LATE_NS && !stream.hasBegun()) {
      warn(config, stream, silentNs);
    }
  }

  /** For how long the servers of a stream that has not begun have not answered. */
  private synchronized long silentNs(CaptureConfig config, SinkFactory.OpenSink stream) {
    long nowNs = nanoClock.getAsLong();
    Unanswered of = unanswered.computeIfAbsent(servers(config), s -> new Unanswered());
    of.streams.removeIf(SinkFactory.OpenSink::hasBegun);
    if (of.streams.isEmpty()) {
      of.sinceNs = nowNs;
    }
    of.streams.add(stream);
    return nowNs - of.sinceNs;
  }

  private static String servers(CaptureConfig config) {
    return Objects.requireNonNullElse(config.kafka(), "");
  }

  private synchronized void warn(CaptureConfig config, SinkFactory.OpenSink stream, long silentNs) {
    if (warnedOf.add(stream)) {
      LOG.warn(
          "Kafka at {} has not answered for {} ms. What this process commits to history {} until it"
              + " answers may look like writes of an application without isotail"
              + " (isotail.start-wait-ms).",
          servers(config),
          TimeUnit.NANOSECONDS.toMillis(silentNs),
          config.history());
    }
  }

  /** All streams have ended. */
  synchronized void forget() {
    unanswered.clear();
    warnedOf.clear();
  }
}
