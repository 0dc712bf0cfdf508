package io.isotail.incremental.forecast;

/** Bounds of a forecast. */
public final class Limits {
  /** Executions of one template that are kept. */
  static final int EXECUTIONS = 6;

  /** Templates that are kept. */
  static final int TEMPLATES = 500;

  /** Statements of one execution; longer transactions are left out. */
  static final int STEPS = 200;

  /** Rows that one execution may touch; transactions with more are left out. */
  static final int ROWS = 300;

  /** States of one meeting that are looked at. */
  static final int STATES = 5_000;

  /** Meetings of two that are looked at in one search, and of three. */
  static final int MEETINGS = 20_000;

  /** Ways to take rows of two executions for the same row, if they never were. */
  static final int RENAMINGS = 12;

  private Limits() {}
}
