package io.isotail.monitor.publish;

import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.cause.Grouping;
import io.isotail.incremental.cause.IncidentReport;
import org.jspecify.annotations.Nullable;

/**
 * An incident as it is published, always the whole of it. What it has brought about is counted by
 * its causes.
 *
 * @param incident as it stands
 * @param lead the first cause of it that the checker knows; null if it has forgotten all
 * @param isNew whether no record has told of it before, or not of its latest wave
 */
public record PublishedIncident(IncidentReport incident, @Nullable CauseReport lead, boolean isNew)
    implements News {
  @Override
  public Grouping about() {
    return incident;
  }
}
