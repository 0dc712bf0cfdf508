package io.isotail.incremental.explore.code;

import io.isotail.incremental.explore.Execution;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A session of Java code: runs a transaction from its beginning up to the first read whose value is
 * not known, and compares what it did with what it did the time before.
 */
final class CodeExecution implements Execution {
  private final String session;
  private final List<TransactionCode> transactions;
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

  private CodeExecution(
      String session,
      List<TransactionCode> transactions,
      int index,
      Map<String, Object> keptBefore,
      List<Object> values,
      List<String> expected) {
    this.session = session;
    this.transactions = transactions;
    this.index = index;
    this.keptBefore = Map.copyOf(keptBefore);
    this.kept = new HashMap<>(keptBefore);
    this.values = List.copyOf(values);
    Run run = new Run(expected);
    try {
      transactions.get(index).run(run);
    } catch (Halt halt) {
      if (halt != run.halt) {
        throw halt;
      }
      run.left = true;
    }
    run.finish();
  }

  static Execution begin(
      String session, List<TransactionCode> transactions, Map<String, Object> kept) {
    return new CodeExecution(session, transactions, 0, kept, List.of(), List.of());
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
  public Execution resume(Object value) {
    List<Object> more = new ArrayList<>(values);
    more.add(value);
    return new CodeExecution(session, transactions, index, keptBefore, more, done);
  }

  @Override
  public Execution next() {
    return new CodeExecution(session, transactions, index + 1, kept, List.of(), List.of());
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
    private final Halt halt = new Halt();
    private int read;
    private boolean halted;
    private boolean left;

    Run(List<String> expected) {
      this.expected = expected;
    }

    @Override
    public <T> T get(String name, Class<T> type) {
      goesOn();
      Object own = writes.get(name);
      if (own != null) {
        return cast(name, own, type);
      }
      step("get " + name);
      if (read == values.size()) {
        variable = name;
        state = State.READS;
        throw halt();
      }
      return cast(name, values.get(read++), type);
    }

    private <T> T cast(String name, Object value, Class<T> type) {
      if (!type.isInstance(value)) {
        throw new ClassCastException(
            "%s.t%d read %s = %s; expected a %s"
                .formatted(session, index + 1, name, value, type.getSimpleName()));
      }
      return type.cast(value);
    }

    @Override
    public void put(String name, Object value) {
      goesOn();
      step("put " + name + " = " + value);
      writes.put(name, value);
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
      kept.put(name, value);
    }

    @Override
    public <T> T kept(String name, Class<T> type) {
      Object value = kept.get(name);
      if (value == null) {
        throw new IllegalStateException(
            "no earlier transaction of %s kept '%s'; there is %s"
                .formatted(session, name, kept.keySet()));
      }
      return type.cast(value);
    }

    private RuntimeException halt() {
      halted = true;
      return halt;
    }

    private void goesOn() {
      if (halted) {
        throw new IllegalStateException(
            "%s.t%d went on where it was to end; let what isotail throws pass, and catch nothing wider"
                .formatted(session, index + 1));
      }
    }

    /** The code has come to its end, or was left where it stands. */
    void finish() {
      if (!left) {
        goesOn();
      }
      if (!left && done.size() < expected.size()) {
        differs("the end of its code");
      }
    }

    private void step(String what) {
      int at = done.size();
      if (at < expected.size() && !expected.get(at).equals(what)) {
        differs(what);
      }
      done.add(what);
    }

    private void differs(String then) {
      String where =
          StackWalker.getInstance()
              .walk(
                  frames ->
                      frames
                          .filter(frame -> !frame.getClassName().startsWith(PACKAGE))
                          .findFirst()
                          .map(Object::toString)
                          .orElse("an unknown place"));
      throw new NotDeterministic(
          session + ".t" + (index + 1), done.size() + 1, expected.get(done.size()), then, where);
    }
  }

  private static final String PACKAGE = CodeExecution.class.getName();
}
