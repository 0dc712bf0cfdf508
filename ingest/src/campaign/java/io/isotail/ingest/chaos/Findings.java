package io.isotail.ingest.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What must hold, and whether it does. */
final class Findings {
  private static final int SHOWN = 10;

  private final List<String> rows = new ArrayList<>();
  private boolean allHold = true;

  /** Adds one, with figures for people. */
  void add(String what, boolean holds, String format, Object... figures) {
    allHold &= holds;
    rows.add(
        "| %s | %s | %s |"
            .formatted(
                what, holds ? "holds" : "FAILS", String.format(Locale.ROOT, format, figures)));
  }

  /** Adds that nothing was found; shows the first of what was. */
  void none(String what, List<String> found, String format, Object... figures) {
    found.stream().limit(SHOWN).forEach(one -> System.err.println("FAILS: " + what + ": " + one));
    add(what, found.isEmpty(), format, figures);
  }

  boolean allHold() {
    return allHold;
  }

  List<String> rows() {
    return rows;
  }
}
