package io.isotail.monitor.trial;

import org.jspecify.annotations.Nullable;

/** A part of the trial hangs, and may go on to hang in this process. */
public final class TrialHangsException extends TrialException {
  private static final long serialVersionUID = 1L;

  private final transient @Nullable TrialSummary summary;

  TrialHangsException(String message, Throwable cause, @Nullable TrialSummary summary) {
    super(message, cause);
    this.summary = summary;
  }

  /** What the trial did and found, if only its end hangs; else null. */
  public @Nullable TrialSummary summary() {
    return summary;
  }
}
