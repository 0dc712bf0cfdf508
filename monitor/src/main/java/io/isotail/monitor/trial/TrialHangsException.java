package io.isotail.monitor.trial;

/** A part of the trial hangs, and may go on to hang in this process. */
public final class TrialHangsException extends TrialException {
  private static final long serialVersionUID = 1L;

  TrialHangsException(String message, Throwable cause) {
    super(message, cause);
  }
}
