package io.isotail.incremental.explore;

/**
 * An execution wrote a row whose key the program did not know to be possible, so that statements
 * which look at all rows have missed it: what was explored before is of no use. Once the program
 * has {@linkplain #learn learnt} the key, it can be explored from the beginning.
 */
public final class NewKeyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Runnable learn;

  /**
   * A key.
   *
   * @param row of which it is, for people
   * @param learn makes it known to the program; called when nothing explores that any more
   */
  public NewKeyException(String row, Runnable learn) {
    super("the row " + row + " was not known to be possible");
    this.learn = learn;
  }

  /**
   * An exploration that can be made any number of times.
   *
   * @param <T> what comes out
   * @param <E> what it may throw
   */
  @FunctionalInterface
  public interface Attempt<T, E extends Exception> {
    /** Explores from the beginning. */
    T explore() throws E;
  }

  /** Explores as often as there is a key that was not known, and tells what came out in the end. */
  public static <T, E extends Exception> T untilKeysAreKnown(Attempt<T, E> attempt) throws E {
    while (true) {
      try {
        return attempt.explore();
      } catch (NewKeyException e) {
        e.learn();
      }
    }
  }

  /** Makes the key known to the program, which nothing may explore meanwhile. */
  public void learn() {
    learn.run();
  }
}
