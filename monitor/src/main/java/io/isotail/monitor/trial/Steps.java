package io.isotail.monitor.trial;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Work of several steps, none of which may take longer than it says: whatever hangs inside, the one
 * that waits for the work goes on.
 *
 * <p>The work runs on a daemon thread of its own, which is interrupted and left behind when a step
 * takes too long. Thread-safe.
 */
final class Steps {
  private String name = "beginning";
  private long startNs = System.nanoTime();
  private long limitNs = Long.MAX_VALUE;
  private boolean finished;

  /** A step took too long. */
  static final class StuckException extends Exception {
    private static final long serialVersionUID = 1L;

    StuckException(String message) {
      super(message);
    }
  }

  /**
   * A step begins.
   *
   * @param limit null for a step that may take any time
   */
  synchronized void enter(String step, @Nullable Duration limit) {
    name = step;
    startNs = System.nanoTime();
    limitNs = limit == null ? Long.MAX_VALUE : limit.toNanos();
    notifyAll();
  }

  /**
   * Does the work and returns its result.
   *
   * @throws StuckException naming the step that took too long, and where it was
   * @throws ExecutionException with what the work has thrown
   */
  <T> T run(Callable<T> work, String threadName)
      throws StuckException, ExecutionException, InterruptedException {
    CompletableFuture<T> outcome = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                outcome.complete(work.call());
              } catch (Throwable e) {
                outcome.completeExceptionally(e);
              } finally {
                finish();
              }
            },
            threadName);
    thread.setDaemon(true);
    thread.start();
    try {
      String stuck = awaitFinish();
      if (stuck != null) {
        throw new StuckException(stuck + ", at " + place(thread));
      }
      return outcome.get();
    } finally {
      thread.interrupt();
    }
  }

  private synchronized void finish() {
    finished = true;
    notifyAll();
  }

  private synchronized @Nullable String awaitFinish() throws InterruptedException {
    while (!finished) {
      if (limitNs == Long.MAX_VALUE) {
        wait();
        continue;
      }
      long leftNs = limitNs - (System.nanoTime() - startNs);
      if (leftNs <= 0) {
        return "%s takes longer than %d s".formatted(name, TimeUnit.NANOSECONDS.toSeconds(limitNs));
      }
      TimeUnit.NANOSECONDS.timedWait(this, leftNs);
    }
    return null;
  }

  /** Where a thread is, in this program's own code if it is there at all. */
  private static String place(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    for (StackTraceElement frame : stack) {
      if (frame.getClassName().startsWith("io.isotail.")) {
        return frame.toString();
      }
    }
    return stack.length == 0 ? "its end" : stack[0].toString();
  }
}
