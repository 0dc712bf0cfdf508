package io.isotail.incremental.forecast;

import io.isotail.incremental.Checker;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for pairs and triples of transactions that can violate a promise beside each other.
 *
 * <p>A violation has its cause in queries that show what another transaction changes before theirs
 * ends. Forecasts with the same such queries are one; so is a forecast of which every such query
 * stands in one of fewer.
 *
 * <p>Not safe for several threads.
 */
public final class Forecaster {
  private final IsolationLevel promise;
  private final List<Template> templates;
  private final Map<Set<Forecast.Stale>, Forecast> found = new LinkedHashMap<>();
  private final Set<List<Template>> violating = new HashSet<>();
  private long meetings;
  private boolean limited;

  /**
   * What was looked at.
   *
   * @param forecasts the surest first; of those the ones that change something, and ran often
   * @param meetings pairs and triples of executions that were run beside each other
   * @param exhausted whether no limit ended the search
   */
  public record Result(List<Forecast> forecasts, long meetings, boolean exhausted) {
    /** Copies the list. */
    public Result {
      forecasts = List.copyOf(forecasts);
    }
  }

  private Forecaster(List<Template> templates, IsolationLevel promise) {
    this.templates = templates;
    this.promise = promise;
  }

  /** All forecasts for transactions that ran. */
  public static Result of(List<Template> templates, IsolationLevel promise) {
    Forecaster forecaster = new Forecaster(templates, promise);
    forecaster.pairs();
    forecaster.triples();
    return forecaster.result();
  }

  private Result result() {
    List<Forecast> merged = new ArrayList<>();
    Set<Forecast.Stale> explained = new HashSet<>();
    List<Map.Entry<Set<Forecast.Stale>, Forecast>> fewest = new ArrayList<>(found.entrySet());
    fewest.sort(
        Comparator.comparing((Map.Entry<Set<Forecast.Stale>, Forecast> e) -> e.getKey().size())
            .thenComparing(e -> e.getValue().certainty()));
    for (Map.Entry<Set<Forecast.Stale>, Forecast> entry : fewest) {
      if (!explained.containsAll(entry.getKey())) {
        explained.addAll(entry.getKey());
        merged.add(entry.getValue());
      }
    }
    merged.sort(
        Comparator.comparing(Forecast::certainty)
            .thenComparing(forecast -> !forecast.changes())
            .thenComparing(Forecast::relative)
            .thenComparing(Comparator.comparingLong(Forecast::count).reversed())
            .thenComparing(Forecast::id));
    return new Result(merged, meetings, !limited);
  }

  private void pairs() {
    for (int i = 0; i < templates.size(); i++) {
      for (int j = i; j < templates.size(); j++) {
        List<Template> pair = List.of(templates.get(i), templates.get(j));
        if (Conflicts.among(pair)) {
          meet(pair, Limits.PAIRS);
        }
      }
    }
  }

  private void triples() {
    for (int i = 0; i < templates.size(); i++) {
      for (int j = i; j < templates.size(); j++) {
        if (!mayBeOfThree(templates.get(i), templates.get(j))) {
          continue;
        }
        for (int k = j; k < templates.size(); k++) {
          Template third = templates.get(k);
          if (mayBeOfThree(templates.get(i), third) && mayBeOfThree(templates.get(j), third)) {
            meet(List.of(templates.get(i), templates.get(j), third), Limits.PAIRS + Limits.TRIPLES);
          }
        }
      }
    }
  }

  /** Whether two have to do with each other, and do no harm by themselves. */
  private boolean mayBeOfThree(Template one, Template other) {
    List<Template> pair = List.of(one, other);
    return Conflicts.among(pair) && !violating.contains(pair);
  }

  /** Tries executions that touched the same rows, and then some that can be taken for such. */
  private void meet(List<Template> who, long mostMeetings) {
    boolean[] any = new boolean[1];
    for (List<Execution> executions : Choices.of(who)) {
      any[0] |=
          meet(who, executions, Choices.asTheyAre(who.size()), Certainty.POSSIBLE, mostMeetings);
    }
    if (any[0]) {
      return;
    }
    for (List<Execution> executions : Choices.first(who)) {
      for (List<Map<Long, Long>> renamed : Choices.renamed(executions)) {
        if (meet(who, executions, renamed, Certainty.NEEDS_VALUES, mostMeetings)) {
          return;
        }
      }
    }
  }

  private boolean meet(
      List<Template> who,
      List<Execution> executions,
      List<Map<Long, Long>> renamed,
      Certainty certainty,
      long mostMeetings) {
    Meeting meeting = Meeting.of(executions, renamed);
    if (!meeting.isConcerned() || isSerialized(meeting)) {
      return false;
    }
    if (meetings >= mostMeetings) {
      limited = true;
      return false;
    }
    meetings++;
    Map<Set<Forecast.Stale>, Course> courses = new HashMap<>();
    boolean all =
        Interleavings.run(meeting, course -> courses.putIfAbsent(stale(who, course), course));
    limited |= !all;
    boolean any = false;
    for (Map.Entry<Set<Forecast.Stale>, Course> each : courses.entrySet()) {
      any |= add(who, each.getKey(), each.getValue(), certainty);
    }
    if (any) {
      violating.add(who);
    }
    return any;
  }

  /** Whether the database lets no circle of them commit. */
  private static boolean isSerialized(Meeting meeting) {
    return meeting.parts().stream()
        .allMatch(part -> part.behaviour() == Behaviour.SERIALIZABLE_SNAPSHOTS);
  }

  private static Set<Forecast.Stale> stale(List<Template> who, Course course) {
    Set<Forecast.Stale> stale = new LinkedHashSet<>();
    for (int part = 0; part < who.size(); part++) {
      for (Step step : course.executions().get(part).steps()) {
        if (course.isStale(part, step)) {
          stale.add(new Forecast.Stale(who.get(part), step.statement().fingerprint()));
        }
      }
    }
    return stale;
  }

  private boolean add(
      List<Template> who, Set<Forecast.Stale> stale, Course course, Certainty certainty) {
    Forecast known = found.get(stale);
    if (known != null && known.certainty().compareTo(certainty) <= 0) {
      if (!known.templates().equals(who) && !known.others().contains(who)) {
        List<List<Template>> others = new ArrayList<>(known.others());
        others.add(who);
        found.put(stale, known.with(others));
      }
      return true;
    }
    Judged judged = Judged.of(course.records(), promise);
    if (judged == null) {
      return false;
    }
    boolean changes = stale.stream().anyMatch(s -> s.template().executions().get(0).writes());
    found.put(
        stale,
        new Forecast(
            Ids.of(stale),
            course.isOfScans() ? Certainty.NEEDS_VALUES : certainty,
            who,
            course,
            judged.anomaly,
            judged.cause,
            List.copyOf(stale),
            changes,
            course.writesRelatively(),
            course.isOfScans(),
            certainty == Certainty.POSSIBLE,
            known == null ? List.of() : known.others()));
    return true;
  }

  /** What the checker says of transactions. */
  private record Judged(Anomaly anomaly, CauseReport cause) {

    /** Null if they give what is promised. */
    static @Nullable Judged of(List<TransactionRecord> records, IsolationLevel promise) {
      List<Anomaly> anomalies = new ArrayList<>();
      Checker checker =
          new Checker(
              CheckerConfig.forFile("forecast", promise).withPromise(promise),
              new AnomalyListener() {
                @Override
                public void found(Anomaly anomaly) {
                  anomalies.add(anomaly);
                }

                @Override
                public void repeated(String id, long occurrences) {
                  // One is enough.
                }
              });
      long line = 0;
      for (TransactionRecord record : records) {
        checker.accept(++line, 0, record);
      }
      checker.finish();
      for (Anomaly anomaly : anomalies) {
        for (CauseReport cause : checker.causes()) {
          if (cause.id().equals(anomaly.cause()) && promise.atLeast(anomaly.level())) {
            return new Judged(anomaly, cause);
          }
        }
      }
      return null;
    }
  }
}
