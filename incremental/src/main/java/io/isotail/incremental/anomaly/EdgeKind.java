package io.isotail.incremental.anomaly;

/** Why one transaction must come before another. */
public enum EdgeKind {
  /** Session order. */
  SO("so"),
  /** The target read a version that the source wrote. */
  WR("wr"),
  /** The target overwrote a version of the source. */
  WW("ww"),
  /** The target overwrote the version that the source read. */
  RW("rw"),
  /** Commit order, inferred from a read. */
  CO("co"),
  /** Real time. */
  RT("rt");

  private final String label;

  EdgeKind(String label) {
    this.label = label;
  }

  /** The kind's name in every interface. */
  public String label() {
    return label;
  }
}
