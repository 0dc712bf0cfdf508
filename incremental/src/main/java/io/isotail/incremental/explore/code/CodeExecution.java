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
      run.finish();
    } catch (Halt halt) {
      if (halt != run.halt) {
        throw halt;
      }
    }
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
    Map<String, Object> known = state == State.ABORTED ? keptBefore : kept;
    return new CodeExecution(session, transactions, index + 1, known, List.of(), List.of());
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

    Run(List<String> expected) {
      this.expected = expected;
    }

    @Override
    public <T> T get(String name, Class<T> type) {
      Object own = writes.get(name);
      if (own != null) {
        return type.cast(own);
      }
      step("get " + name);
      if (read == values.size()) {
        variable = name;
        state = State.READS;
        throw halt;
      }
      return type.cast(values.get(read++));
    }

    @Override
    public void put(String name, Object value) {
      step("put " + name + " = " + value);
      writes.put(name, value);
    }

    @Override
    public void abort() {
      step("abort");
      state = State.ABORTED;
      throw halt;
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

    /** The code has come to its end. */
    void finish() {
      if (done.size() < expected.size()) {
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
