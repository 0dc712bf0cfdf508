package io.isotail.ingest.generate;

import io.isotail.incremental.anomaly.AnomalyKind;
import java.util.List;

/**
 * One anomaly that was put in.
 *
 * @param kind its name
 * @param group its number among all that were put in, from 1, in the order of their first
 *     transactions
 * @param transactions the transactions that make it, in commit order
 * @param keys the keys that they touch and nobody else does
 */
public record Injection(AnomalyKind kind, long group, List<Member> transactions, List<Long> keys) {

  /** Copies the lists. */
  public Injection {
    transactions = List.copyOf(transactions);
    keys = List.copyOf(keys);
  }

  /**
   * A transaction of the history.
   *
   * @param session id of its session
   * @param transaction its number, which with the session names it
   */
  public record Member(long session, long transaction) {}
}
