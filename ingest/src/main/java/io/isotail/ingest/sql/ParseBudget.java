package io.isotail.ingest.sql;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Stops a parser that works for too long.
 *
 * <p>What counts is the time that its thread spent on a processor. On a busy machine, or one that
 * was halted, an ordinary statement takes long without being complex, and a statement that is given
 * up is opaque for as long as the process lives. Where the system does not tell, the clock counts.
 */
final class ParseBudget {
  static final long MAX_CPU_MS = 250;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final ScheduledExecutorService WATCHDOG =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "isotail-parser-watchdog");
            thread.setDaemon(true);
            return thread;
          });

  private ParseBudget() {}

  /** Calls {@code interrupt} when the calling thread has worked for too long; cancel when done. */
  static Future<?> watch(Runnable interrupt) {
    long thread = Thread.currentThread().getId();
    long startNs = System.nanoTime();
    long startCpuNs = cpuNs(thread);
    return WATCHDOG.scheduleWithFixedDelay(
        () -> {
          long cpuNs = cpuNs(thread);
          boolean told = startCpuNs >= 0 && cpuNs >= 0;
          if (spent(told ? cpuNs - startCpuNs : -1, System.nanoTime() - startNs)) {
            interrupt.run();
          }
        },
        MAX_CPU_MS,
        MAX_CPU_MS / 5,
        TimeUnit.MILLISECONDS);
  }

  /**
   * Whether a parse has had its time.
   *
   * @param cpuNs time on a processor in ns, or -1 when the system does not tell
   * @param wallNs time by the clock in ns
   */
  static boolean spent(long cpuNs, long wallNs) {
    return (cpuNs < 0 ? wallNs : cpuNs) >= TimeUnit.MILLISECONDS.toNanos(MAX_CPU_MS);
  }

  private static long cpuNs(long thread) {
    try {
      return THREADS.getThreadCpuTime(thread);
    } catch (UnsupportedOperationException e) {
      return -1;
    }
  }
}
