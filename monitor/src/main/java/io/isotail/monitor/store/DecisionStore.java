package io.isotail.monitor.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The decisions that are known: by cause the latest one. At most {@link #MAX}; the one that was
 * made first goes first. Safe for use by many threads.
 */
public final class DecisionStore {
  /** Decisions that are kept. */
  public static final int MAX = 10_000;

  private final Map<String, Decision> decisions = new LinkedHashMap<>();

  /** This is what was decided last about its cause. */
  public synchronized void put(Decision decision) {
    decisions.remove(decision.cause());
    decisions.put(decision.cause(), decision);
    if (decisions.size() > MAX) {
      decisions.remove(decisions.keySet().iterator().next());
    }
  }

  /** Nothing is decided about a cause any more. */
  public synchronized void remove(String cause) {
    decisions.remove(cause);
  }

  /** What holds of a cause. */
  public synchronized Optional<Decision> find(String cause, long nowMs) {
    return Optional.ofNullable(decisions.get(cause)).filter(decision -> decision.holds(nowMs));
  }
}
