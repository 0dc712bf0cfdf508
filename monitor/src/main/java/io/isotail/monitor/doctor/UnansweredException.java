package io.isotail.monitor.doctor;

/** Nothing can be told, because somebody does not answer; the message says who and why. */
public final class UnansweredException extends Exception {
  private static final long serialVersionUID = 1L;

  UnansweredException(String message) {
    super(message);
  }
}
