package io.isotail.ingest.emit;

import io.isotail.incremental.record.CaptureCounts;
import org.jspecify.annotations.Nullable;

/**
 * Counts an application's statements and tells of them in portions, which travel with heartbeats.
 * Its methods are called by one thread, while others count.
 */
public interface CountsSource {

  /**
   * What was counted and is not yet {@linkplain #told told}.
   *
   * @param mostKinds so many kinds of statements at most, those with the greatest counts
   * @return null if there is nothing to tell
   */
  @Nullable CaptureCounts untold(int mostKinds);

  /** The last answer of {@link #untold} is on the stream. */
  void told();
}
