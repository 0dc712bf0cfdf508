package io.isotail.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;

/** For how long a client is held. */
class ClientHoldTest {
  private final ArrayDeque<Runnable> timers = new ArrayDeque<>();
  private boolean held;
  private int givenUp;

  private final ClientHold hold = new ClientHold(() -> givenUp++);

  private final Wires wires =
      new SentBytes() {
        @Override
        public void holdClient() {
          held = true;
        }

        @Override
        public void releaseClient() {
          held = false;
        }

        @Override
        public void after(long ms, Runnable task) {
          assertThat(ms).isEqualTo(ClientHold.PATIENCE_MS);
          timers.add(task);
        }
      };

  @Test
  void itIsHeldWhileThereIsAReason() {
    hold.hold(wires);
    hold.awaitAnswer(wires);
    hold.answered(wires);
    assertThat(held).isTrue();
    hold.release(wires);
    assertThat(held).isFalse();
  }

  @Test
  void anAnswerThatDoesNotComeIsGivenUp() {
    hold.awaitAnswer(wires);
    timers.remove().run();
    assertThat(givenUp).isOne();
  }

  @Test
  void oneTimerWatchesManyAnswers() {
    for (int i = 0; i < 1_000; i++) {
      hold.awaitAnswer(wires);
      hold.answered(wires);
    }
    assertThat(timers).hasSize(1);
    hold.awaitAnswer(wires);
    timers.remove().run();
    assertThat(givenUp).as("the last one has waited for less").isZero();
    timers.remove().run();
    assertThat(givenUp).isOne();
  }

  @Test
  void nothingIsGivenUpWhereAllIsAnswered() {
    hold.awaitAnswer(wires);
    hold.answered(wires);
    timers.remove().run();
    assertThat(givenUp).isZero();
    assertThat(timers).isEmpty();
  }
}
