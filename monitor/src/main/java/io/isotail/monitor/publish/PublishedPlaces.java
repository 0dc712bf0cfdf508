package io.isotail.monitor.publish;

import it.unimi.dsi.fastutil.longs.Long2LongLinkedOpenHashMap;
import java.util.OptionalLong;

/**
 * Where on the anomalies topic each anomaly stands, and each cause and incident as it was told
 * last: the {@link #MAX} latest of either, so that no flood of anomalies takes the place of a
 * cause. What was noted first goes first. About 50 bytes each. Safe for use by many threads.
 */
final class PublishedPlaces {
  /** Anomalies whose place is known, and causes. */
  static final int MAX = 500_000;

  /** Bits of a place that tell the offset; the others tell the partition. */
  private static final int OFFSET_BITS = 48;

  private static final long OFFSET = (1L << OFFSET_BITS) - 1;
  private static final long NOWHERE = -1;

  /** What an id is of, so that the same one may be used twice. */
  enum Of {
    ANOMALY(0xcbf29ce484222325L),
    CAUSE(0x84222325cbf29ce4L),
    INCIDENT(0x9ce4842223cbf325L);

    private final long seed;

    Of(long seed) {
      this.seed = seed;
    }

    /** FNV-1a, spread. Who looks a place up compares the id that stands there. */
    private long key(String id) {
      long hash = seed;
      for (int i = 0; i < id.length(); i++) {
        hash = (hash ^ id.charAt(i)) * 0x100000001b3L;
      }
      hash = (hash ^ hash >>> 32) * 0x9e3779b97f4a7c15L;
      return hash ^ hash >>> 29;
    }
  }

  private final int max;
  private final Long2LongLinkedOpenHashMap anomalies = new Long2LongLinkedOpenHashMap();
  private final Long2LongLinkedOpenHashMap causes = new Long2LongLinkedOpenHashMap();

  PublishedPlaces() {
    this(MAX);
  }

  PublishedPlaces(int max) {
    this.max = max;
    anomalies.defaultReturnValue(NOWHERE);
    causes.defaultReturnValue(NOWHERE);
  }

  private Long2LongLinkedOpenHashMap places(Of of) {
    return of == Of.ANOMALY ? anomalies : causes;
  }

  /** Whether more can be noted without forgetting any. */
  synchronized boolean hasRoom() {
    return anomalies.size() < max && causes.size() < max;
  }

  /** It stands there too; what stands later in its partition is what holds. */
  synchronized void note(Of of, String id, int partition, long offset) {
    long place = ((long) partition << OFFSET_BITS) | offset;
    long key = of.key(id);
    Long2LongLinkedOpenHashMap places = places(of);
    long known = places.get(key);
    if (known == NOWHERE || partition(known) != partition || offset(known) < offset) {
      places.putAndMoveToLast(key, place);
    }
    if (places.size() > max) {
      places.removeFirstLong();
    }
  }

  /** Where it stands, for {@link #partition} and {@link #offset}. */
  synchronized OptionalLong find(Of of, String id) {
    long place = places(of).get(of.key(id));
    return place == NOWHERE ? OptionalLong.empty() : OptionalLong.of(place);
  }

  static int partition(long place) {
    return (int) (place >>> OFFSET_BITS);
  }

  static long offset(long place) {
    return place & OFFSET;
  }
}
