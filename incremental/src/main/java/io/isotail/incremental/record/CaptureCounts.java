package io.isotail.incremental.record;

import java.util.List;

/**
 * What an application's statements were to its proxy since the counts that it told before. Counts
 * add up: over the heartbeats of a proxy, and over proxies.
 *
 * @param service name of the application
 * @param captured statements on observed tables that were recorded
 * @param notCaptured the others, each kind of statement once; those left out are told later
 */
public record CaptureCounts(String service, long captured, List<NotCaptured> notCaptured) {
  /** Copies the list. */
  public CaptureCounts {
    notCaptured = List.copyOf(notCaptured);
  }
}
