package io.isotail.incremental.cause;

/** What an incident has its root in. */
public enum RootKind {
  /** Transactions ran at a level that allows what their promise forbids. */
  PROMISE("promise"),
  /** The database broke a level that all of the transactions ran at. */
  DATABASE("database"),
  /** A standby showed commits later than the server that had acknowledged them. */
  REPLICA("replica"),
  /** Not every transaction tells the level that it ran at. */
  UNKNOWN("unknown");

  private final String label;

  RootKind(String label) {
    this.label = label;
  }

  /** Its name in every interface. */
  public String label() {
    return label;
  }

  /** Whether it lies in the server, so that whichever endpoint shows it shows the same. */
  boolean isOfServer() {
    return this == DATABASE || this == REPLICA;
  }
}
