package io.isotail.incremental.forecast;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that ran, by the code that ran them.
 *
 * <p>Neighbouring operations of one text are one statement: whether a text ran twice in a row is
 * not recorded. Where it is known from elsewhere, {@link #accept(TransactionRecord, List)} takes
 * it.
 *
 * <p>Not safe for several threads.
 */
public final class Templates {
  private static final int MOST_UNFINISHED = 10_000;
  private static final int MOST_TEXTS = 10_000;

  private final Function<String, StatementFacts> facts;
  private final Function<@Nullable String, io.isotail.incremental.level.@Nullable IsolationLevel>
      levels;
  private final Map<Template.Code, Template> templates = new LinkedHashMap<>();
  private final Map<Long, Unfinished> unfinished = new HashMap<>();
  private final Map<String, StatementFacts> known = new HashMap<>();
  private final Seen seen = new Seen();

  /** Why transactions are not among the templates, and how many. */
  public static final class Seen {
    private long committed;
    private long notCommitted;
    private long withoutStatements;
    private long tooLong;
    private long opaque;
    private @Nullable String anOpaque;
    private long beyondTemplates;

    /** These and those of other templates. */
    public Seen and(Seen others) {
      Seen sum = new Seen();
      for (Seen each : List.of(this, others)) {
        sum.committed += each.committed;
        sum.notCommitted += each.notCommitted;
        sum.withoutStatements += each.withoutStatements;
        sum.tooLong += each.tooLong;
        sum.opaque += each.opaque;
        sum.anOpaque = sum.anOpaque == null ? each.anOpaque : sum.anOpaque;
        sum.beyondTemplates += each.beyondTemplates;
      }
      return sum;
    }

    /** Transactions that committed. */
    public long committed() {
      return committed;
    }

    /** Transactions that rolled back, or of which it is not known how they ended. */
    public long notCommitted() {
      return notCommitted;
    }

    /** Transactions of which statements were recorded without their texts. */
    public long withoutStatements() {
      return withoutStatements;
    }

    /** Transactions with more statements or rows than are looked at. */
    public long tooLong() {
      return tooLong;
    }

    /** Transactions with a statement of which the rows are not known. */
    public long opaque() {
      return opaque;
    }

    /** The first of those statements; null if there is none. */
    public @Nullable String anOpaque() {
      return anOpaque;
    }

    /** Transactions of code that came after the last template that is kept. */
    public long beyondTemplates() {
      return beyondTemplates;
    }
  }

  /**
   * Nothing yet.
   *
   * @param facts what the text of a statement tells
   * @param config tells what the recorded levels stand for
   */
  public Templates(Function<String, StatementFacts> facts, CheckerConfig config) {
    this.facts = facts;
    this.levels = config::givenBy;
  }

  /**
   * A statement that ran.
   *
   * @param text its text without values
   * @param changedNothing whether it is a write that hit no row
   */
  public record Ran(String text, boolean changedNothing) {}

  /** A transaction, or a chunk of one. */
  public @Nullable Execution accept(TransactionRecord record) {
    return accept(record, List.of());
  }

  /**
   * A transaction, or a chunk of one.
   *
   * @param ran its statements, each as often as it ran, in their order; empty if that is not known
   * @return what is new about it; null if it is no execution that is kept
   */
  public @Nullable Execution accept(TransactionRecord record, List<Ran> ran) {
    long session = record.session().id();
    Unfinished running = record.chunk() == 0 ? new Unfinished() : unfinished.get(session);
    if (running == null) {
      return null; // its first chunk came before anybody looked
    }
    append(running, record.operations(), ran);
    if (record.outcome() == Outcome.OPEN) {
      if (unfinished.size() < MOST_UNFINISHED) {
        unfinished.put(session, running);
      }
      return null;
    }
    unfinished.remove(session);
    if (record.outcome() != Outcome.COMMITTED) {
      seen.notCommitted++;
      return null;
    }
    seen.committed++;
    return keep(record, running);
  }

  /** What has come of a transaction so far. */
  private static final class Unfinished {
    final List<Step> steps = new ArrayList<>();

    /** The first statement of it that is not understood; null if there is none. */
    @Nullable String unclear;

    void isUnclear(String text) {
      unclear = unclear == null ? text : unclear;
    }
  }

  private @Nullable Execution keep(TransactionRecord record, Unfinished whole) {
    List<Step> steps = whole.steps;
    if (whole.unclear != null) {
      seen.opaque++;
      seen.anOpaque = seen.anOpaque == null ? whole.unclear : seen.anOpaque;
    }
    if (steps.stream().allMatch(Step::scans)) {
      return null;
    }
    if (steps.stream().anyMatch(step -> step.statement().fingerprint().isEmpty())) {
      seen.withoutStatements++;
      return null;
    }
    Set<Long> rows = new HashSet<>();
    steps.forEach(step -> step.touches().forEach(touch -> rows.add(touch.key())));
    if (steps.size() > Limits.STEPS || rows.size() > Limits.ROWS) {
      seen.tooLong++;
      return null;
    }
    Execution execution =
        new Execution(
            record.session().id(),
            record.transaction(),
            record.session().service(),
            record.origin(),
            record.ranAt(),
            levels.apply(record.ranAt()),
            steps,
            whole.unclear);
    Template.Code code = Template.codeOf(execution);
    Template template = templates.get(code);
    if (template == null) {
      if (templates.size() >= Limits.TEMPLATES) {
        seen.beyondTemplates++;
        return null;
      }
      template = new Template(code);
      templates.put(code, template);
    }
    return template.add(execution) ? execution : null;
  }

  private void append(Unfinished to, Operations operations, List<Ran> ran) {
    List<Step> steps = to.steps;
    Run run = Run.NONE;
    int next = 0;
    int i = 0;
    while (i < operations.size() && steps.size() <= Limits.STEPS) {
      int first = i;
      Statement statement = operations.statement(first);
      if (statement.isOfServer()) {
        i++;
        continue;
      }
      StatementFacts told = facts(statement.fingerprint());
      List<Touch> touches = new ArrayList<>();
      for (; i < operations.size() && operations.statement(i).equals(statement); i++) {
        Touch touch = touch(operations, i, told.inserts());
        if (touch != null) {
          touches.add(touch);
        } else if (!operations.undone(i)) {
          to.isUnclear(statement.fingerprint());
        }
      }
      int at = indexOf(statement.fingerprint(), ran, next);
      boolean ranAgain = at >= 0 && !isAnyToldLater(ran.subList(next, at), operations, i);
      if (!run.goesOnWith(statement, ranAgain)) {
        while (next < at) {
          appendUntold(to, ran, next++);
        }
        int count = 0;
        while (at >= 0
            && next < ran.size()
            && ran.get(next).text().equals(statement.fingerprint())) {
          next++;
          count++;
        }
        run = new Run(statement.fingerprint(), at, count, new HashSet<>());
      }
      run.tables.add(statement);
      if (run.count > 1 && run.count == touches.size()) {
        for (int each = 0; each < run.count; each++) {
          List<Touch> one = List.of(touches.get(each));
          steps.add(new Step(steps.size(), statement, told, one, run.first + each, 1));
        }
      } else if (!touches.isEmpty()) {
        int count = Math.max(run.count, 1);
        steps.add(new Step(steps.size(), statement, told, touches, run.first, count));
      }
    }
    while (next < ran.size()) {
      appendUntold(to, ran, next++);
    }
  }

  /**
   * A text that ran, perhaps several times in a row. A join has rows of several tables.
   *
   * @param first place among all that ran; -1 if it is not known
   * @param count how often; 0 if it is not known
   * @param tables those of which rows were seen
   */
  private record Run(String text, int first, int count, Set<Statement> tables) {
    static final Run NONE = new Run("", -1, 0, Set.of());

    /**
     * Whether the next operations are of it too.
     *
     * @param ranAgain whether the text ran later once more, and before that nothing of which rows
     *     come
     */
    boolean goesOnWith(Statement statement, boolean ranAgain) {
      return !text.isEmpty()
          && text.equals(statement.fingerprint())
          && !(ranAgain && tables.contains(statement));
    }
  }

  /** Whether rows of one of the texts come from here on. */
  private static boolean isAnyToldLater(List<Ran> ran, Operations operations, int from) {
    Set<String> texts = ran.stream().map(Ran::text).collect(Collectors.toSet());
    for (int i = from; i < operations.size() && !texts.isEmpty(); i++) {
      if (texts.contains(operations.statement(i).fingerprint())) {
        return true;
      }
    }
    return false;
  }

  private static int indexOf(String text, List<Ran> ran, int from) {
    for (int i = from; i < ran.size(); i++) {
      if (ran.get(i).text().equals(text)) {
        return i;
      }
    }
    return -1;
  }

  /** A statement that ran, and of which nobody saw what rows it touched. */
  private void appendUntold(Unfinished to, List<Ran> ran, int run) {
    String text = ran.get(run).text();
    StatementFacts told = facts(text);
    if (told.unclear() && !ran.get(run).changedNothing()) {
      to.isUnclear(text);
    }
    if (!told.scanned().isEmpty()) {
      Statement statement = new Statement(told.scanned().iterator().next(), text);
      to.steps.add(new Step(to.steps.size(), statement, told, List.of(), run, 1));
    }
  }

  private StatementFacts facts(String text) {
    if (known.size() >= MOST_TEXTS) {
      known.clear();
    }
    return known.computeIfAbsent(text, facts);
  }

  private static @Nullable Touch touch(Operations operations, int i, boolean inserts) {
    if (operations.undone(i) || operations.kind(i) == OperationKind.OPAQUE) {
      return null;
    }
    Touch.Kind kind =
        switch (operations.kind(i)) {
          case DELETE -> Touch.Kind.DELETE;
          case WRITE ->
              inserts || operations.statement(i).inserts() ? Touch.Kind.INSERT : Touch.Kind.WRITE;
          default ->
              operations.versionKind(i) == VersionKind.INITIAL
                  ? Touch.Kind.READ_ABSENT
                  : Touch.Kind.READ;
        };
    return new Touch(kind, operations.key(i), operations.keyName(i));
  }

  /** The templates, in the order in which they were first seen. */
  public List<Template> all() {
    return List.copyOf(templates.values());
  }

  /** What is not among them. */
  public Seen seen() {
    return seen;
  }
}
