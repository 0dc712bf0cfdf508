package io.isotail.monitor.store;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How many anomalies of each history, level and kind there were in each of a few stretches of time
 * of equal length. Bounds: {@link #MAX_BUCKETS} stretches; a lane for each history, level and kind
 * that occur.
 *
 * @param span the time that it covers
 * @param fromMs begin of the first bucket, a multiple of {@code stepMs} since 1970
 * @param stepMs length of a bucket
 * @param buckets number of buckets
 * @param earlier anomalies before the first bucket
 * @param later anomalies after the last one: by a clock that is ahead
 * @param untimed anomalies of which no time is known
 * @param lanes weakest level first
 */
public record AnomalyTimeline(
    Span span,
    long fromMs,
    long stepMs,
    int buckets,
    int earlier,
    int later,
    int untimed,
    List<Lane> lanes) {
  /** Most buckets, enough for a plot. */
  public static final int MAX_BUCKETS = 73;

  private static final List<Duration> STEPS =
      List.of(
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(20),
          Duration.ofHours(1),
          Duration.ofHours(3),
          Duration.ofHours(6),
          Duration.ofHours(12),
          Duration.ofDays(1));

  /** Copies the list. */
  public AnomalyTimeline {
    lanes = List.copyOf(lanes);
  }

  /**
   * The anomalies of one history, level and kind.
   *
   * @param counts for each bucket, oldest first
   */
  public record Lane(String history, IsolationLevel level, AnomalyKind kind, List<Integer> counts) {
    /** Copies the list. */
    public Lane {
      counts = List.copyOf(counts);
    }
  }

  /** The time that a timeline covers. */
  public enum Span {
    /** The last hour, by minutes. */
    HOUR("1h", Duration.ofHours(1), Duration.ofMinutes(1)),
    /** The last day. */
    DAY("24h", Duration.ofDays(1), Duration.ofMinutes(20)),
    /** All that are kept. */
    ALL("all", Duration.ZERO, Duration.ZERO);

    private final String label;
    private final long lengthMs;
    private final long stepMs;

    Span(String label, Duration length, Duration step) {
      this.label = label;
      this.lengthMs = length.toMillis();
      this.stepMs = step.toMillis();
    }

    /** The span's name in every interface. */
    public String label() {
      return label;
    }

    /**
     * The span of that name.
     *
     * @throws IllegalArgumentException naming those that there are
     */
    public static Span ofLabel(String label) {
      for (Span span : values()) {
        if (span.label.equals(label)) {
          return span;
        }
      }
      throw new IllegalArgumentException(
          "span '%s' is unknown; expected one of %s"
              .formatted(
                  label,
                  Arrays.stream(values()).map(Span::label).collect(Collectors.joining(", "))));
    }
  }

  /**
   * Counts anomalies.
   *
   * @param span what to cover; null takes the shortest that has any
   * @param nowMs where the spans but {@link Span#ALL} end
   */
  public static AnomalyTimeline of(
      Collection<StoredAnomaly> anomalies, @Nullable Span span, long nowMs) {
    Range range = range(anomalies, span, nowMs);
    Map<LaneName, int[]> lanes =
        new TreeMap<>(
            Comparator.comparing(LaneName::level)
                .thenComparing(LaneName::kind)
                .thenComparing(LaneName::history));
    int earlier = 0;
    int later = 0;
    int untimed = 0;
    for (StoredAnomaly anomaly : anomalies) {
      long bucket = Math.floorDiv(anomaly.atMs() - range.fromMs, range.stepMs);
      if (anomaly.atMs() == StoredAnomaly.NO_TIME_MS) {
        untimed++;
      } else if (bucket < 0) {
        earlier++;
      } else if (bucket >= range.buckets) {
        later++;
      } else {
        LaneName name = new LaneName(anomaly.history(), anomaly.level(), anomaly.kind());
        lanes.computeIfAbsent(name, n -> new int[range.buckets])[(int) bucket]++;
      }
    }
    return new AnomalyTimeline(
        range.span,
        range.fromMs,
        range.stepMs,
        range.buckets,
        earlier,
        later,
        untimed,
        lanes.entrySet().stream().map(e -> e.getKey().lane(list(e.getValue()))).toList());
  }

  private static List<Integer> list(int[] counts) {
    return Arrays.stream(counts).boxed().toList();
  }

  private static Range range(Collection<StoredAnomaly> anomalies, @Nullable Span span, long nowMs) {
    long oldestMs = nowMs;
    long newestMs = Long.MIN_VALUE;
    for (StoredAnomaly anomaly : anomalies) {
      if (anomaly.atMs() != StoredAnomaly.NO_TIME_MS) {
        oldestMs = Math.min(oldestMs, anomaly.atMs());
        newestMs = Math.max(newestMs, anomaly.atMs());
      }
    }
    if (span == null) {
      span = newestMs == Long.MIN_VALUE ? Span.HOUR : shortest(newestMs, nowMs);
    }
    if (span != Span.ALL) {
      return Range.ending(nowMs, span.lengthMs, span.stepMs, span);
    }
    long endMs = Math.max(nowMs, newestMs);
    long stepMs = 0;
    for (Duration step : STEPS) {
      stepMs = step.toMillis();
      if ((endMs - oldestMs) / stepMs < MAX_BUCKETS - 1) {
        break;
      }
    }
    while ((endMs - oldestMs) / stepMs >= MAX_BUCKETS - 1) {
      stepMs *= 2;
    }
    return Range.ending(endMs, endMs - oldestMs, stepMs, Span.ALL);
  }

  private static Span shortest(long newestMs, long nowMs) {
    for (Span span : List.of(Span.HOUR, Span.DAY)) {
      Range range = Range.ending(nowMs, span.lengthMs, span.stepMs, span);
      if (newestMs >= range.fromMs && newestMs < range.fromMs + range.buckets * range.stepMs) {
        return span;
      }
    }
    return Span.ALL;
  }

  private record LaneName(String history, IsolationLevel level, AnomalyKind kind) {
    Lane lane(List<Integer> counts) {
      return new Lane(history, level, kind, counts);
    }
  }

  private record Range(Span span, long fromMs, long stepMs, int buckets) {
    /** The buckets from the one that holds {@code endMs - lengthMs} to the one of {@code endMs}. */
    static Range ending(long endMs, long lengthMs, long stepMs, Span span) {
      long fromMs = Math.floorDiv(endMs - lengthMs, stepMs) * stepMs;
      return new Range(span, fromMs, stepMs, (int) ((endMs - fromMs) / stepMs) + 1);
    }
  }
}
