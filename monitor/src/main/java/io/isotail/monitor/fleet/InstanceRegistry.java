package io.isotail.monitor.fleet;

import io.isotail.monitor.status.Fleet;
import io.isotail.monitor.status.MonitorStatus.Phase;
import io.isotail.monitor.status.Peer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The latest report of every other instance of the group. One that says farewell is forgotten at
 * once, one that is silent after {@link #SILENT_NS}. Not thread-safe.
 */
public final class InstanceRegistry {
  private static final Logger log = LoggerFactory.getLogger(InstanceRegistry.class);

  static final int MAX_INSTANCES = 100;

  /** JSON of the histories of all; an instance beyond it is kept without its histories. */
  static final long MAX_HISTORIES_CHARS = 16_000_000;

  static final long SILENT_NS = TimeUnit.SECONDS.toNanos(10);

  /** An instance that has not listened for so long cannot tell which others were silent. */
  private static final long DEAF_NS = TimeUnit.SECONDS.toNanos(2);

  private final String group;
  private final String self;

  /** By name; the one that was heard last is at the end. */
  private final Map<String, Peer> peers = new LinkedHashMap<>();

  private boolean warned;
  private long deafUntilNs;
  private long tickNs;

  /** Knows of nobody. */
  public InstanceRegistry(String group, String self, long nowNs) {
    this.group = group;
    this.self = self;
    this.deafUntilNs = nowNs;
    this.tickNs = nowNs;
  }

  /** Takes a message; one that makes no sense is skipped, the first is logged. */
  void accept(byte @Nullable [] message, long nowNs) {
    PeerMessage read;
    try {
      read = PeerMessage.parse(message, nowNs);
    } catch (IOException e) {
      skipped("not the status of an instance: " + e.getMessage());
      return;
    }
    Peer peer = read.peer();
    if (!read.group().equals(group) || peer.instance().equals(self)) {
      return;
    }
    peers.remove(peer.instance());
    if (peer.phase() == Phase.STOPPED) {
      return;
    }
    if (peers.size() >= MAX_INSTANCES) {
      skipped("there are more than %d instances".formatted(MAX_INSTANCES));
      return;
    }
    boolean fits =
        chars(peer) + peers.values().stream().mapToLong(InstanceRegistry::chars).sum()
            <= MAX_HISTORIES_CHARS;
    peers.put(peer.instance(), fits ? peer : peer.withoutHistories());
  }

  private void skipped(String why) {
    if (!warned) {
      warned = true;
      log.warn("a message on the status topic is skipped, as will be others: {}", why);
    }
  }

  private static long chars(Peer peer) {
    return peer.histories().values().stream().mapToLong(String::length).sum();
  }

  /**
   * The instances that are alive.
   *
   * @param hearing whether messages come in; while none do, nobody is taken for silent
   * @param problem why nothing is known of the others
   */
  public Fleet fleet(long nowNs, boolean hearing, @Nullable String problem) {
    if (!hearing || nowNs - tickNs > DEAF_NS) {
      deafUntilNs = nowNs;
    }
    tickNs = nowNs;
    if (nowNs - deafUntilNs > SILENT_NS) {
      peers.values().removeIf(peer -> nowNs - peer.heardNs() > SILENT_NS);
    }
    List<Peer> latestFirst = new ArrayList<>(peers.values());
    Collections.reverse(latestFirst);
    return new Fleet(self, latestFirst, problem);
  }
}
