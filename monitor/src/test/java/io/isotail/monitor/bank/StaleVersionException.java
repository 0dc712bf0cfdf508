package io.isotail.monitor.bank;

/** The version that a row had when it was read is gone: optimistic locking failed. */
final class StaleVersionException extends Exception {
  private static final long serialVersionUID = 1L;
}
