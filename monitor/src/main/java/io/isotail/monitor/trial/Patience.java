package io.isotail.monitor.trial;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Tries for a while what a server that is just being started again does not do yet. */
final class Patience {
  private static final Duration LIMIT = Duration.ofSeconds(15);
  private static final long PAUSE_MS = 250;

  private Patience() {}

  /** What is tried. */
  interface Attempt {
    void run() throws Exception;
  }

  /** Tries until it succeeds, for 15 seconds; returns the last failure, null if it succeeded. */
  static @Nullable Exception attempt(Attempt attempt) {
    long deadlineNs = System.nanoTime() + LIMIT.toNanos();
    for (boolean interrupted = false; ; ) {
      try {
        attempt.run();
        return null;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return e;
      } catch (Exception e) {
        if (interrupted || System.nanoTime() - deadlineNs > 0) {
          return e;
        }
      }
      interrupted = pause();
    }
  }

  private static boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
