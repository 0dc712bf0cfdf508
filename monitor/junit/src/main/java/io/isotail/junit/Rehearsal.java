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
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tries a forecast on the database: its statements run with their values on copies of the tables as
 * they were before.
 *
 * <p>First each transaction runs alone: it must go as it went when it was seen, or nothing follows.
 * Then they run as in the forecast. It is proved if the checker sees the promise violated, or,
 * where serializable is promised, if the queries are answered otherwise than in each order of the
 * whole transactions. Each order runs twice, to see which answers differ from time to time.
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

  /** The tables that a statement touches or looks at. */
  static Set<String> tables(Step step) {
    Set<String> tables = new TreeSet<>(step.facts().scanned());
    String table = step.statement().table();
    if (!step.scans() && table != null) {
      tables.remove(table.substring(table.lastIndexOf('.') + 1));
      tables.add(table);
    }
    return tables;
  }

  /** Tries a forecast. */
  static Outcome of(ForecastHistory history, Forecast forecast, IsolationLevel promise) {
    try {
      return new Rehearsal(history, forecast, promise).run();
    } catch (Replay.OtherCourseException e) {
      return e.outcome();
    } catch (SQLException e) {
      return open("it could not be tried: " + e.getMessage());
    }
  }

  private static Outcome open(String why) {
    return new Outcome(Result.OPEN, why);
  }

  private Outcome run() throws SQLException, Replay.OtherCourseException {
    for (Execution execution : executions) {
      Script script = history.script(execution);
      if (script == null || !String.valueOf(execution.ranAt()).startsWith(ONLY_FOR)) {
        return open("its statements are not known with their values");
      }
      if (execution.unclear() != null) {
        return open("`%s` is not understood".formatted(execution.unclear()));
      }
      if (execution.steps().stream().anyMatch(step -> step.firstRun() < 0)) {
        return open("it is not known which statement touched which rows");
      }
      scripts.add(script);
    }
    HeldSnapshot before = before(history, forecast);
    if (before == null) {
      return open("the rows as they were before are not known");
    }
    CopiedTables base = before.copies(history.tables());
    Set<String> needed = new TreeSet<>();
    executions.forEach(execution -> execution.steps().forEach(s -> needed.addAll(tables(s))));
    for (String table : needed) {
      String missing = base.missing(table, cleared().contains(table));
      if (missing != null) {
        return open("%s %s".formatted(table, missing));
      }
    }
    for (Script script : scripts) {
      if (script.statements().stream().anyMatch(s -> base.isNamedWithSchema(s.text()))) {
        return open("a statement names its schema");
      }
    }
    return run(base, needed);
  }

  /** The tables from which rows are removed. */
  private Set<String> cleared() {
    Set<String> cleared = new TreeSet<>();
    for (Execution execution : executions) {
      for (Step step : execution.steps()) {
        if (step.deletes()) {
          cleared.addAll(tables(step));
        }
      }
    }
    return cleared;
  }

  private Outcome run(CopiedTables base, Set<String> needed)
      throws SQLException, Replay.OtherCourseException {
    for (int part = 0; part < executions.size(); part++) {
      if (executions.subList(0, part).contains(executions.get(part))) {
        continue;
      }
      try {
        replay(base, needed, List.of(new Replay.Order(part, Replay.COMMIT)));
      } catch (Replay.OtherCourseException e) {
        return open(
            "%s does not run alone on the rows as they were: %s"
                .formatted(forecast.templates().get(part).name(), e.outcome().why()));
      }
    }
    Mark mark = history.rehearsals().mark(promise);
    List<List<String>> answers = replay(base, needed, asForecast());
    if (!history.rehearsals().since(mark, promise).findings().isEmpty()) {
      return new Outcome(Result.PROVED, "the checker saw the violation");
    }
    return promise.atLeast(IsolationLevel.SERIALIZABLE) && isLikeNoOrder(base, needed, answers)
        ? new Outcome(Result.PROVED, "no order of the whole transactions answers so")
        : open("it ran, and nothing was seen");
  }

  private boolean isLikeNoOrder(CopiedTables base, Set<String> needed, List<List<String>> answers)
      throws SQLException, Replay.OtherCourseException {
    for (List<Integer> order : orders(executions.size())) {
      Serial serial = new Serial(serial(base, needed, order), serial(base, needed, order));
      if (serial.answersLike(answers)) {
        return false;
      }
    }
    return true;
  }

  /** What one order of the whole transactions answers; null where they go another way then. */
  private record Serial(@Nullable List<List<String>> once, @Nullable List<List<String>> again) {

    /** Whether it answers so, but for what differs from time to time. */
    boolean answersLike(List<List<String>> others) {
      if (once == null || again == null) {
        return false;
      }
      for (int part = 0; part < others.size(); part++) {
        for (int i = 0; i < others.get(part).size(); i++) {
          String answer = once.get(part).get(i);
          if (answer.equals(again.get(part).get(i)) && !answer.equals(others.get(part).get(i))) {
            return false;
          }
        }
      }
      return true;
    }
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

  private @Nullable List<List<String>> serial(
      CopiedTables base, Set<String> needed, List<Integer> order)
      throws SQLException, Replay.OtherCourseException {
    try {
      return replay(
          base, needed, order.stream().map(part -> new Replay.Order(part, Replay.COMMIT)).toList());
    } catch (Replay.OtherCourseException e) {
      if (e.outcome().result() == Result.PREVENTED) {
        return null;
      }
      throw e;
    }
  }

  private List<List<String>> replay(
      CopiedTables base, Set<String> needed, List<Replay.Order> orders)
      throws SQLException, Replay.OtherCourseException {
    CopiedTables copies = base.again(needed, cleared());
    try (Replay replay =
        new Replay(
            Objects.requireNonNull(history.real()),
            copies,
            executions,
            scripts,
            leftOut(),
            history.rehearsals())) {
      return replay.run(orders);
    } finally {
      copies.drop();
    }
  }

  /**
   * The steps of each that do not run: those on rows that another run of the same execution makes
   * too, unless the forecast is of them.
   */
  private List<Set<Integer>> leftOut() {
    List<Set<Integer>> all = new ArrayList<>();
    for (int part = 0; part < executions.size(); part++) {
      Set<Integer> steps = new TreeSet<>();
      Execution execution = executions.get(part);
      if (executions.subList(0, part).contains(execution)) {
        execution.steps().stream()
            .filter(step -> step.isWithin(execution.ownRows()))
            .forEach(step -> steps.add(step.number()));
      }
      for (Turn turn : forecast.course().turns()) {
        Step step = turn.step();
        if (step != null && turn.part() == part) {
          steps.remove(step.number());
        }
      }
      all.add(steps);
    }
    return all;
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
