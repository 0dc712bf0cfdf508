package io.isotail.monitor.forecast;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.cause.Advice;
import io.isotail.incremental.cause.Remedy;
import io.isotail.incremental.forecast.Certainty;
import io.isotail.incremental.forecast.Forecast;
import io.isotail.incremental.forecast.Template;
import io.isotail.incremental.forecast.Templates;
import io.isotail.monitor.render.CauseText;
import io.isotail.monitor.terminal.Printable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The sentences of forecasts, which all forms share. */
final class ForecastWords {
  private static final int MOST_OTHERS = 5;

  private ForecastWords() {}

  /** What can happen, and to which tables: {@code An update can be lost: stock}. */
  static String title(Forecast forecast) {
    AnomalyKind kind = forecast.anomaly().kind();
    String what =
        forecast.relative() && kind == AnomalyKind.LOST_UPDATE
            ? "A change is decided by a value that is out of date"
            : plain(kind);
    return "%s: %s".formatted(what, tables(forecast));
  }

  /** What has not happened, in the present tense. */
  private static String plain(AnomalyKind kind) {
    return switch (kind) {
      case LOST_UPDATE -> "An update gets lost";
      case BLIND_LOST_UPDATE -> "A write overwrites one that it has not seen";
      case WRITE_SKEW -> "Two transactions decide by what the other is changing";
      case DANGEROUS_STRUCTURE -> "Transactions decide by what others are changing, in a circle";
      case READ_ONLY_ANOMALY -> "A report shows what no order of the commits explains";
      case NON_REPEATABLE_READS -> "A row changes between two reads of one transaction";
      case FRACTURED_READ -> "Part of another transaction is seen, and part is not";
      case READ_SKEW -> "A transaction sees two rows as they never are together";
      case LONG_FORK -> "Two transactions see two changes in opposite orders";
      default -> CauseText.plain(kind);
    };
  }

  private static String tables(Forecast forecast) {
    List<String> tables = forecast.cause().tables();
    return tables.isEmpty() ? "unknown table" : String.join(", ", tables);
  }

  /** Which transactions: {@code POST /order beside itself}. */
  static String who(Forecast forecast) {
    List<Template> templates = forecast.templates();
    Set<Template> distinct = new LinkedHashSet<>(templates);
    String names =
        distinct.stream().map(ForecastWords::name).collect(Collectors.joining(" beside "));
    return distinct.size() == 1 ? names + " beside itself" : names;
  }

  static String name(Template template) {
    String service = template.service() == null ? "" : template.service() + ": ";
    return Printable.escaped(service + template.name());
  }

  /** How often, and at which level. */
  static String ran(Forecast forecast, Foreseen foreseen) {
    Set<String> levels =
        forecast.templates().stream()
            .map(
                template ->
                    template.ranAt() == null ? "a level that is not known" : template.ranAt())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    return "ran %s at %s; %s is promised"
        .formatted(
            forecast.count() == 1 ? "once" : "%,d times".formatted(forecast.count()),
            String.join(" and ", levels),
            foreseen.promise().label());
  }

  /** What is to be known before the forecast is believed. */
  static List<String> caveats(Forecast forecast) {
    List<String> caveats = new ArrayList<>();
    if (forecast.scanned() && forecast.certainty() != Certainty.PROVED) {
      caveats.add("It is not known whether the query looks at the rows that are changed.");
    }
    if (!forecast.asSeen()) {
      caveats.add(
          "The transactions were never seen on the same rows: it needs values that bring them"
              + " together.");
    }
    if (forecast.relative()) {
      caveats.add(
          "What is written is computed from the row as it is found then, so nothing is lost. What"
              + " was decided by the query can be wrong.");
    }
    if (!forecast.changes()) {
      caveats.add("The transaction with the query changes nothing: what it reports never was.");
    }
    return caveats;
  }

  /** Whom else it happens beside; empty if nobody. */
  static String others(Forecast forecast) {
    if (forecast.others().isEmpty()) {
      return "";
    }
    List<String> names =
        forecast.others().stream()
            .map(
                who ->
                    new LinkedHashSet<>(who)
                        .stream().map(ForecastWords::name).collect(Collectors.joining(" beside ")))
            .distinct()
            .toList();
    int more = names.size() - MOST_OTHERS;
    return "For the same queries also: "
        + String.join("; ", names.subList(0, Math.min(names.size(), MOST_OTHERS)))
        + (more > 0 ? "; and %d more".formatted(more) : "");
  }

  static List<Remedy> remedies(Forecast forecast) {
    return Advice.of(forecast.cause()).remedies();
  }

  /** What was looked at. */
  static String from(Foreseen foreseen) {
    Templates.Seen seen = foreseen.seen();
    return String.format(
        Locale.ROOT,
        "From %,d transaction%s of %,d kind%s, in %,d meetings of two or three.",
        seen.committed(),
        seen.committed() == 1 ? "" : "s",
        foreseen.kinds(),
        foreseen.kinds() == 1 ? "" : "s",
        foreseen.meetings());
  }

  /** What was not looked at, and why. */
  static List<String> leftOut(Foreseen foreseen) {
    Templates.Seen seen = foreseen.seen();
    List<String> all = new ArrayList<>();
    add(all, seen.notCommitted(), "rolled back, and %s statements are not looked at");
    add(
        all,
        seen.opaque(),
        "had a statement whose rows are not known"
            + (seen.anOpaque() == null
                ? ""
                : ", such as `" + Printable.escaped(seen.anOpaque()).replace("%", "%%") + "`")
            + "; the rest of %s statements was looked at");
    add(all, seen.withoutStatements(), "came without the texts of %s statements");
    add(all, seen.tooLong(), "had too many rows or statements");
    add(all, seen.beyondTemplates(), "came after the last kind of which %s statements are kept");
    if (!foreseen.exhausted()) {
      all.add("Not everything was tried: there are too many ways to meet.");
    }
    return all;
  }

  private static void add(List<String> all, long count, String why) {
    if (count > 0) {
      String of = why.formatted(count == 1 ? "its" : "their");
      all.add(
          String.format(Locale.ROOT, "%,d transaction%s %s.", count, count == 1 ? "" : "s", of));
    }
  }
}
