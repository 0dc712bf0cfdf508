package io.isotail.monitor.serial;

import java.util.Locale;
import java.util.Set;

/** What is declared of a table's versions. */
enum TableKind {
  /** No version is ever installed twice. */
  UNIQUE(Set.copyOf(SerialDatabase.TABLES)),
  /** They never start again. */
  COUNTING(Set.of("counted")),
  /** Nothing; the value itself is the version, and values come back. */
  NEITHER(Set.of("plain", "child", "mirror"));

  private final Set<String> tables;

  TableKind(Set<String> tables) {
    this.tables = tables;
  }

  Set<String> tables() {
    return tables;
  }

  /** Whether the plan's tables are of this kind. */
  boolean isIn(SerialPlan plan) {
    return plan.unique() == (this == UNIQUE);
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
