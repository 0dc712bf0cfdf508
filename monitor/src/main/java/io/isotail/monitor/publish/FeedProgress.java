package io.isotail.monitor.publish;

import io.isotail.monitor.store.Decisions;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * How far the anomalies topic was read into the store, which outlives a session. Owned by the
 * pipeline's thread.
 */
public final class FeedProgress {
  /** Where what was read stands. */
  final PublishedPlaces places;

  /** What is muted is counted, and apart from the rest. */
  final Decisions decisions;

  /** Next offset to read of each partition. */
  final Map<TopicPartition, Long> next = new HashMap<>();

  /** Ids of what this instance has published and has not read back yet. */
  final Set<String> awaited = new HashSet<>();

  /** By cause the violations that this instance has published and has not read back yet. */
  final Map<String, Long> awaitedCauses = new HashMap<>();

  /** When it was last logged that a record was skipped for a cause, in ns. */
  final Map<AnomalyRecord.Cause, Long> loggedNs = new EnumMap<>(AnomalyRecord.Cause.class);

  /**
   * Those that were read and not counted, too late or of no use, the latest; they may still turn
   * out to be its own.
   */
  final LinkedHashSet<String> uncounted = new LinkedHashSet<>();

  /** Nothing was read, nobody asks where it stands, and nothing is muted. */
  FeedProgress() {
    this(new PublishedPlaces(), Decisions.NONE);
  }

  /** Nothing was read. */
  public FeedProgress(TopicArchive archive, Decisions decisions) {
    this(archive.places(), decisions);
  }

  FeedProgress(PublishedPlaces places, Decisions decisions) {
    this.places = places;
    this.decisions = decisions;
  }
}
