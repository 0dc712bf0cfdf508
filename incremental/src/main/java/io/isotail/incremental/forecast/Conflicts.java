package io.isotail.incremental.forecast;

import java.util.List;

/** Whether transactions may have to do with each other at all, by tables and columns. */
final class Conflicts {
  private Conflicts() {}

  /** Whether one of two may change what the other one shows or changes. */
  static boolean among(List<Template> two) {
    Execution one = two.get(0).executions().get(0);
    Execution other = two.get(1).executions().get(0);
    return one.steps().stream()
        .anyMatch(step -> other.steps().stream().anyMatch(s -> mayConflict(step, s)));
  }

  private static boolean mayConflict(Step one, Step other) {
    boolean scanned = one.scans(other.statement()) || other.scans(one.statement());
    String table = one.statement().table();
    boolean same = table != null && table.equals(other.statement().table());
    return (same || scanned) && (one.writes() || other.writes());
  }
}
