package io.isotail.incremental.explore.verdict;

import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.Limit;
import io.isotail.incremental.explore.MemoryBounds;
import io.isotail.incremental.explore.NewKeyException;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.level.IsolationLevel;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the exploration of a program at a level said of its assertions.
 *
 * @param level the level of the transactions that declare none
 * @param exhausted whether every history was seen
 * @param limit why it was not; null if it was, or the exploration was stopped at a failure
 * @param histories number of histories seen
 * @param failing number of those in which an assertion does not hold
 * @param witness the first of those; null if there is none
 * @param error of the program, which ended the exploration: it stands in a history that the level
 *     allows; null if none did
 */
public record AssertionVerdict(
    IsolationLevel level,
    boolean exhausted,
    @Nullable Limit limit,
    long histories,
    long failing,
    @Nullable ExploredWitness witness,
    @Nullable RuntimeException error) {

  /** What an exploration said that no error ended. */
  public AssertionVerdict(
      IsolationLevel level,
      boolean exhausted,
      @Nullable Limit limit,
      long histories,
      long failing,
      @Nullable ExploredWitness witness) {
    this(level, exhausted, limit, histories, failing, witness, null);
  }

  /** Whether every history was seen, and all assertions hold in each. */
  public boolean hold() {
    return exhausted && !fail();
  }

  /** Whether an assertion was seen to fail, or the program to end in an error. */
  public boolean fail() {
    return failing > 0 || error != null;
  }

  /**
   * Explores until an assertion fails, nothing is left, it may not go on, or it holds as much in
   * memory as {@link MemoryBounds#DEFAULT} allow.
   *
   * @param program whose transactions may declare levels of their own
   * @param others the level of those that declare none
   * @param mayGoOn asked every now and then, for limits of time
   * @throws IllegalArgumentException if the level cannot be explored
   * @throws RuntimeException the error of a transaction in a history that the level allows
   */
  public static AssertionVerdict of(
      Program program, IsolationLevel others, BooleanSupplier mayGoOn) {
    return NewKeyException.untilKeysAreKnown(() -> once(program, others, mayGoOn));
  }

  private static AssertionVerdict once(
      Program program, IsolationLevel others, BooleanSupplier mayGoOn) {
    Exploration exploration = Exploration.of(program, others);
    @Nullable ExploredWitness[] first = new ExploredWitness[1];
    boolean exhausted =
        exploration.run(
            history -> {
              if (history.failure() == null) {
                return true;
              }
              first[0] = ExploredWitness.of(history, others);
              return false;
            },
            mayGoOn);
    ExploredWitness witness = first[0];
    return new AssertionVerdict(
        others,
        exhausted,
        exploration.limit(),
        exploration.histories(),
        witness == null ? 0 : 1,
        witness);
  }
}
