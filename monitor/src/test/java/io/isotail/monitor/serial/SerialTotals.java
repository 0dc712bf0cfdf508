package io.isotail.monitor.serial;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The figures of many runs together. */
final class SerialTotals {
  private final Map<TableKind, SerialChecks.Share> coverage = new EnumMap<>(TableKind.class);
  private final Map<Plant, Integer> planted = new EnumMap<>(Plant.class);
  private long runs;
  private long committed;
  private long capturedChanges;
  private long outsideChanges;

  void add(SerialFigures figures) {
    runs++;
    committed += figures.committed();
    capturedChanges += figures.capturedChanges();
    outsideChanges += figures.outsideChanges();
    figures
        .coverage()
        .forEach((kind, share) -> coverage.merge(kind, share, SerialChecks.Share::plus));
    Plant plant = figures.plan().plant();
    if (plant != null) {
      planted.merge(plant, 1, Integer::sum);
    }
  }

  long runs() {
    return runs;
  }

  /** Runs with something planted, by what. */
  Map<Plant, Integer> planted() {
    return planted;
  }

  SerialChecks.Share share(TableKind kind) {
    return coverage.getOrDefault(kind, new SerialChecks.Share(0, 0));
  }

  /** One line for people. */
  String text() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%,d captured transactions committed, %.1f %% of %,d changed rows by others; decided of"
                    + " the reads of what another captured transaction wrote:",
                committed,
                100.0 * outsideChanges / Math.max(1, capturedChanges + outsideChanges),
                capturedChanges + outsideChanges));
    for (TableKind kind : TableKind.values()) {
      SerialChecks.Share share = share(kind);
      text.append(
          String.format(
              Locale.ROOT,
              " %s %.2f %% of %,d;",
              kind.label(),
              100.0 * share.decided() / Math.max(1, share.reads()),
              share.reads()));
    }
    return text.substring(0, text.length() - 1);
  }
}
