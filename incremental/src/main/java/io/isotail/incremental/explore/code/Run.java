package io.isotail.incremental.explore.code;

import io.isotail.incremental.explore.Execution.State;
import io.isotail.incremental.explore.Program;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One run of the code of a transaction, from its beginning up to the first read whose value is not
 * known, or to its end. It is compared with what an earlier run did.
 *
 * <p>Code that throws ends its transaction: what it wrote is taken back, and the assertion that it
 * throws nothing fails. What isotail itself throws where it is misused goes to the caller: a value
 * of another type, or one that nobody kept, as an {@link #error} of the history, all else at once.
 *
 * <p>At a read whose value is not known the code is left by a throwable. If code catches that, as
 * {@code assertAll} does, then nothing that it still does has an effect: it will be run again with
 * the value, and there the read throws nothing.
 */
final class Run implements Transaction {
  /** What stands between a step and the code that makes it. */
  private static final Set<String> OWN = Set.of(Run.class.getName(), Transaction.class.getName());

  /** What stands between an assertion and the code that makes it. */
  private static final List<String> LIBRARIES =
      List.of("java.", "jdk.", "org.junit.", "org.assertj.", "org.opentest4j.", "org.hamcrest.");

  /**
   * Leaves the code where it stands; made once a run, without a stack trace. An error, so that code
   * which catches exceptions lets it pass.
   */
  private static final class Halt extends Error {
    private static final long serialVersionUID = 1L;

    Halt() {
      super("the run ends here; code of a transaction must let this pass", null, false, false);
    }
  }

  private final CodeExecution.Code code;
  private final int index;
  private final List<Object> values;
  private final List<String> expected;

  /** Whether nothing may come after what is expected. */
  private final boolean whole;

  /** What was done, in words: the steps that a run with more values must begin with. */
  private final List<String> done = new ArrayList<>();

  private final Map<String, Object> writes = new LinkedHashMap<>();
  private final Map<String, Object> kept;
  private final Halt halt = new Halt();
  private State state = State.COMMITTED;
  private @Nullable String variable;
  private @Nullable String failure;
  private int read;
  private @Nullable RuntimeException misuse;

  /** A misuse that belongs to what was read or kept: another history need not have it. */
  private @Nullable RuntimeException error;

  private Run(
      CodeExecution.Code code,
      int index,
      Map<String, Object> keptBefore,
      List<Object> values,
      List<String> expected,
      boolean whole) {
    this.code = code;
    this.index = index;
    this.kept = new HashMap<>(keptBefore);
    this.values = values;
    this.expected = expected;
    this.whole = whole;
  }

  /**
   * Runs a transaction.
   *
   * @param values what its reads return
   * @param expected the steps that an earlier run with fewer values did
   */
  static Run of(
      CodeExecution.Code code,
      int index,
      Map<String, Object> keptBefore,
      List<Object> values,
      List<String> expected) {
    Run run = new Run(code, index, keptBefore, values, expected, false);
    run.run();
    return run;
  }

  /**
   * Runs a transaction that has ended once more.
   *
   * @throws NotDeterministic if it does something else
   */
  void again(Map<String, Object> keptBefore) {
    Run run = new Run(code, index, keptBefore, values, done, true);
    run.run();
    if (run.state != state || !run.writes.equals(writes) || run.fails() != fails()) {
      throw run.differs(
          "its end, %s with %s and %s"
              .formatted(run.state, run.writes, run.failure == null ? "no failure" : run.failure),
          "");
    }
  }

  private boolean fails() {
    return failure != null || error != null;
  }

  /** What ended it that other values, read or kept, need not have; null if nothing did. */
  @Nullable RuntimeException error() {
    return error;
  }

  State state() {
    return state;
  }

  @Nullable String variable() {
    return variable;
  }

  @Nullable String failure() {
    return failure;
  }

  /** What it wrote, also if it was aborted. */
  Map<String, Object> writes() {
    return writes;
  }

  /** What this transaction and those before it kept. */
  Map<String, Object> kept() {
    return kept;
  }

  List<String> done() {
    return done;
  }

  private void run() {
    try {
      code.transactions().get(index).run(this);
      left(null);
    } catch (StackOverflowError e) {
      left(e);
    } catch (VirtualMachineError e) {
      throw e;
    } catch (RuntimeException | Error e) {
      left(e);
    }
  }

  /** The code has come to its end, or has thrown something. */
  private void left(@Nullable Throwable thrown) {
    if (misuse != null) {
      throw misuse; // even if the code has caught it
    }
    if (error != null) {
      state = State.ABORTED; // even if the code has caught it
      return;
    }
    if (thrown instanceof NotDeterministic of) {
      throw of;
    }
    if (thrown instanceof Halt && thrown != halt) {
      throw new IllegalStateException(
          code.name(index)
              + " used the Transaction of another run; expected the one that it was given",
          thrown);
    }
    if (state == State.ABORTED && !isCausedByHalt(thrown)) {
      goesOn();
    }
    if (state == State.COMMITTED && thrown != null) {
      threw(thrown);
    }
    if (state != State.READS && done.size() < expected.size()) {
      throw differs("the end of its code", "");
    }
  }

  private boolean isCausedByHalt(@Nullable Throwable thrown) {
    Throwable cause = thrown;
    while (cause != null && cause != halt) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  @Override
  public <T> T get(String name, Class<T> type) {
    goesOn();
    given(name, "the name of a variable is null; expected one");
    return cast("read " + name, value(name), type);
  }

  @Override
  public Map<String, Object> scan(String prefix) {
    goesOn();
    given(prefix, "the prefix of a scan is null; expected one");
    step("scan " + prefix);
    agrees(code.keys().scanned(prefix, code.name(index)));
    SortedMap<String, Object> present = new TreeMap<>();
    for (String name : code.keys().with(prefix)) {
      Object value = value(name);
      if (value != Program.ABSENT) {
        present.put(name, value);
      }
    }
    return Collections.unmodifiableSortedMap(present);
  }

  private Object value(String name) {
    Object own = writes.get(name);
    if (own != null) {
      return own;
    }
    step("get " + name);
    if (read == values.size()) {
      variable = name;
      state = State.READS;
      throw halt;
    }
    return values.get(read++);
  }

  private <T> T cast(String what, Object value, Class<T> type) {
    if (!type.isInstance(value)) {
      String of = value == Program.ABSENT ? "" : " (" + value.getClass().getSimpleName() + ")";
      throw unfitting(
          new ClassCastException(
              "%s: %s = %s%s; expected a %s"
                  .formatted(code.name(index), what, value, of, type.getSimpleName())));
    }
    return type.cast(value);
  }

  /** Code that no compiler has checked may give null. */
  private void given(@Nullable Object value, String otherwise) {
    if (value == null) {
      throw misuse(new IllegalArgumentException(code.name(index) + ": " + otherwise));
    }
  }

  @Override
  public void put(String name, Object value) {
    goesOn();
    given(name, "the name of a variable is null; expected one");
    given(value, "puts null into '%1$s'; expected a value, or delete(\"%1$s\")".formatted(name));
    step("put " + name + " = " + value);
    write(name, value);
  }

  @Override
  public void delete(String name) {
    goesOn();
    given(name, "the name of a variable is null; expected one");
    step("delete " + name);
    write(name, Program.ABSENT);
  }

  private void write(String name, Object value) {
    agrees(code.keys().written(name, code.name(index)));
    writes.put(name, value);
  }

  /** A scan misses no write. */
  private void agrees(@Nullable String otherwise) {
    if (otherwise != null) {
      throw misuse(new IllegalStateException(otherwise));
    }
  }

  @Override
  public void abort() {
    goesOn();
    step("abort");
    state = State.ABORTED;
    throw halt;
  }

  @Override
  public void check(boolean holds, String otherwise) {
    if (!holds && failure == null && state != State.READS) {
      failure = String.valueOf(otherwise);
    }
  }

  @Override
  public void keep(String name, Object value) {
    goesOn();
    given(name, "keeps something under the name null; expected a name");
    given(value, "keeps null as '%s'; expected a value".formatted(name));
    step("keep " + name + " = " + value);
    kept.put(name, value);
  }

  @Override
  public <T> T kept(String name, Class<T> type) {
    goesOn();
    Object value = kept.get(name);
    if (value == null) {
      throw unfitting(
          new IllegalStateException(
              "%s: no earlier transaction of %s kept '%s'; there is %s"
                  .formatted(code.name(index), code.session(), name, kept.keySet())));
    }
    return cast("kept '" + name + "'", value, type);
  }

  /** Nothing is done once a run has been ended. */
  private void goesOn() {
    if (state == State.READS) {
      throw halt;
    }
    if (state == State.ABORTED) {
      throw misuse(
          new IllegalStateException(
              "%s went on after abort(), which ends it by what it throws; call abort() outside of assertAll, assertThrows and whatever else catches Throwable"
                  .formatted(code.name(index))));
    }
  }

  /** What the code is to be told of; the first of several is what the caller is told. */
  private RuntimeException misuse(RuntimeException e) {
    if (misuse == null) {
      misuse = e;
    }
    return e;
  }

  /** What belongs to the history; the first of several is what is told. */
  private RuntimeException unfitting(RuntimeException e) {
    if (error == null) {
      error = e;
    }
    return e;
  }

  /** The code has thrown something of its own. */
  private void threw(Throwable thrown) {
    step("throw " + thrown.getClass().getName());
    if (failure == null) {
      String message = String.valueOf(thrown.getMessage());
      failure =
          thrown instanceof AssertionError
              ? message + place(thrown)
              : "threw " + thrown.getClass().getName() + ": " + message + place(thrown);
    }
    state = State.ABORTED;
  }

  /** The first line of code that is neither of a library of assertions nor of the JDK. */
  private String place(Throwable thrown) {
    for (StackTraceElement frame : thrown.getStackTrace()) {
      if (LIBRARIES.stream().noneMatch(frame.getClassName()::startsWith)) {
        return " (%s:%d)".formatted(frame.getFileName(), frame.getLineNumber());
      }
    }
    return "";
  }

  private void step(String what) {
    int at = done.size();
    boolean ended = whole && at == expected.size();
    if (ended || (at < expected.size() && !expected.get(at).equals(what))) {
      throw misuse(differs(what, place()));
    }
    done.add(what);
  }

  private NotDeterministic differs(String then, String place) {
    String before = done.size() < expected.size() ? expected.get(done.size()) : "its end";
    return new NotDeterministic(code.name(index), done.size() + 1, before, then, place);
  }

  /** Where the code makes the step that is under way. */
  private static String place() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> !OWN.contains(frame.getClassName()))
                    .findFirst()
                    .map(frame -> ", at " + frame)
                    .orElse(""));
  }
}
