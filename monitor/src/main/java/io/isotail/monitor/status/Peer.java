package io.isotail.monitor.status;

import io.isotail.monitor.status.MonitorStatus.Phase;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What another instance of the group has last reported.
 *
 * @param instance its name
 * @param heardNs {@code System.nanoTime()} when its report came
 * @param phase what it is doing
 * @param phaseSinceMs when it began to, in ms since 1970; 0 where it did not tell
 * @param problem why it is not doing more, null when all is well
 * @param lag how far it is behind its part of the log, null for unknown
 * @param notShown histories that it checks and that are left out here, to bound the size
 * @param histories the JSON of each history that it checks, by id
 */
public record Peer(
    String instance,
    long heardNs,
    Phase phase,
    long phaseSinceMs,
    @Nullable String problem,
    @Nullable Lag lag,
    int notShown,
    SortedMap<String, String> histories) {

  /** Copies the map. */
  public Peer {
    histories = Collections.unmodifiableSortedMap(new TreeMap<>(histories));
  }

  /** Whether it reads records as they come. */
  public boolean ready() {
    return phase == Phase.RUNNING && problem == null;
  }

  /** This instance without its histories, which are counted as not shown. */
  public Peer withoutHistories() {
    return new Peer(
        instance,
        heardNs,
        phase,
        phaseSinceMs,
        problem,
        lag,
        notShown + histories.size(),
        new TreeMap<>());
  }
}
