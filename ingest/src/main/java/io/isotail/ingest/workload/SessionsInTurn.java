package io.isotail.ingest.workload;

import io.isotail.ingest.store.SessionSource;
import io.isotail.ingest.store.StoreSession;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Opens sessions of several kinds, each kind in its turn. */
public final class SessionsInTurn implements SessionSource {
  private final List<SessionSource> kinds;
  private final AtomicInteger turn = new AtomicInteger();

  /** Of at least one kind. */
  public SessionsInTurn(List<? extends SessionSource> kinds) {
    this.kinds = List.copyOf(kinds);
  }

  @Override
  public StoreSession open() throws Exception {
    return kinds.get(Math.floorMod(turn.getAndIncrement(), kinds.size())).open();
  }
}
