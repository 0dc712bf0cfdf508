package io.isotail.incremental.forecast;

import io.isotail.incremental.Checker;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks for pairs and triples of transactions that can violate a promise beside each other.
 *
 * <p>A violation has its cause in queries that show what another transaction changes before theirs
 * ends.
 *
 * <p>It remembers which executions it has tried beside each other. So it may be asked again and
 * again while transactions run, and tries what is new.
 *
 * <p>Not safe for several threads.
 */
public final class Forecaster {
  private final IsolationLevel promise;

  /** Number of executions of each template that were tried. */
  private final Map<Template, Integer> tried = new HashMap<>();

  /** The executions that are looked at in this call. */
  private final Map<Template, List<Execution>> current = new HashMap<>();

  private final Map<Key, Forecast> found = new LinkedHashMap<>();
  private final Set<List<Template>> violating = new HashSet<>();

  /** Meetings of this call. */
  private long meetings;

  /** Whether a limit has ended this call. */
  private boolean limited;

  private long all;
  private boolean wereLimited;

  /** A forecast is told once for the same transactions and the same queries. */
  private record Key(Set<Forecast.Stale> stale, List<Template> who) {}

  /**
   * What was looked at.
   *
   * @param forecasts each with its own transactions and queries; {@link #merged} has fewer
   * @param meetings pairs and triples of executions that were run beside each other
   * @param exhausted whether no limit ended the search
   */
  public record Result(List<Forecast> forecasts, long meetings, boolean exhausted) {
    /** Copies the list. */
    public Result {
      forecasts = List.copyOf(forecasts);
    }
  }

  /** Nothing tried yet. */
  public Forecaster(IsolationLevel promise) {
    this.promise = promise;
  }

  /** All forecasts for transactions that ran: those of the last call, and maybe more. */
  public Result of(List<Template> templates) {
    current.clear();
    templates.forEach(template -> current.put(template, template.executions()));
    meetings = 0;
    limited = false;
    pairs(templates);
    triples(templates);
    current.forEach((template, executions) -> tried.put(template, executions.size()));
    all += meetings;
    wereLimited |= limited;
    return new Result(List.copyOf(found.values()), all, !wereLimited);
  }

  /** A query by which a kind of anomaly comes about, in any transaction. */
  private record Shown(AnomalyKind kind, boolean relative, String statement) {
    static Set<Shown> of(Forecast forecast) {
      return forecast.stale().stream()
          .map(s -> new Shown(forecast.anomaly().kind(), forecast.relative(), s.statement()))
          .collect(Collectors.toSet());
    }
  }

  /**
   * Forecasts of which those of one kind with the same queries are one, in whatever transactions,
   * and of which none is left that has no place but those of ones of its kind with fewer queries,
   * in {@link #ORDER}.
   */
  public static List<Forecast> merged(Collection<Forecast> forecasts) {
    Map<Set<Shown>, List<Forecast>> byQueries = new LinkedHashMap<>();
    for (Forecast forecast : forecasts) {
      byQueries.computeIfAbsent(Shown.of(forecast), stale -> new ArrayList<>()).add(forecast);
    }
    List<List<Forecast>> fewest = new ArrayList<>(byQueries.values());
    for (List<Forecast> alike : fewest) {
      alike.sort(
          Comparator.comparing(Forecast::certainty)
              .thenComparing(forecast -> forecast.templates().size()));
    }
    fewest.sort(
        Comparator.<List<Forecast>, Certainty>comparing(alike -> alike.get(0).certainty())
            .thenComparing(alike -> Shown.of(alike.get(0)).size())
            .thenComparing(alike -> alike.get(0).id()));
    List<Forecast> merged = new ArrayList<>();
    Set<Forecast.Place> explained = new HashSet<>();
    for (List<Forecast> alike : fewest) {
      boolean more = false;
      for (Forecast forecast : alike) {
        more |= explained.addAll(forecast.places());
      }
      if (more) {
        List<List<Template>> others = alike.stream().skip(1).map(Forecast::templates).toList();
        merged.add(alike.get(0).with(others));
      }
    }
    merged.sort(ORDER);
    return merged;
  }

  /** The surest first, of those the ones that change something, and ran often. */
  public static final Comparator<Forecast> ORDER =
      Comparator.comparing(Forecast::certainty)
          .thenComparing(forecast -> !forecast.changes())
          .thenComparing(Forecast::relative)
          .thenComparing(Comparator.comparingLong(Forecast::count).reversed())
          .thenComparing(Forecast::id);

  private void pairs(List<Template> templates) {
    for (int i = 0; i < templates.size() && !isFull(); i++) {
      for (int j = i; j < templates.size(); j++) {
        List<Template> pair = List.of(templates.get(i), templates.get(j));
        if (isNew(pair) && Conflicts.among(pair)) {
          meet(pair);
        }
      }
    }
  }

  private void triples(List<Template> templates) {
    for (int i = 0; i < templates.size() && !isFull(); i++) {
      for (int j = i; j < templates.size(); j++) {
        if (!mayBeOfThree(templates.get(i), templates.get(j))) {
          continue;
        }
        for (int k = j; k < templates.size(); k++) {
          Template third = templates.get(k);
          List<Template> three = List.of(templates.get(i), templates.get(j), third);
          if (isNew(three)
              && mayBeOfThree(templates.get(i), third)
              && mayBeOfThree(templates.get(j), third)) {
            meet(three);
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

  private boolean isFull() {
    limited |= meetings >= Limits.MEETINGS;
    return limited;
  }

  private boolean isNew(List<Template> who) {
    return who.stream().anyMatch(template -> executions(template).size() > tried(template));
  }

  private List<Execution> executions(Template template) {
    return current.getOrDefault(template, List.of());
  }

  private int tried(Template template) {
    return tried.getOrDefault(template, 0);
  }

  private boolean isNew(List<Template> who, List<Execution> executions) {
    for (int i = 0; i < who.size(); i++) {
      if (executions(who.get(i)).indexOf(executions.get(i)) >= tried(who.get(i))) {
        return true;
      }
    }
    return false;
  }

  /** Tries executions that touched the same rows, and then some that can be taken for such. */
  private void meet(List<Template> who) {
    boolean any = false;
    for (List<Execution> executions : Choices.of(who.stream().map(this::executions).toList())) {
      if (isFull()) {
        return;
      }
      if (isNew(who, executions)) {
        any |= meet(who, executions, Choices.asTheyAre(who.size()), Certainty.POSSIBLE);
      }
    }
    List<Execution> first = who.stream().map(template -> executions(template).get(0)).toList();
    if (!any && isNew(who, first)) {
      for (List<Map<Long, Long>> renamed : Choices.renamed(first)) {
        if (meet(who, first, renamed, Certainty.NEEDS_VALUES)) {
          return;
        }
      }
    }
  }

  private boolean meet(
      List<Template> who,
      List<Execution> executions,
      List<Map<Long, Long>> renamed,
      Certainty certainty) {
    Meeting meeting = Meeting.of(executions, renamed);
    if (!meeting.isConcerned() || isSerialized(meeting)) {
      return false;
    }
    meetings++;
    Map<Set<Forecast.Stale>, Course> courses = new HashMap<>();
    boolean seen =
        Interleavings.run(meeting, course -> courses.putIfAbsent(stale(who, course), course));
    wereLimited |= !seen;
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
    Key key = new Key(stale, who);
    Forecast known = found.get(key);
    if (known != null && (known.asSeen() || certainty == Certainty.NEEDS_VALUES)) {
      if (certainty == Certainty.POSSIBLE) {
        found.put(key, known.with(course)); // it can still be tried on a database
      }
      return true;
    }
    Judged judged = Judged.of(course.records(), promise);
    if (judged == null) {
      return false;
    }
    boolean changes = stale.stream().anyMatch(s -> s.template().executions().get(0).writes());
    boolean sure = !course.isOfScans() && executionsAreClear(course);
    found.put(
        key,
        new Forecast(
            Ids.of(stale),
            sure ? certainty : Certainty.NEEDS_VALUES,
            who,
            course,
            judged.anomaly,
            judged.cause,
            List.copyOf(stale),
            changes,
            course.writesRelatively(),
            course.isOfScans(),
            certainty == Certainty.POSSIBLE,
            List.of()));
    return true;
  }

  private static boolean executionsAreClear(Course course) {
    return course.executions().stream().allMatch(execution -> execution.unclear() == null);
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
