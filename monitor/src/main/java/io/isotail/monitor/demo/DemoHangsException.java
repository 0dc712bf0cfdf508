package io.isotail.monitor.demo;

/** A part of the demo hangs, and may go on to hang in this process. */
public final class DemoHangsException extends DemoException {
  private static final long serialVersionUID = 1L;

  DemoHangsException(String message, Throwable cause) {
    super(message, cause);
  }
}
