package io.isotail.ingest.format;

import io.isotail.incremental.record.NameHash;

/** The identity of what a history file names by a string. */
public final class ClearName {
  private ClearName() {}

  /**
   * The {@link NameHash}. The same on every machine; not keyed, and so not for what must stay
   * secret.
   */
  public static long hash(String name) {
    return NameHash.of(name);
  }
}
