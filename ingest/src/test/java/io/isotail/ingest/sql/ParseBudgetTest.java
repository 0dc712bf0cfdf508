package io.isotail.ingest.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A parser is stopped for the work that it does, not for the time that it waits. */
final class ParseBudgetTest {
  @Test
  void aThreadThatGetsNoProcessorKeepsItsBudget() {
    assertThat(ParseBudget.spent(ms(20), ms(60_000))).isFalse();
    assertThat(ParseBudget.spent(ms(ParseBudget.MAX_CPU_MS), ms(1_000))).isTrue();
  }

  @Test
  void theClockCountsWhereTheSystemTellsNothingElse() {
    assertThat(ParseBudget.spent(-1, ms(ParseBudget.MAX_CPU_MS) - 1)).isFalse();
    assertThat(ParseBudget.spent(-1, ms(ParseBudget.MAX_CPU_MS))).isTrue();
  }

  @Test
  void workThatDoesNotEndIsInterrupted() {
    CountDownLatch interrupted = new CountDownLatch(1);
    Future<?> watch = ParseBudget.watch(interrupted::countDown);
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (interrupted.getCount() > 0) {
      assertThat(System.nanoTime()).isLessThan(deadlineNs);
    }
    watch.cancel(false);
  }

  private static long ms(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }
}
