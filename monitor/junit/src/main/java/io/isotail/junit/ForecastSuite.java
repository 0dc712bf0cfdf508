package io.isotail.junit;

import io.isotail.incremental.forecast.Certainty;
import io.isotail.incremental.forecast.Forecast;
import io.isotail.incremental.forecast.Template;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.junit.ForecastIsolation.FailOn;
import io.isotail.junit.Rehearsal.Outcome;
import io.isotail.monitor.forecast.ForecastHtml;
import io.isotail.monitor.forecast.ForecastJson;
import io.isotail.monitor.forecast.ForecastMarkdown;
import io.isotail.monitor.forecast.ForecastText;
import io.isotail.monitor.forecast.Foreseen;
import io.isotail.monitor.terminal.Paint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The forecasts of a run of tests, made for each data source and promise, and told for each
 * promise.
 *
 * <p>Bound: a forecast is tried at most {@link #MOST_TRIALS} times, until the database has shown or
 * prevented it.
 */
final class ForecastSuite implements AutoCloseable {
  private static final int MOST_TRIALS = 4;

  private final Map<Of, Told> told = new LinkedHashMap<>();

  private record Of(CheckedHistory history, IsolationLevel promise) {}

  /** A forecast for the same queries may be of other transactions. */
  private record Key(String id, List<Template> who) {
    static Key of(Forecast forecast) {
      return new Key(forecast.id(), forecast.templates());
    }
  }

  /** What is known of the forecasts of one data source for one promise. */
  private static final class Told {
    final Set<Key> proved = new HashSet<>();
    final Map<Key, Outcome> tried = new LinkedHashMap<>();
    final Map<Key, Integer> trials = new HashMap<>();
    final Set<Forecast.Place> failed = new HashSet<>();
    Foreseen latest;

    Told(Foreseen nothing) {
      latest = nothing;
    }

    boolean isPrevented(Key key) {
      Outcome outcome = tried.get(key);
      return outcome != null && outcome.result() == Rehearsal.Result.PREVENTED;
    }
  }

  /** A test is over; returns what is to fail it. */
  synchronized List<String> testEnded(Asked.Forecasts asked) {
    List<String> failures = new ArrayList<>();
    for (CheckedHistory history : Histories.all()) {
      ForecastHistory forecasts = history.forecasts();
      try {
        if (forecasts.hasChanged()) {
          look(forecasts, of(history, asked.promise()), asked, failures);
        }
      } catch (RuntimeException | StackOverflowError e) {
        forecasts.isBroken();
      } finally {
        forecasts.endSnapshots();
      }
    }
    return failures;
  }

  private Told of(CheckedHistory history, IsolationLevel promise) {
    return told.computeIfAbsent(
        new Of(history, promise), of -> new Told(Foreseen.of(Foreseen.templates(), promise)));
  }

  private static void look(
      ForecastHistory history, Told of, Asked.Forecasts asked, List<String> failures) {
    Foreseen all = history.foreseen(asked.promise());
    List<Forecast> left = new ArrayList<>();
    for (Forecast forecast : all.forecasts()) {
      Key key = Key.of(forecast);
      if (asked.prove() && forecast.asSeen()) {
        tryOut(of, key, history, forecast, asked.promise());
      }
      if (of.proved.contains(key)) {
        left.add(forecast.proved());
      } else if (!of.isPrevented(key)) {
        left.add(forecast);
      }
    }
    of.latest = all.with(left);
    if (asked.failOn() == FailOn.NOTHING) {
      return;
    }
    List<Forecast> failing =
        of.latest.merged().forecasts().stream()
            .filter(f -> fails(f, asked.failOn()) && of.failed.addAll(f.places()))
            .toList();
    if (!failing.isEmpty()) {
      failures.add(ForecastText.of(of.latest.with(failing), Paint.PLAIN));
    }
  }

  private static boolean fails(Forecast forecast, FailOn failOn) {
    return switch (failOn) {
      case NOTHING -> false;
      case PROVED -> forecast.certainty() == Certainty.PROVED;
      case POSSIBLE -> forecast.certainty() != Certainty.NEEDS_VALUES;
    };
  }

  /** Tries a forecast unless that is done, or one for the same queries was proved. */
  private static void tryOut(
      Told of, Key key, ForecastHistory history, Forecast forecast, IsolationLevel promise) {
    boolean done =
        of.isPrevented(key)
            || of.proved.stream().anyMatch(known -> known.id().equals(key.id()))
            || !Rehearsal.mayBegin(history, forecast);
    if (done || of.trials.merge(key, 1, Integer::sum) > MOST_TRIALS) {
      return;
    }
    Outcome outcome = Rehearsal.of(history, forecast, promise);
    of.tried.put(key, outcome);
    if (outcome.result() == Rehearsal.Result.PROVED) {
      of.proved.add(key);
    }
  }

  /**
   * What is told for a promise: the forecasts of all data sources together.
   *
   * @param untold the trials that proved nothing, each with its reason
   * @param prevented ids of what a database has prevented
   */
  private record Whole(Foreseen foreseen, Set<String> untold, Set<String> prevented) {
    long proved() {
      return foreseen.forecasts().stream().filter(Whole::isProved).count();
    }

    static boolean isProved(Forecast forecast) {
      return forecast.certainty() == Certainty.PROVED;
    }
  }

  private Map<IsolationLevel, Whole> wholes() {
    Map<IsolationLevel, List<Told>> byPromise = new EnumMap<>(IsolationLevel.class);
    told.forEach(
        (of, each) ->
            byPromise.computeIfAbsent(of.promise(), promise -> new ArrayList<>()).add(each));
    Map<IsolationLevel, Whole> wholes = new EnumMap<>(IsolationLevel.class);
    byPromise.forEach((promise, sources) -> wholes.put(promise, whole(sources)));
    return wholes;
  }

  private static Whole whole(List<Told> sources) {
    Foreseen all = sources.stream().map(each -> each.latest).reduce(Foreseen::and).orElseThrow();
    Set<String> proved =
        all.forecasts().stream()
            .filter(Whole::isProved)
            .map(Forecast::id)
            .collect(Collectors.toSet());
    Set<String> prevented = prevented(sources);
    Foreseen left =
        all.with(
                all.forecasts().stream()
                    .filter(
                        f ->
                            proved.contains(f.id())
                                || !prevented.contains(named(f.id(), f.templates())))
                    .toList())
            .merged();
    Set<String> untold = new LinkedHashSet<>();
    Set<String> ids = new HashSet<>();
    for (Told each : sources) {
      addUntold(each, proved, untold);
      each.tried.keySet().stream().filter(each::isPrevented).map(Key::id).forEach(ids::add);
    }
    return new Whole(left, untold, ids);
  }

  /**
   * What a database has prevented, and what was tried on each other data source that has it: they
   * are mostly copies of one, as where each test makes its own.
   */
  private static Set<String> prevented(List<Told> sources) {
    Set<String> prevented = new HashSet<>();
    Set<String> untried = new HashSet<>();
    for (Told each : sources) {
      Set<String> tried = new HashSet<>();
      for (Key key : each.tried.keySet()) {
        tried.add(named(key.id(), key.who()));
        if (each.isPrevented(key)) {
          prevented.add(named(key.id(), key.who()));
        }
      }
      each.latest.forecasts().stream()
          .map(forecast -> named(forecast.id(), forecast.templates()))
          .filter(name -> !tried.contains(name))
          .forEach(untried::add);
    }
    prevented.removeAll(untried);
    return prevented;
  }

  /** A forecast of transactions by their names and levels, which are alike on copies. */
  private static String named(String id, List<Template> who) {
    return id + who.stream().map(each -> each.name() + "@" + each.ranAt()).toList();
  }

  /** The trials that proved nothing, each with its reason. */
  private static void addUntold(Told of, Set<String> proved, Set<String> to) {
    of.tried.forEach(
        (key, outcome) -> {
          if (!proved.contains(key.id())) {
            to.add(
                "%s: `%s`, %s: %s."
                    .formatted(
                        outcome.result() == Rehearsal.Result.PREVENTED
                            ? "Prevented by the database"
                            : "Not seen on the database",
                        key.id(),
                        key.who().get(0).name(),
                        outcome.why()));
          }
        });
  }

  /** One line for the test's report. */
  synchronized String summary() {
    return summary(wholes().values());
  }

  private static String summary(Collection<Whole> wholes) {
    long proved = 0;
    long all = 0;
    Set<String> prevented = new HashSet<>();
    for (Whole whole : wholes) {
      proved += whole.proved();
      all += whole.foreseen().forecasts().size();
      prevented.addAll(whole.prevented());
    }
    wholes.forEach(whole -> whole.foreseen().forecasts().forEach(f -> prevented.remove(f.id())));
    return "%d forecasts proved on the database, %d others, %d prevented by it"
        .formatted(proved, all - proved, prevented.size());
  }

  /** Leaves the files; the run is over. */
  @Override
  public synchronized void close() throws IOException {
    if (told.isEmpty()) {
      return;
    }
    Path folder = SuiteReport.folder();
    Files.createDirectories(folder);
    StringBuilder markdown = new StringBuilder();
    StringBuilder sections = new StringBuilder();
    String name = "forecast-" + ProcessHandle.current().pid();
    Map<IsolationLevel, Whole> wholes = wholes();
    for (Map.Entry<IsolationLevel, Whole> each : wholes.entrySet()) {
      Foreseen foreseen = each.getValue().foreseen();
      Set<String> untold = each.getValue().untold();
      markdown.append(ForecastMarkdown.of(foreseen));
      untold.forEach(sentence -> markdown.append("\n- ").append(sentence).append('\n'));
      sections.append(ForecastHtml.of(foreseen, untold));
      String promise = wholes.size() == 1 ? "" : "-" + each.getKey().label();
      Files.writeString(folder.resolve(name + promise + ".json"), ForecastJson.of(foreseen) + "\n");
    }
    Set<String> warnings = new LinkedHashSet<>();
    List<String> traffic = new ArrayList<>();
    for (CheckedHistory history : histories()) {
      warnings.add(history.forecasts().warning().strip());
      traffic.addAll(history.forecasts().traffic());
    }
    warnings.stream()
        .filter(warning -> !warning.isEmpty())
        .forEach(warning -> markdown.append('\n').append(warning).append('\n'));
    Path page = folder.resolve(name + ".md");
    Files.writeString(page, markdown);
    Files.write(
        folder.resolve("traffic-%d.jsonl".formatted(ProcessHandle.current().pid())), traffic);
    SuiteReport.begin().withForecasts(sections.toString());
    System.out.println("isotail: " + summary(wholes.values()) + ": " + page);
  }

  private Set<CheckedHistory> histories() {
    Set<CheckedHistory> histories = new LinkedHashSet<>();
    told.keySet().forEach(of -> histories.add(of.history()));
    return histories;
  }
}
