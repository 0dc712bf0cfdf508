package io.isotail.incremental.explore;

import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The exploration of a program at one level: tells every history that the level allows exactly
 * once.
 *
 * <ul>
 *   <li>At a level whose every prefix can be extended ({@link IsolationLevel#isWeak}), every step
 *       leads to a history ([1] explore-ce, Theorem 5.1).
 *   <li>At prefix, snapshot isolation and serializable, the histories of a weak level are explored,
 *       and those told that the stronger level allows ([1] explore-ce*, Corollary 6.2). No
 *       exploration of this kind avoids that ([1] Theorem 6.1).
 *   <li>Where transactions declare levels, those are theirs, and the level that is explored is that
 *       of the others ({@link Program.Transaction#level()}). The histories of the weak ones are
 *       explored, causal standing for each stronger one.
 * </ul>
 *
 * <p>Iterative: what is still to be explored is on a stack. Thread: the caller's. Memory: one
 * {@link Frame} for each way that is still open, at most the length of the program times its
 * transactions squared, for each of them at most one more a transaction ({@link Frame#untilBegin}),
 * and {@link Steps}, within {@link MemoryBounds}.
 *
 * <p>[1] Bouajjani, Enea, Román-Calvo: Dynamic Partial Order Reduction for Checking Correctness
 * against Transaction Isolation Levels, PLDI 2023.
 */
public final class Exploration {
  /** How the histories are found. */
  public enum Method {
    /** [1] explore-ce: each once. */
    SWAPPING,
    /** Every order of whole transactions, one history as often as there are orders that give it. */
    DEPTH_FIRST
  }

  /** Told of each history that the level allows. */
  public interface Visitor {
    /**
     * A history.
     *
     * @return whether to go on
     */
    boolean history(ExploredHistory history);
  }

  private static final int STEPS_BETWEEN_QUESTIONS = 256;

  private final Program program;
  private final IsolationLevel weak;
  private final IsolationLevel level;
  private final Method method;
  private final MemoryBounds bounds;
  private final SessionOrder sessions;
  private final Steps steps;
  private final Extension extension;
  private final Swaps swaps;
  private final Levels explored;
  private final @Nullable LevelCheck filter;
  private final Deque<Frame> open = new ArrayDeque<>();
  private long histories;
  private long endStates;
  private long blocked;
  private long visited;
  private int mostOpen;
  private @Nullable Limit limit;

  /**
   * An exploration that has not begun.
   *
   * @param weak the level whose histories are explored, at most causal
   * @param level the level that they must satisfy, the same or a stronger one
   * @throws IllegalArgumentException if a level cannot be explored
   */
  public Exploration(Program program, IsolationLevel weak, IsolationLevel level, Method method) {
    this(
        program,
        weak,
        checked(weak, level),
        method,
        MemoryBounds.DEFAULT,
        new SessionOrder(program));
  }

  private Exploration(
      Program program,
      IsolationLevel weak,
      IsolationLevel level,
      Method method,
      MemoryBounds bounds,
      SessionOrder sessions) {
    this.program = program;
    this.weak = weak;
    this.level = level;
    this.method = method;
    this.bounds = bounds;
    this.sessions = sessions;
    this.steps = new Steps(program, bounds);
    Levels wanted = Levels.of(sessions, level);
    this.explored = wanted.atMost(weak);
    this.extension = new Extension(sessions, steps, new WeakRule(explored, sessions.transactions));
    this.swaps = new Swaps(extension);
    this.filter =
        explored.sameAs(wanted) ? null : new LevelCheck(sessions, steps, explored, wanted);
    open.push(new Frame(sessions.transactions));
  }

  private static IsolationLevel checked(IsolationLevel weak, IsolationLevel level) {
    Program.explorable(level);
    if (!weak.isWeak()) {
      throw new IllegalArgumentException(
          "the histories of %s cannot be explored; expected %s or a weaker level"
              .formatted(weak, IsolationLevel.strongestWeak()));
    }
    if (!level.atLeast(weak)) {
      throw new IllegalArgumentException(
          "cannot find the histories of %s among those of %s, which is stronger"
              .formatted(level, weak));
    }
    return level;
  }

  /** An exploration of a level by the algorithm that is best for it. */
  public static Exploration of(Program program, IsolationLevel level) {
    return of(program, level, Method.SWAPPING);
  }

  /** An exploration of a level, or of the strongest weak one where the level is not weak. */
  public static Exploration of(Program program, IsolationLevel level, Method method) {
    return of(program, level, method, MemoryBounds.DEFAULT);
  }

  /** An exploration as by {@link #of(Program, IsolationLevel, Method)}, with bounds of its own. */
  public static Exploration of(
      Program program, IsolationLevel level, Method method, MemoryBounds bounds) {
    return new Exploration(
        program,
        IsolationLevel.strongestWeak(),
        Program.explorable(level),
        method,
        bounds,
        new SessionOrder(program));
  }

  /**
   * Explores until nothing is left, the visitor stops it, or it reaches a {@link #limit}, beyond
   * which it does not go.
   *
   * @param mayGoOn asked every now and then, for limits of time
   * @return whether everything was explored
   * @throws RuntimeException the {@link Execution#error} of a transaction in a history that the
   *     level allows, as it is; one that stands in no such history is never told
   * @throws NewKeyException if what was explored is of no use, since rows have been missed
   */
  public boolean run(Visitor visitor, BooleanSupplier mayGoOn) {
    watch(mayGoOn);
    while (limit == null && !open.isEmpty()) {
      if (isOver(mayGoOn)) {
        limit = Limit.TIME;
      } else if (!visitWithinBounds(open.pop(), visitor)) {
        return false;
      }
    }
    return limit == null;
  }

  /** Visits a way; false if the visitor stops it, or a limit is reached. */
  private boolean visitWithinBounds(Frame frame, Visitor visitor) {
    mostOpen = Math.max(mostOpen, open.size() + 1);
    try {
      return visit(frame, visitor);
    } catch (ValueLimitException e) {
      limit = Limit.VALUES;
      return false;
    }
  }

  /** Why not every history was seen; null if it was, or the visitor stopped it. */
  public @Nullable Limit limit() {
    return limit;
  }

  /** Histories told. */
  public long histories() {
    return histories;
  }

  /** Histories of whole executions that were reached, those included that the level forbids. */
  public long endStates() {
    return endStates;
  }

  /** Ways that led to no history that was told; 0 at a weak level. */
  public long blocked() {
    return blocked + endStates - histories;
  }

  /** Most ways that were open at a time: executions that had begun and not come to their end. */
  public int mostOpen() {
    return mostOpen;
  }

  /** Steps of the program that are remembered. */
  public int rememberedSteps() {
    return steps.remembered();
  }

  /** Different values and names of variables that are held. */
  public int heldValues() {
    return steps.heldValues();
  }

  private void watch(BooleanSupplier mayGoOn) {
    if (filter != null) {
      filter.limit(mayGoOn);
    }
  }

  private boolean isOver(BooleanSupplier mayGoOn) {
    return ++visited % STEPS_BETWEEN_QUESTIONS == 0 && !mayGoOn.getAsBoolean();
  }

  private boolean visit(Frame frame, Visitor visitor) {
    int last = frame.last();
    if (last != 0 && frame.step(last).pending()) {
      readOn(frame);
      return true;
    }
    if (method == Method.SWAPPING) {
      swaps.after(frame, open::push);
    }
    if (sessions.firstNotIn(frame.present) < 0) {
      return end(frame, visitor);
    }
    for (int next : next(frame)) {
      Frame begun = extension.begin(frame, next);
      readOn(begun);
    }
    return true;
  }

  private int[] next(Frame frame) {
    return method == Method.SWAPPING
        ? new int[] {sessions.firstNotIn(frame.present)}
        : sessions.ready(frame.present);
  }

  /**
   * The transaction under way reads up to its end, each time from each writer that the level
   * allows; the frame goes the way of the last one, and the others' are left open.
   */
  private void readOn(Frame frame) {
    while (frame.step(frame.last()).pending()) {
      int candidates = extension.candidates(frame);
      int last = Integer.highestOneBit(candidates);
      boolean any = false;
      for (int rest = candidates & ~last; rest != 0; rest &= rest - 1) {
        Frame grown = extension.read(frame, Integer.numberOfTrailingZeros(rest));
        if (grown != null) {
          open.push(grown);
          any = true;
        }
      }
      if (last == 0 || !extension.readHere(frame, Integer.numberOfTrailingZeros(last))) {
        blocked += any ? 0 : 1;
        return;
      }
    }
    open.push(frame);
  }

  private boolean end(Frame frame, Visitor visitor) {
    endStates++;
    if (filter != null && filter.order(frame) == null) {
      limit = filter.limit();
      return limit == null;
    }
    histories++;
    ExploredHistory history = new ExploredHistory(program, sessions, steps, explored, frame);
    RuntimeException error = history.error();
    if (error != null) {
      throw error;
    }
    return visitor.history(history);
  }

  /** A way that is still open, to be explored by another exploration of the same program. */
  public static final class Share {
    private final Frame frame;

    private Share(Frame frame) {
      this.frame = frame;
    }
  }

  /**
   * Explores in breadth until that many ways are open, and gives them away.
   *
   * @param mayGoOn asked as by {@link #run}; if it says no, what is open is given away as it is
   * @return none if that explored everything, the visitor stopped it or it reached a {@link #limit}
   */
  public List<Share> shares(Visitor visitor, BooleanSupplier mayGoOn, int atLeast) {
    watch(mayGoOn);
    while (!open.isEmpty() && open.size() < atLeast && !isOver(mayGoOn)) {
      if (!visitWithinBounds(open.removeLast(), visitor)) {
        return List.of();
      }
    }
    List<Share> shares = new ArrayList<>();
    open.forEach(frame -> shares.add(new Share(frame)));
    open.clear();
    return shares;
  }

  /**
   * An exploration of the same that has nothing to explore until it is given a share; its bounds
   * are as large as those of this one.
   */
  public Exploration helper() {
    Exploration helper = new Exploration(program, weak, level, method, bounds, sessions);
    helper.open.clear();
    return helper;
  }

  /** Takes a way to explore over from another exploration, on whose thread it no longer is. */
  public void take(Share share) {
    try {
      open.push(extension.rebuilt(share.frame));
    } catch (ValueLimitException e) {
      limit = Limit.VALUES;
    }
  }
}
