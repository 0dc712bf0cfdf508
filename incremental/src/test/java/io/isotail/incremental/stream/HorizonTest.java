package io.isotail.incremental.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Heartbeat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class HorizonTest {
  private static final long SILENT_AFTER_MS = 50;

  /** What a proxy has confirmed, by the definition, as long as no transaction is ever open. */
  private static final class Told {
    long confirmed;
    long lastHeartbeat = -1;
    long lastSeenMs;

    Told(long confirmed, long nowMs) {
      this.confirmed = confirmed;
      this.lastSeenMs = nowMs;
    }
  }

  @Test
  void theHorizonIsTheLeastPositionThatALiveProxyHasConfirmed() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Horizon horizon = new Horizon(SILENT_AFTER_MS);
      Map<String, Told> live = new HashMap<>();
      long reached = -1;
      for (int position = 0; position < 300; position++) {
        String name = "p" + random.nextInt(5);
        switch (random.nextInt(8)) {
          case 0 -> {
            horizon.hello(name, position, position);
            live.put(name, new Told(position, position));
          }
          case 1 -> {
            horizon.goodbye(name);
            live.remove(name);
          }
          case 2 -> {
            if (!live.containsKey(name)) {
              horizon.join(name, position, position);
              live.put(name, new Told(reached, position));
            }
          }
          case 3 -> {
            List<String> silent = new ArrayList<>(live.keySet());
            long now = position;
            silent.removeIf(p -> now - live.get(p).lastSeenMs <= SILENT_AFTER_MS);
            assertThat(horizon.removeSilent(now)).containsExactlyInAnyOrderElementsOf(silent);
            silent.forEach(live::remove);
          }
          default -> {
            horizon.heartbeat(new Heartbeat(name, position, List.of()), position, position);
            Told proxy = live.get(name);
            if (proxy != null) {
              proxy.confirmed = proxy.lastHeartbeat >= 0 ? proxy.lastHeartbeat : proxy.confirmed;
              proxy.lastHeartbeat = position;
              proxy.lastSeenMs = position;
            }
          }
        }
        long least = position;
        for (Told proxy : live.values()) {
          least = Math.min(least, proxy.confirmed);
        }
        reached = Math.max(reached, least);
        assertThat(horizon.advance(position)).as("seed %d, %d", seed, position).isEqualTo(reached);
      }
    }
  }
}
