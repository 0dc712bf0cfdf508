package io.isotail.junit;

import io.isotail.incremental.forecast.Certainty;
import io.isotail.incremental.forecast.Forecast;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.junit.ForecastIsolation.FailOn;
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
 * The forecasts of a run of tests, for each data source.
 *
 * <p>Bounds: a forecast is tried at most {@link #MOST_TRIALS} times, until the database has shown
 * or prevented it.
 */
final class ForecastSuite implements AutoCloseable {
  private static final int MOST_TRIALS = 4;

  private final Map<CheckedHistory, Told> told = new LinkedHashMap<>();

  /** What is known of the forecasts of one data source. */
  private static final class Told {
    IsolationLevel promise = IsolationLevel.SERIALIZABLE;
    final Map<String, Forecast> proved = new HashMap<>();
    final Map<String, String> prevented = new LinkedHashMap<>();
    final Map<String, String> untried = new LinkedHashMap<>();
    final Map<String, Integer> trials = new HashMap<>();
    final Set<String> failed = new HashSet<>();
    Foreseen latest = Foreseen.of(Foreseen.templates(), IsolationLevel.SERIALIZABLE);
  }

  /** A test is over; returns what is to fail it. */
  synchronized List<String> testEnded(ForecastIsolation asked) {
    List<String> failures = new ArrayList<>();
    for (CheckedHistory history : Histories.all()) {
      if (!history.forecasts().hasChanged()) {
        history.forecasts().endSnapshots();
        continue;
      }
      Told of = told.computeIfAbsent(history, h -> new Told());
      of.promise = asked.promise();
      look(of, history, asked);
      history.forecasts().endSnapshots();
      List<Forecast> failing =
          of.latest.forecasts().stream()
              .filter(forecast -> fails(forecast, asked.failOn()) && of.failed.add(forecast.id()))
              .toList();
      if (!failing.isEmpty()) {
        failures.add(ForecastText.of(of.latest.with(failing), Paint.PLAIN));
      }
    }
    return failures;
  }

  private static boolean fails(Forecast forecast, FailOn failOn) {
    return switch (failOn) {
      case NOTHING -> false;
      case PROVED -> forecast.certainty() == Certainty.PROVED;
      case POSSIBLE -> forecast.certainty() != Certainty.NEEDS_VALUES;
    };
  }

  private static void look(Told of, CheckedHistory history, ForecastIsolation asked) {
    Foreseen all = history.forecasts().foreseen(of.promise);
    List<Forecast> left = new ArrayList<>();
    for (Forecast forecast : all.forecasts()) {
      Forecast known = of.proved.getOrDefault(forecast.id(), forecast);
      if (asked.prove() && known.certainty() != Certainty.PROVED && known.asSeen()) {
        known = tried(of, history.forecasts(), known);
      }
      if (!of.prevented.containsKey(known.id())) {
        left.add(known);
      }
    }
    of.latest = all.with(left);
  }

  private static Forecast tried(Told of, ForecastHistory history, Forecast forecast) {
    String id = forecast.id();
    if (of.prevented.containsKey(id)
        || !Rehearsal.mayBegin(history, forecast)
        || of.trials.merge(id, 1, Integer::sum) > MOST_TRIALS) {
      return forecast;
    }
    Rehearsal.Outcome outcome = Rehearsal.of(history, forecast, of.promise);
    switch (outcome.result()) {
      case PROVED -> {
        Forecast proved = forecast.proved();
        of.proved.put(id, proved);
        return proved;
      }
      case PREVENTED -> of.prevented.put(id, outcome.why());
      case OPEN -> of.untried.put(id, outcome.why());
    }
    return forecast;
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
      prevented += each.prevented.size();
    }
    return "%d forecasts proved on the database, %d others, %d prevented by it"
        .formatted(proved, others, prevented);
  }

  /** Leaves the files; the run is over. */
  @Override
  public synchronized void close() throws IOException {
    Path folder = SuiteReport.folder();
    StringBuilder markdown = new StringBuilder();
    StringBuilder json = new StringBuilder();
    List<String> traffic = new ArrayList<>();
    for (Map.Entry<CheckedHistory, Told> each : told.entrySet()) {
      Told of = each.getValue();
      markdown.append(ForecastMarkdown.of(of.latest));
      of.prevented.forEach(
          (id, why) ->
              markdown.append("\nPrevented by the database: `%s`, %s.\n".formatted(id, why)));
      of.latest.forecasts().stream()
          .filter(forecast -> forecast.certainty() != Certainty.PROVED)
          .forEach(
              forecast ->
                  markdown.append(
                      "\nNot seen on the database: `%s`, %s.\n"
                          .formatted(
                              forecast.id(),
                              of.untried.getOrDefault(forecast.id(), "it was not tried"))));
      json.append(ForecastJson.of(of.latest)).append('\n');
      traffic.addAll(each.getKey().forecasts().traffic());
    }
    if (!told.isEmpty()) {
      long pid = ProcessHandle.current().pid();
      Files.createDirectories(folder);
      Files.writeString(folder.resolve("forecast-%d.md".formatted(pid)), markdown);
      Files.writeString(folder.resolve("forecast-%d.json".formatted(pid)), json);
      Files.write(folder.resolve("traffic-%d.jsonl".formatted(pid)), traffic);
      System.out.println(
          "isotail: " + summary() + ": " + folder.resolve("forecast-%d.md".formatted(pid)));
    }
  }
}
