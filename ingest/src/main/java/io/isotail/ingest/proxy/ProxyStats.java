package io.isotail.ingest.proxy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** What a proxy has counted since it started. Safe for any thread. */
public final class ProxyStats {
  /** What is counted. */
  public enum Count {
    /** Connections that clients have opened. */
    CONNECTIONS,

    /** Connections refused because there were too many, or the proxy was stopping. */
    REFUSED,

    /** Sessions that the server has got. */
    SESSIONS,

    /** Requests to cancel a statement that were passed on. */
    CANCELS,

    /** TLS handshakes with clients that went well. */
    CLIENT_HANDSHAKES,

    /** TLS handshakes with the server that went well. */
    SERVER_HANDSHAKES,

    /** Logins that the proxy took itself. */
    LOGINS,

    /** Bytes that clients have sent. */
    CLIENT_BYTES,

    /** Bytes that the server has sent. */
    SERVER_BYTES,

    /** Messages of clients that were looked at. */
    CLIENT_MESSAGES,

    /** Messages of the server that were looked at. */
    SERVER_MESSAGES,

    /** Conversations that failed; their bytes went on unseen. */
    CONVERSATION_FAILURES,

    /** Sides whose bytes could no longer be cut into messages; they went on unseen. */
    FRAMING_LOST,

    /** Failures of the proxy itself, which its log has. */
    INTERNAL_FAILURES
  }

  /** Why a connection did not become a session. */
  public enum StartFailure {
    /** Its first packet was none, or one that servers refuse. */
    BAD_PACKET,

    /** It took too long. */
    TIMEOUT,

    /** TLS with the client failed. */
    CLIENT_TLS,

    /** The client left before it began. */
    CLIENT_LEFT,

    /** The server was not reached. */
    SERVER_UNREACHABLE,

    /** TLS with the server failed, or was not to be had. */
    SERVER_TLS,

    /** A login that the proxy took itself was wrong. */
    LOGIN
  }

  private final LongAdder[] counts = adders(Count.values().length);
  private final LongAdder[] startFailures = adders(StartFailure.values().length);
  private final AtomicInteger open = new AtomicInteger();
  private final Delays loopWaits = new Delays();
  private final Delays toServer = new Delays();
  private final Delays toClient = new Delays();

  /**
   * How long something took, in buckets.
   *
   * <p>Counts of all buckets and the sum are read one after the other, while others count.
   */
  public static final class Delays {
    private static final double[] BOUNDS = {
      0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025,
      0.05, 0.1, 0.25, 0.5, 1, 5
    };

    private static final double NS_PER_S = 1e9;

    private final AtomicLongArray buckets = new AtomicLongArray(BOUNDS.length + 1);
    private final LongAdder sumNs = new LongAdder();

    void add(long ns) {
      int bucket = 0;
      while (bucket < BOUNDS.length && ns > BOUNDS[bucket] * NS_PER_S) {
        bucket++;
      }
      buckets.incrementAndGet(bucket);
      sumNs.add(ns);
    }

    /** Upper bounds of the buckets in seconds, less the last one's, which has none. */
    public static double[] bounds() {
      return BOUNDS.clone();
    }

    /** How many fell into each bucket, the one without a bound last. */
    public long[] counts() {
      long[] counts = new long[buckets.length()];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = buckets.get(i);
      }
      return counts;
    }

    /** All of them together, in seconds. */
    public double sum() {
      return sumNs.sum() / NS_PER_S;
    }
  }

  private static LongAdder[] adders(int length) {
    LongAdder[] adders = new LongAdder[length];
    for (int i = 0; i < length; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }

  void add(Count count, long added) {
    counts[count.ordinal()].add(added);
  }

  void add(Count count) {
    add(count, 1);
  }

  void add(StartFailure failure) {
    startFailures[failure.ordinal()].increment();
  }

  /** One more connection; how many there are. */
  int opened() {
    add(Count.CONNECTIONS);
    return open.incrementAndGet();
  }

  void closed() {
    open.decrementAndGet();
  }

  /** How often it was counted. */
  public long get(Count count) {
    return counts[count.ordinal()].sum();
  }

  /** How many connections did not become a session for this reason. */
  public long get(StartFailure failure) {
    return startFailures[failure.ordinal()].sum();
  }

  /** Connections of clients that are open. */
  public int open() {
    return open.get();
  }

  /** From bytes of a client that came to bytes that were handed to the server's socket. */
  public Delays toServer() {
    return toServer;
  }

  /** From bytes of the server that came to bytes that were handed to the client's socket. */
  public Delays toClient() {
    return toClient;
  }

  /** How long a task has waited for an event loop; each is asked twice a second. */
  public Delays loopWaits() {
    return loopWaits;
  }
}
