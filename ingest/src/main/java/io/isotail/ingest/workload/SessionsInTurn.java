package io.isotail.ingest.workload;

import io.isotail.ingest.store.SessionSource;
import io.isotail.ingest.store.StoreSession;
import java.util.List;

/**
 * Opens sessions of several kinds, in turn by their numbers: what takes the place of a session is
 * of its kind. One without a number is of the first kind.
 */
public final class SessionsInTurn implements SessionSource {
  private final List<SessionSource> kinds;

  /** Of at least one kind. */
  public SessionsInTurn(List<? extends SessionSource> kinds) {
    this.kinds = List.copyOf(kinds);
  }

  @Override
  public StoreSession open() throws Exception {
    return open(0);
  }

  @Override
  public StoreSession open(int number) throws Exception {
    return kinds.get(number % kinds.size()).open(number);
  }
}
