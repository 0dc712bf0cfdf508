package io.isotail.monitor.publish;

import io.isotail.incremental.cause.Grouping;

/** What is published of a cause or an incident. */
public sealed interface News permits PublishedCause, PublishedIncident {
  /** What it is about, as it stands. */
  Grouping about();

  /**
   * Whether no record before this one has told of it, or of an incident that it has become as bad.
   */
  boolean isNew();
}
