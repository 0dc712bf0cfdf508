package io.isotail.junit;

import io.isotail.incremental.forecast.Certainty;
import io.isotail.incremental.forecast.Forecast;
import io.isotail.incremental.forecast.Forecaster;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The forecasts of a run of tests, for each data source and promise.
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
    final Set<String> failed = new HashSet<>();
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
    of.latest = all.with(Forecaster.merged(left));
    List<Forecast> failing =
        of.latest.forecasts().stream()
            .filter(forecast -> fails(forecast, asked.failOn()) && of.failed.add(forecast.id()))
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

  /** One line for the test's report. */
  synchronized String summary() {
    long proved = 0;
    long others = 0;
    long prevented = 0;
    for (Told each : told.values()) {
      for (Forecast forecast : each.latest.forecasts()) {
        boolean sure = forecast.certainty() == Certainty.PROVED;
        proved += sure ? 1 : 0;
        others += sure ? 0 : 1;
      }
      prevented += each.tried.keySet().stream().filter(each::isPrevented).count();
    }
    return "%d forecasts proved on the database, %d others, %d prevented by it"
        .formatted(proved, others, prevented);
  }

  /** Leaves the files; the run is over. */
  @Override
  public synchronized void close() throws IOException {
    if (told.isEmpty()) {
      return;
    }
    StringBuilder markdown = new StringBuilder();
    StringBuilder json = new StringBuilder();
    List<String> traffic = new ArrayList<>();
    Set<CheckedHistory> written = new HashSet<>();
    for (Map.Entry<Of, Told> each : told.entrySet()) {
      tell(each.getValue(), each.getKey().history().forecasts().warning(), markdown);
      json.append(ForecastJson.of(each.getValue().latest)).append('\n');
      if (written.add(each.getKey().history())) {
        traffic.addAll(each.getKey().history().forecasts().traffic());
      }
    }
    StringBuilder sections = new StringBuilder();
    told.values().forEach(of -> sections.append(ForecastHtml.of(of.latest, untold(of))));
    SuiteReport.begin().withForecasts(sections.toString());
    Path folder = SuiteReport.folder();
    long pid = ProcessHandle.current().pid();
    Path page = folder.resolve("forecast-%d.md".formatted(pid));
    Files.createDirectories(folder);
    Files.writeString(page, markdown);
    Files.writeString(folder.resolve("forecast-%d.json".formatted(pid)), json);
    Files.write(folder.resolve("traffic-%d.jsonl".formatted(pid)), traffic);
    System.out.println("isotail: " + summary() + ": " + page);
  }

  private static void tell(Told of, String warning, StringBuilder markdown) {
    markdown.append(ForecastMarkdown.of(of.latest));
    untold(of).forEach(each -> markdown.append("\n- ").append(each).append('\n'));
    markdown.append(warning.isBlank() ? "" : "\n" + warning + "\n");
  }

  /** The trials that proved nothing, each with its reason. */
  private static List<String> untold(Told of) {
    List<String> untold = new ArrayList<>();
    of.tried.forEach(
        (key, outcome) -> {
          if (!of.proved.contains(key)) {
            untold.add(
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
    return untold;
  }
}
