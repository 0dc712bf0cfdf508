package io.isotail.monitor.publish;

import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.cause.Grouping;

/**
 * A cause as it is published.
 *
 * @param cause as it stands
 * @param fresh how many of its violations no record has told before
 * @param whole whether all of it is published, or only the number
 */
public record PublishedCause(CauseReport cause, long fresh, boolean whole) implements News {
  @Override
  public Grouping about() {
    return cause;
  }

  @Override
  public boolean isNew() {
    return fresh > 0 && fresh == cause.violations();
  }
}
