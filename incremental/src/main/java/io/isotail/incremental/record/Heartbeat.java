package io.isotail.incremental.record;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A proxy is alive. It is emitted in order with the proxy's other records, and only after the
 * broker acknowledged the previous heartbeat.
 *
 * @param proxy id of the proxy incarnation
 * @param number counts the proxy's heartbeats from 0
 * @param open the proxy's transactions that have sent a write and whose last record was not handed
 *     to the stream before this heartbeat
 * @param counts what the application's statements were since the last counts, null if that is not
 *     told
 * @param madeNs when it was made, after the previous one was acknowledged, in ns of the clock that
 *     stamps the proxy's transactions; {@link TransactionRecord#NO_TIME} when unknown
 */
public record Heartbeat(
    String proxy,
    long number,
    List<OpenTransaction> open,
    @Nullable CaptureCounts counts,
    long madeNs)
    implements StreamRecord {

  /** Copies the list. */
  public Heartbeat {
    open = List.copyOf(open);
  }

  /** A heartbeat that tells no time. */
  public Heartbeat(
      String proxy, long number, List<OpenTransaction> open, @Nullable CaptureCounts counts) {
    this(proxy, number, open, counts, TransactionRecord.NO_TIME);
  }

  /** A heartbeat that tells nothing of statements. */
  public Heartbeat(String proxy, long number, List<OpenTransaction> open) {
    this(proxy, number, open, null);
  }

  /**
   * A transaction that is under way.
   *
   * @param session id of its session
   * @param transaction its number in the session
   */
  public record OpenTransaction(long session, long transaction) {}
}
