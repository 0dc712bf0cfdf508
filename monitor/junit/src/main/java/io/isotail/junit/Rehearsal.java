package io.isotail.junit;

import io.isotail.incremental.forecast.Course.Turn;
import io.isotail.incremental.forecast.Execution;
import io.isotail.incremental.forecast.Forecast;
import io.isotail.incremental.forecast.Step;
import io.isotail.incremental.level.IsolationLevel;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tries a forecast on the database: its statements run with their values, in the order of its
 * course, on copies of the tables as they were before. It is proved if the checker sees the promise
 * violated, or, where serializable is promised, if the statements are answered otherwise than in
 * each order of the whole transactions.
 */
final class Rehearsal {
  private static final String ONLY_FOR = "postgresql:";

  /** What came of it. */
  enum Result {
    /** The promise was violated. */
    PROVED,
    /** The database did not let it happen. */
    PREVENTED,
    /** It could not be tried, or nothing came of it. */
    OPEN
  }

  /**
   * The outcome.
   *
   * @param why in words
   */
  record Outcome(Result result, String why) {}

  private final ForecastHistory history;
  private final Forecast forecast;
  private final IsolationLevel promise;
  private final List<Execution> executions;
  private final List<Script> scripts = new ArrayList<>();

  private Rehearsal(ForecastHistory history, Forecast forecast, IsolationLevel promise) {
    this.history = history;
    this.forecast = forecast;
    this.promise = promise;
    this.executions = forecast.course().executions();
  }

  /** Whether it is known yet how the rows were before one of its transactions ran. */
  static boolean mayBegin(ForecastHistory history, Forecast forecast) {
    return before(history, forecast) != null;
  }

  private static @Nullable HeldSnapshot before(ForecastHistory history, Forecast forecast) {
    for (Execution execution : forecast.course().executions()) {
      Script script = history.script(execution);
      HeldSnapshot before = script == null ? null : script.before();
      if (before != null && before.isOpen()) {
        return before;
      }
    }
    return null;
  }

  /** Tries a forecast. */
  static Outcome of(ForecastHistory history, Forecast forecast, IsolationLevel promise) {
    try {
      return new Rehearsal(history, forecast, promise).run();
    } catch (Replay.OtherCourseException e) {
      return e.outcome();
    } catch (SQLException | RuntimeException e) {
      return new Outcome(Result.OPEN, "it could not be tried: " + e.getMessage());
    }
  }

  private Outcome run() throws SQLException, Replay.OtherCourseException {
    for (Execution execution : executions) {
      Script script = history.script(execution);
      if (script == null || !String.valueOf(execution.ranAt()).startsWith(ONLY_FOR)) {
        return new Outcome(Result.OPEN, "its statements are not known with their values");
      }
      scripts.add(script);
    }
    HeldSnapshot before = before(history, forecast);
    if (before == null) {
      return new Outcome(Result.OPEN, "the rows as they were before are not known");
    }
    Set<String> tables = history.tables();
    CopiedTables base = before.copies(tables);
    for (Script script : scripts) {
      if (script.statements().stream().anyMatch(s -> base.isNamedWithSchema(s.text()))) {
        return new Outcome(Result.OPEN, "a statement names its schema");
      }
    }
    for (Execution execution : executions) {
      for (Step step : execution.steps()) {
        if (!step.scans() && !base.has(Objects.requireNonNull(step.statement().table()))) {
          return new Outcome(
              Result.OPEN, "%s could not be copied".formatted(step.statement().table()));
        }
      }
    }
    return run(base);
  }

  private Outcome run(CopiedTables base) throws SQLException, Replay.OtherCourseException {
    CheckedHistory seen = new CheckedHistory("forecast-" + UUID.randomUUID());
    List<List<String>> answers = replay(base, asForecast(), seen);
    if (!seen.since(null, promise).findings().isEmpty()) {
      return new Outcome(Result.PROVED, "the checker saw the violation");
    }
    return promise.atLeast(IsolationLevel.SERIALIZABLE) && isLikeNoSerialOrder(base, answers)
        ? new Outcome(Result.PROVED, "no order of the whole transactions answers so")
        : new Outcome(Result.OPEN, "it ran, and nothing was seen");
  }

  private List<Replay.Order> asForecast() {
    List<Replay.Order> orders = new ArrayList<>();
    for (Turn turn : forecast.course().turns()) {
      Step step = turn.step();
      orders.add(
          new Replay.Order(
              turn.part(), step == null ? Replay.COMMIT : step.firstRun() + step.runs()));
    }
    return orders;
  }

  private boolean isLikeNoSerialOrder(CopiedTables base, List<List<String>> answers)
      throws SQLException {
    List<List<Integer>> orders = orders(executions.size());
    List<List<String>> first = serial(base, orders.get(0));
    List<List<String>> again = serial(base, orders.get(0));
    for (List<Integer> order : orders) {
      List<List<String>> other = order.equals(orders.get(0)) ? first : serial(base, order);
      if (other != null && areAlike(answers, other, first, again)) {
        return false;
      }
    }
    return true;
  }

  /** Whether answers are alike, but for those that differ in two runs of the same order. */
  private static boolean areAlike(
      List<List<String>> some,
      List<List<String>> others,
      @Nullable List<List<String>> once,
      @Nullable List<List<String>> again) {
    for (int part = 0; part < some.size(); part++) {
      for (int i = 0; i < some.get(part).size(); i++) {
        boolean changes =
            once != null && again != null && !once.get(part).get(i).equals(again.get(part).get(i));
        if (!changes && !some.get(part).get(i).equals(others.get(part).get(i))) {
          return false;
        }
      }
    }
    return true;
  }

  /** The answers of one transaction after the other; null if they go another way then. */
  private @Nullable List<List<String>> serial(CopiedTables base, List<Integer> order)
      throws SQLException {
    List<Replay.Order> orders = new ArrayList<>();
    order.forEach(part -> orders.add(new Replay.Order(part, Replay.COMMIT)));
    try {
      return replay(base, orders, new CheckedHistory("forecast-" + UUID.randomUUID()));
    } catch (Replay.OtherCourseException e) {
      return null;
    }
  }

  private List<List<String>> replay(
      CopiedTables base, List<Replay.Order> orders, CheckedHistory seen)
      throws SQLException, Replay.OtherCourseException {
    CopiedTables copies = base.again();
    try (Replay replay =
        new Replay(Objects.requireNonNull(history.real()), copies, executions, scripts, seen)) {
      return replay.run(orders);
    } finally {
      copies.drop();
    }
  }

  private static List<List<Integer>> orders(int size) {
    if (size == 0) {
      return List.of(List.of());
    }
    List<List<Integer>> all = new ArrayList<>();
    for (List<Integer> shorter : orders(size - 1)) {
      for (int at = 0; at <= shorter.size(); at++) {
        List<Integer> longer = new ArrayList<>(shorter);
        longer.add(at, size - 1);
        all.add(longer);
      }
    }
    return all;
  }
}
