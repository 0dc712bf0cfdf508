package io.isotail.incremental.explore;

/** Whether a history satisfies a level was not found out: the search for an order grew too long. */
public final class SearchLimitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SearchLimitException(String message) {
    super(message);
  }
}
