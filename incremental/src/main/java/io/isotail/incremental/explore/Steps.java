package io.isotail.incremental.explore;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a program does, as far as it has been run: runs its code and remembers what came of it.
 *
 * <p>Bound: {@link MemoryBounds#rememberedSteps}. What comes beyond is forgotten with the history
 * that it was run for, and run again for the next one. Each variable and value that ever occurred
 * keeps its number, up to {@link MemoryBounds#heldValues}; beyond that a {@link
 * ValueLimitException} is thrown.
 */
final class Steps {
  private final Program program;
  private final MemoryBounds bounds;
  private final List<Program.Session> sessions;
  private final @Nullable Step[] roots;
  private final Interned<String> variables = new Interned<>();
  private final Interned<Object> values = new Interned<>();

  /** For each variable the number of its initial value, plus 1; 0 if that is not known yet. */
  private int[] initial = {};

  private int remembered;

  Steps(Program program, MemoryBounds bounds) {
    this.program = program;
    this.bounds = bounds;
    this.sessions = program.everySession();
    this.roots = new Step[sessions.size()];
  }

  /** The beginning of a session. */
  Step begin(int session) {
    Step root = roots[session];
    if (root == null) {
      root = step(null, sessions.get(session).begin().get());
      roots[session] = root;
    }
    return root;
  }

  /** The beginning of the transaction that comes after one that has ended. */
  Step next(Step ended) {
    Step next = ended.nextTransaction;
    if (next == null) {
      next = step(null, ended.execution.next());
      if (remember()) {
        ended.nextTransaction = next;
      }
    }
    return next;
  }

  /** Where a read of that value leads. */
  Step resume(Step step, int value) {
    Step child = step.child(value);
    if (child == null) {
      child = step(step, step.execution.resume(values.thing(value)));
      if (remember()) {
        step.remember(value, child);
      }
    }
    return child;
  }

  /** The number of the value that a read of a variable returns from that writer. */
  int read(Frame frame, int variable, int writer) {
    return writer == 0 ? initial(variable) : frame.step(writer).value(variable);
  }

  /** The number of the value that a variable has before any transaction. */
  int initial(int variable) {
    if (variable >= initial.length) {
      initial = Arrays.copyOf(initial, 2 * variable + 16);
    }
    if (initial[variable] == 0) {
      Object value = program.initial().getOrDefault(variables.thing(variable), Program.ABSENT);
      initial[variable] = number(values, value) + 1;
    }
    return initial[variable] - 1;
  }

  String variable(int number) {
    return variables.thing(number);
  }

  Object value(int number) {
    return values.thing(number);
  }

  /** How many steps are remembered. */
  int remembered() {
    return remembered;
  }

  /** How many different values and names of variables are held. */
  int heldValues() {
    return variables.size() + values.size();
  }

  private <T> int number(Interned<T> of, T thing) {
    int number = of.number(thing);
    if (heldValues() > bounds.heldValues()) {
      throw new ValueLimitException(bounds.heldValues());
    }
    return number;
  }

  private boolean remember() {
    if (remembered == bounds.rememberedSteps()) {
      return false;
    }
    remembered++;
    return true;
  }

  private Step step(@Nullable Step previous, Execution execution) {
    boolean reads = execution.state() == Execution.State.READS;
    int[] read = new int[0];
    if (previous != null) {
      read = Arrays.copyOf(previous.reads, previous.reads.length + 1);
      read[read.length - 1] = previous.nextRead;
    }
    Map<String, Object> writes = execution.writes();
    int next = reads ? number(variables, execution.variable()) : -1;
    if (previous != null && previous.hasWritten(writes)) {
      return new Step(previous, read, next, previous.written(), previous.values(), execution);
    }
    int[] written = new int[writes.size()];
    int count = 0;
    for (String variable : writes.keySet()) {
      written[count++] = number(variables, variable);
    }
    Arrays.sort(written);
    int[] of = new int[count];
    for (int i = 0; i < count; i++) {
      of[i] = number(values, Objects.requireNonNull(writes.get(variables.thing(written[i]))));
    }
    return new Step(previous, read, next, written, of, execution);
  }
}
