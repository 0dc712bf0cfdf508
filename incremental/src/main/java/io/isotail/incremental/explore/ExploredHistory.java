package io.isotail.incremental.explore;

import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A history of a whole execution of a program. Valid while the visitor looks at it; what it returns
 * may be kept.
 */
public final class ExploredHistory {
  private final Program program;
  private final SessionOrder sessions;
  private final Steps steps;
  private final Levels explored;
  private final Frame frame;

  ExploredHistory(
      Program program, SessionOrder sessions, Steps steps, Levels explored, Frame frame) {
    this.program = program;
    this.sessions = sessions;
    this.steps = steps;
    this.explored = explored;
    this.frame = frame;
  }

  /**
   * A read of a variable.
   *
   * @param variable its name
   * @param value what it returned
   * @param source the transaction whose write it returned; 0 for the initial one
   */
  public record Read(String variable, Object value, int source) {}

  /** What was explored. */
  public Program program() {
    return program;
  }

  /** Number of transactions; they have the numbers 1 to this, session by session. */
  public int transactions() {
    return sessions.transactions;
  }

  /** Name of a transaction: that of its session, and its own. */
  public String name(int transaction) {
    return sessions.name(transaction);
  }

  /** The session of a transaction, from 0 on; the final reads have one of their own. */
  public int session(int transaction) {
    return sessions.session[transaction];
  }

  /** Name of the session of a transaction. */
  public String sessionName(int transaction) {
    return sessions.sessionName(sessions.session[transaction]);
  }

  /** The level that a transaction declares; null if it runs at the one that is explored. */
  public @Nullable IsolationLevel declared(int transaction) {
    return sessions.declared(transaction).level();
  }

  /** Whether a transaction committed. */
  public boolean committed(int transaction) {
    return frame.step(transaction).committed;
  }

  /** The reads of a transaction, in order, without those of its own writes. */
  public List<Read> reads(int transaction) {
    Step step = frame.step(transaction);
    List<Read> reads = new ArrayList<>(step.reads.length);
    for (int i = 0; i < step.reads.length; i++) {
      int source = frame.sources[transaction][i];
      int value = steps.read(frame, step.reads[i], source);
      reads.add(new Read(steps.variable(step.reads[i]), steps.value(value), source));
    }
    return reads;
  }

  /** Where a transaction ended: what it wrote, and which assertion failed. */
  public Execution end(int transaction) {
    return frame.step(transaction).execution;
  }

  /** The first assertion that does not hold, in words; null if all hold. */
  public @Nullable String failure() {
    for (int t = 1; t <= sessions.transactions; t++) {
      String failure = frame.step(t).execution.failure();
      if (failure != null) {
        return sessions.name(t) + ": " + failure;
      }
    }
    return null;
  }

  /** The first error that stopped a transaction; null if none did. */
  @Nullable RuntimeException error() {
    for (int t = 1; t <= sessions.transactions; t++) {
      RuntimeException error = frame.step(t).execution.error();
      if (error != null) {
        return error;
      }
    }
    return null;
  }

  /**
   * Whether the history satisfies a level; of transactions that declare another one, that.
   *
   * @throws SearchLimitException if that takes too long to find out
   */
  public boolean satisfies(IsolationLevel level) {
    return order(level) != null;
  }

  /**
   * An order of the commits that explains the history at a level, where transactions that declare
   * another one are at that: -t for the commit of transaction t, and t for its begin where its
   * level tells the two apart ({@link IsolationLevel#tellsBeginFromCommit}). Null if there is none.
   *
   * @throws SearchLimitException if that takes too long to find out
   */
  public int @Nullable [] order(IsolationLevel level) {
    Levels wanted = Levels.of(sessions, level);
    LevelCheck check = new LevelCheck(sessions, steps, explored, wanted);
    int[] order = check.order(frame);
    if (order == null && check.limit() != null) {
      throw new SearchLimitException(
          "the search for an order of the commits at %s was given up after %,d steps"
              .formatted(level, CommitSearch.MOST_STATES));
    }
    return order;
  }

  /** What each read reads from, of all transactions: equal if and only if the histories are. */
  public String key() {
    StringBuilder key = new StringBuilder();
    for (int t = 1; t <= sessions.transactions; t++) {
      for (byte source : frame.sources[t]) {
        key.append(source).append(',');
      }
      key.append(';');
    }
    return key.toString();
  }
}
