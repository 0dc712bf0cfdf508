package io.isotail.monitor.store;

import java.util.HashMap;
import java.util.Map;

/** The causes of all histories, and which proofs they lead to. */
public final class CauseStore extends DocumentStore<StoredCause> {
  /** Causes of one history. */
  public static final int MAX_OF_HISTORY = 1_000;

  /** Causes of all histories. */
  public static final int MAX = 20_000;

  /** Their documents, in bytes. */
  static final long MAX_BYTES = 32 << 20;

  /** Ids of the proofs that causes lead to, and how many causes lead to each. */
  private final Map<String, Integer> proofs = new HashMap<>();

  /** None are kept yet. */
  public CauseStore() {
    super(MAX_OF_HISTORY, MAX, MAX_BYTES);
  }

  @Override
  void noted(StoredCause cause, int more) {
    merge(proofs, cause.text("simplest"), more);
    merge(proofs, cause.text("latest"), more);
  }

  /** Whether a cause leads to this anomaly: its simplest proof, or its latest. */
  public synchronized boolean leadsTo(String anomaly) {
    return proofs.containsKey(anomaly);
  }
}
