package io.isotail.incremental.changes;

import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.ArrayDeque;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Since when a captured transaction can have run, in the time of the stream, without a comparison
 * of clocks. A proxy makes a heartbeat after the one before has come. So what begins after that, by
 * the proxy's own clock, begins after the one before has come, by the broker's.
 *
 * <p>Bound: the last {@value #MOST} heartbeats of each proxy that is alive.
 */
final class ProxyTimes {
  private static final int MOST = 128;

  /**
   * A heartbeat.
   *
   * @param madeNs when it was made, in ns of the proxy's clock
   * @param afterMs when the one before had come, in ms of the stream
   */
  private record Made(long madeNs, long afterMs) {}

  private static final class Proxy {
    final ArrayDeque<Made> made = new ArrayDeque<>();
    long lastMs = LoggedRows.NOT_KNOWN_WHEN;
  }

  private final TreeMap<String, Proxy> proxies = new TreeMap<>();

  /** A heartbeat has come. */
  void heard(Heartbeat heartbeat, long timeMs) {
    Proxy proxy = proxies.computeIfAbsent(heartbeat.proxy(), name -> new Proxy());
    if (proxy.lastMs != LoggedRows.NOT_KNOWN_WHEN
        && heartbeat.madeNs() != TransactionRecord.NO_TIME) {
      proxy.made.add(new Made(heartbeat.madeNs(), proxy.lastMs));
      if (proxy.made.size() > MOST) {
        proxy.made.remove();
      }
    }
    proxy.lastMs = timeMs;
  }

  /** A proxy tells nothing any more. */
  void left(String proxy) {
    proxies.remove(proxy);
  }

  /**
   * A time of the stream before which a transaction had not begun.
   *
   * @return {@link LoggedRows#NOT_KNOWN_WHEN} if there is none
   */
  long begunAfterMs(TransactionRecord record) {
    @Nullable String name = record.session().proxy();
    Proxy proxy = name == null ? null : proxies.get(name);
    long after = LoggedRows.NOT_KNOWN_WHEN;
    if (proxy != null && record.beginNs() != TransactionRecord.NO_TIME) {
      for (Made each : proxy.made) {
        if (each.madeNs() <= record.beginNs()) {
          after = Math.max(after, each.afterMs());
        }
      }
    }
    return after;
  }

  void save(StateWriter out) {
    out.count(proxies.size());
    proxies.forEach(
        (name, proxy) -> {
          out.text(name);
          out.number(proxy.lastMs);
          out.count(proxy.made.size());
          for (Made each : proxy.made) {
            out.number(each.madeNs());
            out.number(each.afterMs());
          }
        });
  }

  void load(StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      Proxy proxy = new Proxy();
      proxies.put(in.requiredText(), proxy);
      proxy.lastMs = in.number();
      for (int m = in.count(); m > 0; m--) {
        proxy.made.add(new Made(in.number(), in.number()));
      }
    }
  }
}
