package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Waits for a condition, within a limit. */
final class Waiting {
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(90);

  private Waiting() {}

  interface Condition {
    boolean holds() throws Exception;
  }

  static void until(Condition condition) throws Exception {
    until(condition, () -> "waited in vain");
  }

  static void until(Condition condition, Supplier<String> otherwise) throws Exception {
    long deadlineNs = System.nanoTime() + LIMIT_NS;
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as(otherwise).isLessThan(deadlineNs);
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }
}
