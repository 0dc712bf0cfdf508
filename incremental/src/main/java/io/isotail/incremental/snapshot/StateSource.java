package io.isotail.incremental.snapshot;

import org.jspecify.annotations.Nullable;

/** Gives back the chunks of a snapshot in the order in which they were taken. */
public interface StateSource {

  /** The next chunk, or null when there is none left. It is only read. */
  byte @Nullable [] next();
}
