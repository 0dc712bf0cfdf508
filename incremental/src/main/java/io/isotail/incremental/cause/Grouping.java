package io.isotail.incremental.cause;

import io.isotail.incremental.verdict.Moment;

/** What is told of many violations at once: a cause, or an incident of several causes. */
public sealed interface Grouping permits CauseReport, IncidentReport {
  /** Its id, as 16 hexadecimal digits. */
  String id();

  /** Id of its history. */
  String history();

  /** Slot of the incident, 0 for none. */
  int slot();

  /** When its first violation was found. */
  Moment first();

  /** Left-out things so far. */
  long violations();
}
