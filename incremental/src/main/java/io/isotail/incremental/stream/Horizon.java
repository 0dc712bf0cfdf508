package io.isotail.incremental.stream;

import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How far back no writer can still be missing.
 *
 * <p>A proxy sends heartbeat n only after the broker acknowledged heartbeat n-1, and lists in it
 * the transactions that have sent a write and are not in the log before it. So whatever a
 * transaction before heartbeat n-1 can have read from this proxy had been sent when n was made: it
 * is in the log before n, or n lists it. Once none of those listed is open any more, the proxy has
 * nothing to add for any reader before heartbeat n-1: that position is <em>confirmed</em>. The
 * horizon is the least confirmed position of all live proxies.
 *
 * <p>Assumes that a proxy's hello is in the log before its first write can be read; an application
 * ensures it by waiting for the emitter to be ready.
 */
public final class Horizon {

  /** Transactions that were open at a heartbeat, and the position that their end confirms. */
  private record Barrier(long position, Long2LongOpenHashMap lastOpenBySession) {
    static void save(@Nullable Barrier barrier, StateWriter out) {
      out.flag(barrier != null);
      if (barrier != null) {
        out.number(barrier.position);
        long[] sessions = barrier.lastOpenBySession.keySet().toLongArray();
        Arrays.sort(sessions);
        out.set(sessions.clone());
        for (long session : sessions) {
          out.number(barrier.lastOpenBySession.get(session));
        }
      }
    }

    static @Nullable Barrier load(StateReader in) {
      if (!in.flag()) {
        return null;
      }
      Barrier barrier = new Barrier(in.number(), new Long2LongOpenHashMap());
      for (long session : in.set()) {
        barrier.lastOpenBySession.put(session, in.number());
      }
      return barrier;
    }
  }

  /** What is known of one proxy. */
  private static final class Proxy {
    /** Where in the stream it became known. */
    final long since;

    long confirmed;
    long lastHeartbeat = -1;
    long lastSeenMs;
    @Nullable Barrier oldest;
    @Nullable Barrier newest;

    Proxy(long since, long confirmed, long lastSeenMs) {
      this.since = since;
      this.confirmed = confirmed;
      this.lastSeenMs = lastSeenMs;
    }

    void confirm() {
      while (oldest != null && oldest.lastOpenBySession.isEmpty()) {
        confirmed = oldest.position;
        oldest = newest;
        newest = null;
      }
    }

    void keepOpen(Heartbeat heartbeat) {
      Long2LongOpenHashMap first = openBySession(heartbeat, Math::min);
      close(oldest, first);
      close(newest, first);
      confirm();
      if (lastHeartbeat >= 0) {
        Barrier barrier = new Barrier(lastHeartbeat, openBySession(heartbeat, Math::max));
        if (oldest == null) {
          oldest = barrier;
        } else {
          newest = barrier;
        }
        confirm();
      }
    }

    /** What a later heartbeat no longer lists has ended, or is lost and announced as a gap. */
    private static void close(@Nullable Barrier barrier, Long2LongOpenHashMap firstOpen) {
      if (barrier != null) {
        barrier
            .lastOpenBySession
            .long2LongEntrySet()
            .removeIf(
                e -> firstOpen.getOrDefault(e.getLongKey(), Long.MAX_VALUE) > e.getLongValue());
      }
    }

    void ended(long session, long transaction) {
      end(oldest, session, transaction);
      end(newest, session, transaction);
      confirm();
    }

    private static void end(@Nullable Barrier barrier, long session, long transaction) {
      if (barrier != null
          && barrier.lastOpenBySession.getOrDefault(session, Long.MAX_VALUE) <= transaction) {
        barrier.lastOpenBySession.remove(session);
      }
    }

    private static Long2LongOpenHashMap openBySession(
        Heartbeat heartbeat, LongBinaryOperator choose) {
      Long2LongOpenHashMap open = new Long2LongOpenHashMap();
      for (Heartbeat.OpenTransaction t : heartbeat.open()) {
        open.merge(t.session(), t.transaction(), choose::applyAsLong);
      }
      return open;
    }
  }

  private final Map<String, Proxy> live = new HashMap<>();
  private final ConfirmedPositions confirmed = new ConfirmedPositions();
  private final long silentAfterMs;
  private long reached = -1;
  private boolean closed;

  public Horizon(long silentAfterMs) {
    this.silentAfterMs = silentAfterMs;
  }

  /** A proxy starts at {@code position}. */
  public void hello(String proxy, long position, long nowMs) {
    enter(proxy, new Proxy(position, position, nowMs));
  }

  /** Whether {@code proxy} is known to be alive. */
  public boolean knows(String proxy) {
    return live.containsKey(proxy);
  }

  /**
   * A proxy that was alive before the stream's first record, or that had fallen silent, is seen.
   */
  public void join(String proxy, long position, long nowMs) {
    enter(proxy, new Proxy(position, reached, nowMs));
  }

  /**
   * Where in the stream a proxy became known that is alive: from then on it keeps the horizon back.
   */
  long knownSince(String proxy) {
    Proxy known = live.get(proxy);
    return known == null ? Long.MAX_VALUE : known.since;
  }

  private void enter(String name, Proxy proxy) {
    Proxy before = live.put(name, proxy);
    if (before != null) {
      confirmed.remove(before.confirmed);
    }
    confirmed.add(proxy.confirmed);
  }

  private void confirmedSince(long position, Proxy proxy) {
    if (proxy.confirmed != position) {
      confirmed.remove(position);
      confirmed.add(proxy.confirmed);
    }
  }

  /** A heartbeat of a known proxy at {@code position}. */
  public void heartbeat(Heartbeat heartbeat, long position, long nowMs) {
    Proxy proxy = live.get(heartbeat.proxy());
    if (proxy != null) {
      long before = proxy.confirmed;
      proxy.lastSeenMs = nowMs;
      proxy.keepOpen(heartbeat);
      proxy.lastHeartbeat = position;
      confirmedSince(before, proxy);
    }
  }

  /** The last record of a transaction has arrived. */
  public void ended(String proxyId, long session, long transaction, long nowMs) {
    Proxy proxy = live.get(proxyId);
    if (proxy != null) {
      long before = proxy.confirmed;
      proxy.lastSeenMs = Math.max(proxy.lastSeenMs, nowMs);
      proxy.ended(session, transaction);
      confirmedSince(before, proxy);
    }
  }

  /** A proxy has left in good order: it has nothing more to add. */
  public void goodbye(String proxy) {
    Proxy left = live.remove(proxy);
    if (left != null) {
      confirmed.remove(left.confirmed);
    }
  }

  /** The stream has ended. */
  public void close() {
    closed = true;
  }

  /** Removes the proxies that have been silent for too long, and names them. */
  public List<String> removeSilent(long nowMs) {
    List<String> silent = new ArrayList<>(0);
    for (Iterator<Map.Entry<String, Proxy>> it = live.entrySet().iterator(); it.hasNext(); ) {
      Map.Entry<String, Proxy> entry = it.next();
      if (nowMs - entry.getValue().lastSeenMs > silentAfterMs) {
        silent.add(entry.getKey());
        confirmed.remove(entry.getValue().confirmed);
        it.remove();
      }
    }
    return silent;
  }

  /** Number of live proxies. */
  int live() {
    return live.size();
  }

  /**
   * Every writer of a version that was read before this position has arrived, or is lost.
   *
   * @param position of the latest record; reached when no proxy is alive that could add to it
   */
  public long advance(long position) {
    if (closed) {
      return Long.MAX_VALUE;
    }
    reached = Math.max(reached, confirmed.least(position));
    return reached;
  }

  public void save(StateWriter out) {
    out.set(live.keySet());
    for (Proxy proxy : new TreeMap<>(live).values()) {
      out.number(proxy.since);
      out.number(proxy.confirmed);
      out.number(proxy.lastHeartbeat);
      out.number(proxy.lastSeenMs);
      Barrier.save(proxy.oldest, out);
      Barrier.save(proxy.newest, out);
    }
    out.number(reached);
    out.flag(closed);
  }

  public void load(StateReader in) {
    List<String> names = new ArrayList<>();
    for (int n = in.count(); n > 0; n--) {
      names.add(in.requiredText());
    }
    for (String name : names) {
      Proxy proxy = new Proxy(in.number(), in.number(), 0);
      proxy.lastHeartbeat = in.number();
      proxy.lastSeenMs = in.number();
      proxy.oldest = Barrier.load(in);
      proxy.newest = Barrier.load(in);
      enter(name, proxy);
    }
    reached = in.number();
    closed = in.flag();
  }
}
