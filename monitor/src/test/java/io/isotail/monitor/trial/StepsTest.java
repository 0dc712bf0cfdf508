package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever hangs in the work, the one that waits for it goes on. */
@Timeout(30)
final class StepsTest {
  private final Steps steps = new Steps();

  @Test
  void aStepThatHangsIsNamedWithThePlaceAndInterrupted() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    assertThatThrownBy(
            () ->
                steps.run(
                    () -> {
                      steps.enter("the first", Duration.ofSeconds(60));
                      steps.enter("the second", Duration.ofMillis(50));
                      hang(interrupted);
                      return "never";
                    },
                    "work"))
        .isInstanceOf(Steps.StuckException.class)
        .hasMessageStartingWith("the second takes longer than 0 s, at ")
        .hasMessageContaining("StepsTest.hang(StepsTest.java:");
    interrupted.await();
  }

  @Test
  void workThatEndsHasItsResultOrItsFailure() throws Exception {
    assertThat(steps.run(() -> "done", "work")).isEqualTo("done");
    assertThatThrownBy(
            () ->
                new Steps()
                    .run(
                        () -> {
                          throw new TrialException("no part");
                        },
                        "work"))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("no part");
  }

  @Test
  void aStepWithoutALimitMayTakeAnyTimeUntilOneWithALimitFollows() {
    CountDownLatch interrupted = new CountDownLatch(1);
    assertThatThrownBy(
            () ->
                steps.run(
                    () -> {
                      steps.enter("the first", Duration.ofMillis(50));
                      steps.enter("until Ctrl-C", null);
                      Thread.sleep(200);
                      steps.enter("the end", Duration.ofMillis(50));
                      hang(interrupted);
                      return "never";
                    },
                    "work"))
        .hasMessageStartingWith("the end takes longer");
  }

  private static void hang(CountDownLatch interrupted) throws InterruptedException {
    try {
      new CountDownLatch(1).await();
    } finally {
      interrupted.countDown();
    }
  }
}
