package io.isotail.monitor.demo;

import org.jspecify.annotations.Nullable;

/** A part of the demo could not be started; the message says which and why. */
public class DemoException extends Exception {
  DemoException(String message) {
    this(message, null);
  }

  DemoException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
