package io.isotail.incremental.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
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

  /** Each session's last open transaction is its own after a restart, too. */
  @Test
  void aHorizonThatWasSavedGoesOnAsTheOtherOne() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      Horizon horizon = new Horizon(SILENT_AFTER_MS);
      horizon.hello("p", 0, 0);
      List<Heartbeat.OpenTransaction> open = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        open.add(new Heartbeat.OpenTransaction(random.nextLong(), random.nextInt(5)));
      }
      horizon.heartbeat(new Heartbeat("p", 0, List.of()), 1, 1);
      horizon.heartbeat(new Heartbeat("p", 1, open), 2, 2);
      Horizon restored = restored(horizon);
      for (int position = 3; !open.isEmpty(); position++) {
        Heartbeat.OpenTransaction ended = open.remove(random.nextInt(open.size()));
        horizon.ended("p", ended.session(), ended.transaction(), position);
        restored.ended("p", ended.session(), ended.transaction(), position);
        assertThat(restored.advance(position))
            .as("seed %d", seed)
            .isEqualTo(horizon.advance(position));
      }
      assertThat(horizon.advance(99)).isOne();
    }
  }

  private static Horizon restored(Horizon horizon) {
    StateWriter part = StateWriter.part();
    horizon.save(part);
    List<byte[]> chunks = new ArrayList<>();
    StateWriter whole = new StateWriter(chunks::add);
    whole.append(part, thing -> whole.text((String) thing));
    whole.end();
    Iterator<byte[]> each = chunks.iterator();
    Horizon restored = new Horizon(SILENT_AFTER_MS);
    restored.load(new StateReader(() -> each.hasNext() ? each.next() : null));
    return restored;
  }
}
