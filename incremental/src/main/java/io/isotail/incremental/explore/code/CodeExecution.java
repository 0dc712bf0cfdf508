package io.isotail.incremental.explore.code;

import io.isotail.incremental.explore.Execution;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A session of Java code: runs a transaction from its beginning for each read, with what it has
 * read before. When a transaction has come to its end, its session is run once more from the
 * beginning, so that what it takes from a Java variable that earlier transactions of its session
 * set is either what they set there or an error; and {@link Reruns} runs it again at other times.
 */
final class CodeExecution implements Execution {
  /** The code of a session, the keys that its program declares, and what its transactions did. */
  record Code(String session, List<TransactionCode> transactions, Keys keys, Reruns reruns) {
    String name(int index) {
      return session + ".t" + (index + 1);
    }
  }

  private final Code code;
  private final int index;

  /** The end of the transaction before; null for the first one. */
  private final @Nullable CodeExecution before;

  private final List<Object> values;
  private final Run run;

  private CodeExecution(
      Code code,
      int index,
      @Nullable CodeExecution before,
      List<Object> values,
      List<String> expected) {
    this.code = code;
    this.index = index;
    this.before = before;
    this.values = List.copyOf(values);
    this.run = Run.of(code, index, keptBefore(), this.values, expected);
  }

  private static CodeExecution of(
      Code code,
      int index,
      @Nullable CodeExecution before,
      List<Object> values,
      List<String> expected) {
    CodeExecution execution = new CodeExecution(code, index, before, values, expected);
    if (execution.state() != State.READS) {
      execution.sessionAgain();
      code.reruns().ended(execution);
    }
    return execution;
  }

  static CodeExecution begin(Code code) {
    return of(code, 0, null, List.of(), List.of());
  }

  private Map<String, Object> keptBefore() {
    return before == null ? Map.of() : before.run.kept();
  }

  /**
   * Runs the transaction once more, which has ended.
   *
   * @throws NotDeterministic if it does something else
   */
  void again() {
    run.again(keptBefore());
  }

  private void sessionAgain() {
    if (before != null) {
      before.sessionAgain();
    }
    again();
  }

  @Override
  public State state() {
    return run.state();
  }

  @Override
  public String variable() {
    String variable = run.variable();
    if (variable == null) {
      throw new IllegalStateException("the transaction has ended");
    }
    return variable;
  }

  @Override
  public Map<String, Object> writes() {
    return state() == State.ABORTED ? Map.of() : run.writes();
  }

  @Override
  public @Nullable String failure() {
    return run.failure();
  }

  @Override
  public @Nullable RuntimeException error() {
    return run.error();
  }

  @Override
  public CodeExecution resume(Object value) {
    List<Object> more = new ArrayList<>(values);
    more.add(value);
    return of(code, index, before, more, run.done());
  }

  @Override
  public CodeExecution next() {
    return of(code, index + 1, this, List.of(), List.of());
  }
}
