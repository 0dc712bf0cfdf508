package io.isotail.incremental.cause;

/** Who did what was not promised. */
public enum Fault {
  /**
   * Every transaction of every proof ran at a level that forbids it, by what the database documents
   * or, where that is not known, was declared.
   */
  DATABASE("database"),
  /** A transaction ran at a level that allows it, by the same. */
  APPLICATION("application"),
  /** Not every transaction tells the level that it ran at. */
  UNKNOWN("unknown");

  private final String label;

  Fault(String label) {
    this.label = label;
  }

  /** Its name in every interface. */
  public String label() {
    return label;
  }
}
