package io.isotail.monitor.trial;

import org.jspecify.annotations.Nullable;

/** A part of the trial could not be started; the message says which and why. */
public class TrialException extends Exception {
  TrialException(String message) {
    this(message, null);
  }

  TrialException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
