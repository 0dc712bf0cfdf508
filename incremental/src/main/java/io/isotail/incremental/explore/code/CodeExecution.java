package io.isotail.incremental.explore.code;

import io.isotail.incremental.explore.Execution;
import io.isotail.incremental.explore.Program;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A session of Java code: runs a transaction from its beginning up to the first read whose value is
 * not known, and compares what it did with what it did the time before. A transaction that has come
 * to its end is run once more to compare it.
 *
 * <p>Code that throws ends its transaction: what it wrote is taken back, and the assertion that it
 * throws nothing fails. What isotail itself throws where it is misused goes to the caller: a value
 * of another type as an {@link #error} of the history, all else at once.
 */
final class CodeExecution implements Execution {
  /** The code of a session, and the keys that its program declares. */
  record Code(String session, List<TransactionCode> transactions, Keys keys) {
    String name(int index) {
      return session + ".t" + (index + 1);
    }
  }

  private final Code code;
  private final int index;
  private final Map<String, Object> keptBefore;
  private final List<Object> values;

  /** What was done, in words: the steps that a run with more values must begin with. */
  private final List<String> done = new ArrayList<>();

  private final Map<String, Object> writes = new LinkedHashMap<>();
  private final Map<String, Object> kept;
  private State state = State.COMMITTED;
  private @Nullable String variable;
  private @Nullable String failure;
  private @Nullable RuntimeException error;

  private CodeExecution(
      Code code,
      int index,
      Map<String, Object> keptBefore,
      List<Object> values,
      List<String> expected) {
    this.code = code;
    this.index = index;
    this.keptBefore = Map.copyOf(keptBefore);
    this.kept = new HashMap<>(keptBefore);
    this.values = List.copyOf(values);
    run(new Run(expected, false));
    if (state != State.READS) {
      again();
    }
  }

  private void run(Run run) {
    try {
      whole(run);
    } catch (RuntimeException e) {
      if (e != run.unfitting) {
        throw e;
      }
      error = e;
      state = State.ABORTED;
    }
  }

  private void whole(Run run) {
    try {
      code.transactions().get(index).run(run);
    } catch (Halt halt) {
      if (halt != run.halt) {
        throw halt;
      }
      run.left = true;
    } catch (RuntimeException | AssertionError e) {
      if (e == run.misuse || e instanceof NotDeterministic) {
        throw e;
      }
      run.threw(e);
    }
    run.finish();
  }

  /** Runs the whole transaction once more, and compares. */
  private void again() {
    List<String> expected = List.copyOf(done);
    Map<String, Object> written = new LinkedHashMap<>(writes);
    State end = state;
    String failed = failure;
    done.clear();
    writes.clear();
    kept.clear();
    kept.putAll(keptBefore);
    state = State.COMMITTED;
    failure = null;
    RuntimeException stopped = error;
    error = null;
    Run run = new Run(expected, true);
    run(run);
    boolean fails = failure != null || error != null;
    boolean failedBefore = failed != null || stopped != null;
    if (state != end || !writes.equals(written) || fails != failedBefore) {
      throw run.differs(
          "its end, %s with %s and %s"
              .formatted(state, writes, failure == null ? "no failure" : failure));
    }
    failure = failed;
    error = stopped;
  }

  static Execution begin(Code code) {
    return new CodeExecution(code, 0, Map.of(), List.of(), List.of());
  }

  @Override
  public State state() {
    return state;
  }

  @Override
  public String variable() {
    if (variable == null) {
      throw new IllegalStateException("the transaction has ended");
    }
    return variable;
  }

  @Override
  public Map<String, Object> writes() {
    return state == State.ABORTED ? Map.of() : writes;
  }

  @Override
  public @Nullable String failure() {
    return failure;
  }

  @Override
  public @Nullable RuntimeException error() {
    return error;
  }

  @Override
  public Execution resume(Object value) {
    List<Object> more = new ArrayList<>(values);
    more.add(value);
    return new CodeExecution(code, index, keptBefore, more, done);
  }

  @Override
  public Execution next() {
    return new CodeExecution(code, index + 1, kept, List.of(), List.of());
  }

  /** Leaves the code where it stands; made once a run, without a stack trace. */
  private static final class Halt extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Halt() {
      super("the run ends here; code of a transaction must let this pass", null, false, false);
    }
  }

  private final class Run implements Transaction {
    private final List<String> expected;

    /** Whether nothing may come after what is expected. */
    private final boolean whole;

    private final Halt halt = new Halt();
    private int read;
    private boolean halted;
    private boolean left;
    private @Nullable RuntimeException misuse;

    /** A misuse that belongs to what was read or kept: another history need not have it. */
    private @Nullable RuntimeException unfitting;

    Run(List<String> expected, boolean whole) {
      this.expected = expected;
      this.whole = whole;
    }

    @Override
    public <T> T get(String name, Class<T> type) {
      goesOn();
      return cast(name, value(name), type);
    }

    @Override
    public Map<String, Object> scan(String prefix) {
      goesOn();
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
        throw halt();
      }
      return values.get(read++);
    }

    private <T> T cast(String name, Object value, Class<T> type) {
      if (!type.isInstance(value)) {
        throw unfitting(
            new ClassCastException(
                "%s read %s = %s; expected a %s"
                    .formatted(code.name(index), name, value, type.getSimpleName())));
      }
      return type.cast(value);
    }

    @Override
    public void put(String name, Object value) {
      goesOn();
      step("put " + name + " = " + value);
      write(name, value);
    }

    @Override
    public void delete(String name) {
      goesOn();
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
      step("abort");
      state = State.ABORTED;
      throw halt();
    }

    @Override
    public void check(boolean holds, String otherwise) {
      if (!holds && failure == null) {
        failure = otherwise;
      }
    }

    @Override
    public void keep(String name, Object value) {
      goesOn();
      step("keep " + name + " = " + value);
      kept.put(name, value);
    }

    @Override
    public <T> T kept(String name, Class<T> type) {
      Object value = kept.get(name);
      if (value == null) {
        throw unfitting(
            new IllegalStateException(
                "no earlier transaction of %s kept '%s'; there is %s"
                    .formatted(code.session(), name, kept.keySet())));
      }
      return type.cast(value);
    }

    private RuntimeException halt() {
      halted = true;
      return halt;
    }

    private void goesOn() {
      if (halted) {
        throw misuse(
            new IllegalStateException(
                "%s went on where it was to end; let what isotail throws pass, and catch nothing wider"
                    .formatted(code.name(index))));
      }
    }

    private RuntimeException unfitting(RuntimeException e) {
      unfitting = e;
      return misuse(e);
    }

    private RuntimeException misuse(RuntimeException e) {
      misuse = e;
      return e;
    }

    /** The code has thrown something of its own. */
    void threw(Throwable thrown) {
      goesOn();
      step("throw " + thrown.getClass().getName());
      if (failure == null) {
        String message = String.valueOf(thrown.getMessage());
        failure =
            thrown instanceof AssertionError
                ? message + place(thrown)
                : "threw " + thrown.getClass().getName() + ": " + message + place(thrown);
      }
      state = State.ABORTED;
      left = true;
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

    /** The code has come to its end, or was left where it stands. */
    void finish() {
      if (misuse != null) {
        throw misuse; // which the code has caught
      }
      if (!left) {
        goesOn();
      }
      if (state != State.READS && done.size() < expected.size()) {
        throw differs("the end of its code");
      }
    }

    private void step(String what) {
      int at = done.size();
      boolean ended = whole && at == expected.size();
      if (ended || (at < expected.size() && !expected.get(at).equals(what))) {
        throw misuse(differs(what));
      }
      done.add(what);
    }

    NotDeterministic differs(String then) {
      String where =
          StackWalker.getInstance()
              .walk(
                  frames ->
                      frames
                          .filter(frame -> !frame.getClassName().startsWith(PACKAGE))
                          .findFirst()
                          .map(Object::toString)
                          .orElse("an unknown place"));
      String before = done.size() < expected.size() ? expected.get(done.size()) : "its end";
      return new NotDeterministic(code.name(index), done.size() + 1, before, then, where);
    }
  }

  private static final String PACKAGE = CodeExecution.class.getName();

  /** What stands between an assertion and the code that makes it. */
  private static final List<String> LIBRARIES =
      List.of("java.", "jdk.", "org.junit.", "org.assertj.", "org.opentest4j.", "org.hamcrest.");
}
