package io.isotail.monitor.render;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.cause.Culprit;
import io.isotail.incremental.cause.IncidentReport;
import io.isotail.incremental.cause.Root;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What an incident is in a few plain words, for somebody who has just been woken up. */
public final class IncidentText {
  private static final int MOST_NAMES = 3;

  /** Of fewer transactions no share is told: at the first page the incident has just begun. */
  private static final int FEW = 100;

  private IncidentText() {}

  /** One line that stands alone: what went wrong, where, and at whose fault. */
  public static String title(IncidentReport incident) {
    String who = who(incident.culprits());
    return "%s%s: %s"
        .formatted(
            CauseText.plain(kinds(incident).get(0)),
            who.isEmpty() ? "" : " in " + who,
            fault(incident.root()));
  }

  private static String fault(Root root) {
    String promised = root.promised().label();
    String level = level(root.ranAt());
    return switch (root.kind()) {
      case PROMISE ->
          "promised %s, run %s %s".formatted(promised, root.others() ? "beside" : "at", level);
      case DATABASE -> "the database breaks its own " + level;
      case REPLICA ->
          "a replica%s lags".formatted(root.server() == null ? "" : " (" + root.server() + ")");
      case UNKNOWN -> "promised %s, run at a level that is not told".formatted(promised);
    };
  }

  /** A recorded level as its database calls it: {@code postgresql:read-committed} as words. */
  private static String level(@Nullable String ranAt) {
    return ranAt == null
        ? "a level that is not told"
        : ranAt.substring(ranAt.indexOf(':') + 1).replace('-', ' ');
  }

  private static String who(List<Culprit> culprits) {
    return listed(culprits.stream().map(Culprit::name).filter(name -> !name.isEmpty()).toList());
  }

  /** The kinds, that first which struck most often. */
  private static List<AnomalyKind> kinds(IncidentReport incident) {
    return incident.kinds().entrySet().stream()
        .sorted(
            Comparator.comparingLong((Map.Entry<AnomalyKind, Long> kind) -> -kind.getValue())
                .thenComparing(Map.Entry::getKey))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Its kinds with counts, rounded down: {@code lost-update over 1,000, write-skew 3}. */
  static String roughCounts(IncidentReport incident) {
    return kinds(incident).stream()
        .map(kind -> kind.label() + " " + count(incident.kinds().getOrDefault(kind, 0L), true))
        .collect(Collectors.joining(", "));
  }

  /**
   * What is hurt: how many transactions of how many, and rows of which tables.
   *
   * @param roughly whether numbers are rounded down to one digit
   */
  static String radius(IncidentReport incident, boolean roughly) {
    IncidentReport.Radius radius = incident.radius();
    String rows =
        radius.tables().entrySet().stream()
            .sorted(
                Comparator.comparingInt((Map.Entry<String, Integer> table) -> -table.getValue())
                    .thenComparing(Map.Entry::getKey))
            .limit(MOST_NAMES)
            .map(
                table ->
                    counted(table.getValue(), "row", roughly)
                        + (table.getKey().isEmpty() ? "" : " of " + table.getKey()))
            .collect(Collectors.joining(", "));
    String of =
        radius.delivered() < FEW
            ? counted(radius.transactions(), "transaction", roughly)
            : count(radius.transactions(), roughly)
                + " of "
                + counted(radius.delivered(), "transaction", roughly);
    return of + (rows.isEmpty() ? "" : ", " + (radius.moreRows() ? "at least " : "") + rows);
  }

  private static String listed(List<String> names) {
    if (names.size() > MOST_NAMES) {
      return String.join(", ", names.subList(0, MOST_NAMES))
          + " and %d more".formatted(names.size() - MOST_NAMES);
    }
    return String.join(", ", names);
  }

  private static String counted(long number, String what, boolean roughly) {
    return count(number, roughly) + " " + what + (number == 1 ? "" : "s");
  }

  private static String count(long number, boolean roughly) {
    long digit = 1;
    while (roughly && number / digit >= 10) {
      digit *= 10;
    }
    long rounded = number / digit * digit;
    return String.format(Locale.ROOT, rounded < number ? "over %,d" : "%,d", rounded);
  }
}
