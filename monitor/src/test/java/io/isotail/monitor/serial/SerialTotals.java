package io.isotail.monitor.serial;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The figures of many runs together. */
final class SerialTotals {
  private final Map<TableKind, SerialChecks.Share> coverage = new EnumMap<>(TableKind.class);
  private final Map<Plant, Integer> planted = new EnumMap<>(Plant.class);
  private double trafficSeconds;
  private double checkSeconds;
  private long runs;
  private long alarmed;
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
    trafficSeconds += figures.trafficSeconds();
    checkSeconds += figures.checkSeconds();
    alarmed += figures.findings().isEmpty() ? 0 : 1;
    Plant plant = figures.plan().plant();
    if (plant != null) {
      planted.merge(plant, 1, Integer::sum);
    }
  }

  long runs() {
    return runs;
  }

  SerialChecks.Share share(TableKind kind) {
    return coverage.getOrDefault(kind, SerialChecks.Share.NONE);
  }

  /** One line for people. */
  String text() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%,d captured transactions committed, %.1f %% of %,d changed rows past isotail, %.0f s of"
                    + " traffic and %.0f s of checking; decided of the reads of recorded versions:",
                committed,
                100.0 * outsideChanges / Math.max(1, capturedChanges + outsideChanges),
                capturedChanges + outsideChanges,
                trafficSeconds,
                checkSeconds));
    for (TableKind kind : TableKind.values()) {
      SerialChecks.Share share = share(kind);
      text.append(
          String.format(
              Locale.ROOT, " %s %.2f %% of %,d;", kind.label(), share.percent(), share.recorded()));
    }
    return text.substring(0, text.length() - 1);
  }

  /** The figures of honest runs, in Markdown. */
  String table() {
    StringBuilder text = new StringBuilder("| | |\n|---|---|\n");
    row(text, "runs with an alarm", "%,d of %,d", alarmed, runs);
    row(text, "captured transactions that committed", "%,d", committed);
    row(
        text,
        "rows changed, of them past isotail",
        "%,d, %.1f %%",
        capturedChanges + outsideChanges,
        100.0 * outsideChanges / Math.max(1, capturedChanges + outsideChanges));
    text.append(
        """

        Reads that return what another captured transaction wrote, by what is declared of the table's versions. The
        record of that transaction has the version, unless a relative update, a trigger or a statement that is not
        understood wrote it.

        | versions | reads | version recorded | decided | decided of those recorded |
        |---|---|---|---|---|
        """);
    for (TableKind kind : TableKind.values()) {
      SerialChecks.Share share = share(kind);
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %,d | %,d | %,d | %.2f %% |%n",
              kind.label(),
              share.reads(),
              share.recorded(),
              share.decided(),
              share.percent()));
    }
    return text.append('\n').toString();
  }

  /** The figures of planted runs, in Markdown. */
  String plantedTable() {
    StringBuilder text = new StringBuilder("| planted | violates | runs |\n|---|---|---|\n");
    planted.forEach(
        (plant, count) ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "| %s | %s | %d |%n",
                    plant.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    plant.violates().label(),
                    count)));
    return text.append('\n').toString();
  }

  private static void row(StringBuilder text, String name, String format, Object... values) {
    text.append("| ").append(name).append(" | ");
    text.append(String.format(Locale.ROOT, format, values)).append(" |\n");
  }
}
