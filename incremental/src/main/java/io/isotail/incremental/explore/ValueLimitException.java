package io.isotail.incremental.explore;

/** One value more than {@link MemoryBounds#heldValues} was to be held. */
final class ValueLimitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ValueLimitException(int heldValues) {
    super("more than %,d different values and names of variables".formatted(heldValues));
  }
}
