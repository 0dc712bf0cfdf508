package io.isotail.monitor.forecast;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.forecast.Forecast;
import io.isotail.incremental.forecast.Forecaster;
import io.isotail.incremental.forecast.Templates;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.sql.StatementFactsReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/**
 * Forecasts, and what they were made from.
 *
 * @param forecasts those to be told
 * @param known how many there are that a base has too, which are not told
 * @param promise the level that is promised
 * @param kinds number of different transactions
 * @param meetings pairs and triples that were run beside each other
 * @param exhausted whether no limit ended the search
 * @param seen the transactions, and why some are left out
 */
public record Foreseen(
    List<Forecast> forecasts,
    int known,
    IsolationLevel promise,
    int kinds,
    long meetings,
    boolean exhausted,
    Templates.Seen seen) {
  /** Copies the list. */
  public Foreseen {
    forecasts = List.copyOf(forecasts);
  }

  /** What takes transactions, and knows what their statements tell. */
  public static Templates templates() {
    return new Templates(
        StatementFactsReader::read, CheckerConfig.forFile("forecast", IsolationLevel.SERIALIZABLE));
  }

  /** The forecasts for transactions, merged. */
  public static Foreseen of(Templates templates, IsolationLevel promise) {
    return each(templates, promise).merged();
  }

  /** The forecasts for transactions, not merged. */
  public static Foreseen each(Templates templates, IsolationLevel promise) {
    Forecaster.Result result = new Forecaster(promise).of(templates.all());
    return of(templates.all().size(), templates.seen(), result, promise);
  }

  /** With those of one kind by the same queries as one. */
  public Foreseen merged() {
    return with(Forecaster.merged(forecasts));
  }

  /**
   * What a search has found, not merged.
   *
   * @param kinds number of different transactions
   * @param seen why transactions are left out
   */
  public static Foreseen of(
      int kinds, Templates.Seen seen, Forecaster.Result result, IsolationLevel promise) {
    return new Foreseen(
        result.forecasts(), 0, promise, kinds, result.meetings(), result.exhausted(), seen);
  }

  /** Without those that another one has; neither is merged. */
  public Foreseen without(Foreseen base) {
    Set<String> ids = base.forecasts.stream().map(Forecast::id).collect(Collectors.toSet());
    List<Forecast> added = forecasts.stream().filter(f -> !ids.contains(f.id())).toList();
    List<Forecast> both = forecasts.stream().filter(f -> ids.contains(f.id())).toList();
    int known = Forecaster.merged(both).size();
    return new Foreseen(added, known, promise, kinds, meetings, exhausted, seen);
  }

  /**
   * Together with what was made of other transactions: what both have once, the surer one. Neither
   * is merged.
   */
  public Foreseen and(Foreseen others) {
    Map<String, Forecast> all = new HashMap<>();
    for (Foreseen each : List.of(this, others)) {
      for (Forecast forecast : each.forecasts) {
        all.merge(forecast.id(), forecast, BinaryOperator.minBy(Forecaster.ORDER));
      }
    }
    return new Foreseen(
        all.values().stream().sorted(Forecaster.ORDER).toList(),
        known + others.known,
        promise,
        kinds + others.kinds,
        meetings + others.meetings,
        exhausted && others.exhausted,
        seen.and(others.seen));
  }

  /** With other forecasts in their place. */
  public Foreseen with(List<Forecast> others) {
    return new Foreseen(others, known, promise, kinds, meetings, exhausted, seen);
  }
}
