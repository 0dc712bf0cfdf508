package io.isotail.monitor.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.status.MonitorStatus.Phase;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class StatusBoardTest {
  private long nowMs = 1_000;
  private final StatusBoard board = new StatusBoard(() -> nowMs);

  @Test
  void aPhaseBeganWhenItWasFirstPublished() {
    assertThat(board.current().phaseSinceMs()).as("from the start on").isEqualTo(1_000);
    nowMs = 2_000;
    board.publish(status(Phase.CONNECTING, "the broker is away"));
    board.measured(Lag.NONE);
    assertThat(board.current().phaseSinceMs()).isEqualTo(1_000);
    nowMs = 3_000;
    board.publish(status(Phase.RUNNING, null));
    nowMs = 4_000;
    board.publish(status(Phase.RUNNING, "the broker has not answered for 5 s"));
    board.measured(null);
    assertThat(board.current().phaseSinceMs()).isEqualTo(3_000);
    board.publish(board.current().stopped("stopped"));
    assertThat(board.current().phaseSinceMs()).isEqualTo(4_000);
  }

  private static MonitorStatus status(Phase phase, String problem) {
    return new MonitorStatus(
        phase, 0, problem, Map.of(), null, 0, 0, 0, 0, new TreeMap<>(), Fleet.NONE);
  }
}
