package io.isotail.ingest.emit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class HeartbeatPaceTest {
  private final HeartbeatPace pace = new HeartbeatPace(500);

  @Test
  void aQuickHeartbeatIsFollowedAfterTheInterval() {
    assertEquals(1_500, pace.next(1_000, 1_010));
  }

  @Test
  void aSlowOneLeavesAsMuchTimeToTransactionsAsItTook() {
    assertEquals(1_800, pace.next(1_000, 1_400));
    assertEquals(3_000, pace.next(1_000, 2_000));
  }

  @Test
  void afterAnOutageTheNextOneComesSoon() {
    long outageNs = 60 * HeartbeatPace.MAX_PAUSE_NS;
    assertEquals(outageNs + HeartbeatPace.MAX_PAUSE_NS, pace.next(0, outageNs));
  }

  @Test
  void transactionsHaveAtLeastHalfOfTheTimeUnlessTheBrokerIsAway() {
    Random random = new Random(1);
    for (int i = 0; i < 1_000; i++) {
      long started = random.nextLong(1L << 40) - (1L << 39);
      long took = random.nextLong(HeartbeatPace.MAX_PAUSE_NS);
      long next = pace.next(started, started + took);
      assertTrue(next - (started + took) >= took, "a heartbeat of " + took + " ns");
    }
  }
}
