package io.isotail.incremental.explore;

/**
 * How much an exploration may hold in memory of what grows with the number of its histories.
 *
 * @param rememberedSteps steps of the program; what comes beyond is forgotten, and run again
 * @param heldValues different values and names of variables; what comes beyond ends the exploration
 *     ({@link Limit#VALUES})
 */
public record MemoryBounds(int rememberedSteps, int heldValues) {
  /** The bounds where nothing else is said. */
  public static final MemoryBounds DEFAULT = new MemoryBounds(200_000, 1_000_000);

  /** For one history, which holds what the program itself has made. */
  static final MemoryBounds ONE_HISTORY = new MemoryBounds(Integer.MAX_VALUE, Integer.MAX_VALUE);

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if there is no room for a value
   */
  public MemoryBounds {
    if (rememberedSteps < 0 || heldValues < 1) {
      throw new IllegalArgumentException(
          "rememberedSteps=%d, heldValues=%d; expected at least 0, and at least 1"
              .formatted(rememberedSteps, heldValues));
    }
  }

  /** The part of each of several explorations that share the work: together they hold no more. */
  public MemoryBounds part(int explorations) {
    return new MemoryBounds(rememberedSteps / explorations, Math.max(1, heldValues / explorations));
  }
}
