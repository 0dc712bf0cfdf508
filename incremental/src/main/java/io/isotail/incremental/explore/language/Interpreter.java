package io.isotail.incremental.explore.language;

import io.isotail.incremental.explore.Execution;
import io.isotail.incremental.explore.Program;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs the transactions of a session, each up to its next read. */
final class Interpreter implements Execution {
  private final List<Instruction.Code> session;
  private final int transaction;
  private final Object[] locals;

  /** What was written; that of the execution before it, until more is written. */
  private Map<String, Object> writes;

  private boolean ownsWrites;
  private int at;
  private State state = State.COMMITTED;
  private @Nullable String variable;
  private @Nullable String failure;
  private @Nullable SourceError error;

  private Interpreter(
      List<Instruction.Code> session,
      int transaction,
      Object[] locals,
      Map<String, Object> writes,
      int at,
      @Nullable String failure) {
    this.session = session;
    this.transaction = transaction;
    this.locals = locals;
    this.writes = writes;
    this.at = at;
    this.failure = failure;
    try {
      run();
    } catch (SourceError e) {
      error = e;
      state = State.ABORTED;
    }
  }

  /**
   * The beginning of the first transaction.
   *
   * @param slots number of locals of the session
   */
  static Execution begin(List<Instruction.Code> session, int slots) {
    return new Interpreter(session, 0, new Object[slots], Map.of(), 0, null);
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
    Object[] then = locals.clone();
    then[((Instruction.ReadVariable) code().body().get(at)).slot()] = value;
    return new Interpreter(session, transaction, then, writes, at + 1, failure);
  }

  @Override
  public Execution next() {
    return new Interpreter(session, transaction + 1, locals.clone(), Map.of(), 0, null);
  }

  private Instruction.Code code() {
    return session.get(transaction);
  }

  private void run() {
    List<Instruction> body = code().body();
    while (at < body.size()) {
      Instruction next = body.get(at);
      if (next instanceof Instruction.ReadVariable read) {
        String name = read.variable().of(locals);
        Object own = writes.get(name);
        if (own == null) {
          variable = name;
          state = State.READS;
          return;
        }
        locals[read.slot()] = own;
      } else if (next instanceof Instruction.Abort) {
        state = State.ABORTED;
        break;
      }
      at = after(next);
    }
    if (state == State.COMMITTED) {
      code().after().forEach(this::check);
    }
  }

  /** Does what needs no database, and returns the place of what comes next. */
  private int after(Instruction instruction) {
    if (instruction instanceof Instruction.Assign assign) {
      locals[assign.slot()] = assign.value().value(locals);
    } else if (instruction instanceof Instruction.WriteVariable write) {
      write(write.variable().of(locals), write.value().value(locals));
    } else if (instruction instanceof Instruction.ExpectKey expected) {
      expected.keys().expect(expected.key().value(locals));
    } else if (instruction instanceof Instruction.Jump jump) {
      return jump.target();
    } else if (instruction instanceof Instruction.JumpUnless jump) {
      Expression condition = jump.condition();
      if (!Operators.truth(condition.at(), condition.value(locals))) {
        return jump.target();
      }
    } else if (instruction instanceof Instruction.Assert assertion) {
      check(assertion);
    }
    return at + 1;
  }

  private void write(String name, Object value) {
    if (!ownsWrites) {
      writes = new LinkedHashMap<>(writes);
      ownsWrites = true;
    }
    writes.put(name, value);
  }

  private void check(Instruction.Assert assertion) {
    Expression condition = assertion.condition();
    if (failure == null && !Operators.truth(condition.at(), condition.value(locals))) {
      failure = assertion.otherwise();
    }
  }

  /** A program of such sessions. */
  static Program.Session session(String name, List<Instruction.Code> transactions, int slots) {
    List<Instruction.Code> codes = List.copyOf(transactions);
    return new Program.Session(
        name,
        codes.stream()
            .map(code -> new Program.Transaction(code.name(), code.kind(), code.level()))
            .toList(),
        () -> Interpreter.begin(codes, slots));
  }
}
