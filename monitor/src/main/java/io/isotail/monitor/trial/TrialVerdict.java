package io.isotail.monitor.trial;

import java.util.Locale;

/** What a trial says of a database. */
public enum TrialVerdict {
  /** Enough was decided, conflicting transactions met, and the promise held. */
  PASS,
  /** The promise was broken. */
  FAIL,
  /** Too little was decided, or too many transactions failed. */
  UNDECIDED,
  /** No two transactions conflicted, or none wrote, so that there was nothing to isolate. */
  NOT_PROVOKED;

  /** Its name, for people and in JSON. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
