package io.isotail.incremental.explore;

import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Builds the one history of a program in which each read returns what a given transaction wrote,
 * without exploring the others. Levels can then be asked of it: {@link ExploredHistory#satisfies}.
 */
public final class Replay {

  /** Tells what each read reads from. */
  @FunctionalInterface
  public interface Sources {
    /**
     * The transaction that a read reads from.
     *
     * @param transaction the reader; they have the numbers 1 to n, session by session
     * @param read how many reads of others the transaction has made before
     * @param variable what it reads
     * @return the number of the writer; 0 for the initial value
     */
    int of(int transaction, int read, String variable);
  }

  private final Program program;
  private final Sources sources;
  private final SessionOrder sessions;
  private final Steps steps;
  private final @Nullable Step[] reached;
  private final byte[][] readFrom;
  private final List<Integer> ended = new ArrayList<>();

  private Replay(Program program, Sources sources) {
    this.program = program;
    this.sources = sources;
    this.sessions = new SessionOrder(program);
    this.steps = new Steps(program, MemoryBounds.ONE_HISTORY);
    this.reached = new Step[sessions.transactions + 1];
    this.readFrom = new byte[sessions.transactions + 1][0];
  }

  /**
   * The history with these reads.
   *
   * @return empty if no level allows it: a transaction reads from itself or from one that comes
   *     after it, from one that does not write the variable for others to read, or not as {@link
   *     IsolationLevel#weakest} has it
   */
  public static Optional<ExploredHistory> of(Program program, Sources sources) {
    return new Replay(program, sources).history();
  }

  private Optional<ExploredHistory> history() {
    boolean more = true;
    while (more) {
      more = false;
      for (int t = 1; t <= sessions.transactions; t++) {
        more |= !ended.contains(t) && goOn(t);
      }
    }
    if (ended.size() < sessions.transactions) {
      return Optional.empty();
    }
    Frame frame = new Frame(sessions.transactions);
    for (int t : ended) {
      frame.begin(t, step(t), 0);
      frame.sources[t] = readFrom[t];
    }
    IsolationLevel weakest = IsolationLevel.weakest();
    Levels levels = Levels.of(sessions, weakest).atMost(weakest);
    WeakRule rule = new WeakRule(levels, sessions.transactions);
    Frame demanded = new Extension(sessions, steps, rule).repeated(frame);
    return demanded == null
        ? Optional.empty()
        : Optional.of(new ExploredHistory(program, sessions, steps, levels, demanded));
  }

  /** Goes on with a transaction as far as what it reads is known; whether it has ended. */
  private boolean goOn(int t) {
    if ((sessions.before[t] & ~endedBits()) != 0) {
      return false;
    }
    Step step = reached[t];
    if (step == null) {
      int previous = sessions.previous[t];
      step = previous == 0 ? steps.begin(sessions.session[t]) : steps.next(step(previous));
    }
    while (step.pending()) {
      int source = sources.of(t, readFrom[t].length, steps.variable(step.nextRead));
      if (source < 0 || source > sessions.transactions) {
        throw new IllegalArgumentException(
            "%s cannot read from transaction %d; expected 0 to %d"
                .formatted(sessions.name(t), source, sessions.transactions));
      }
      boolean known = source == 0 || (ended.contains(source) && step(source).writes(step.nextRead));
      if (!known) {
        reached[t] = step;
        return false;
      }
      int value = source == 0 ? steps.initial(step.nextRead) : step(source).value(step.nextRead);
      byte[] grown = Arrays.copyOf(readFrom[t], readFrom[t].length + 1);
      grown[grown.length - 1] = (byte) source;
      readFrom[t] = grown;
      step = steps.resume(step, value);
    }
    reached[t] = step;
    ended.add(t);
    return true;
  }

  private int endedBits() {
    int bits = 1;
    for (int t : ended) {
      bits |= Frame.bit(t);
    }
    return bits;
  }

  private Step step(int t) {
    Step step = reached[t];
    if (step == null) {
      throw new IllegalStateException(sessions.name(t) + " has not begun");
    }
    return step;
  }
}
