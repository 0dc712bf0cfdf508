package io.isotail.monitor.demo;

import io.isotail.incremental.level.IsolationLevel;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a demo does.
 *
 * @param through what the workload's statements are captured by
 * @param isolation level that the database runs transactions at
 * @param promise level that the history is declared to give
 * @param sessions concurrent sessions
 * @param keys number of registers
 * @param duration how long the workload runs, null until it is stopped
 * @param seed seed of the workload
 * @param kafka a running broker's {@code host:port}, null to start one
 * @param port port of the page, 0 for any
 */
public record DemoConfig(
    Through through,
    DatabaseIsolation isolation,
    IsolationLevel promise,
    int sessions,
    int keys,
    @Nullable Duration duration,
    long seed,
    @Nullable String kafka,
    int port) {

  /** What captures the statements of the workload. */
  public enum Through {
    /** The JDBC driver. */
    DRIVER,
    /** The proxy of PostgreSQL's wire protocol; the workload has the plain driver. */
    PROXY;

    /**
     * What a name means.
     *
     * @throws IllegalArgumentException saying what was expected
     */
    public static Through ofLabel(String label) {
      for (Through each : values()) {
        if (each.name().toLowerCase(Locale.ROOT).equals(label)) {
          return each;
        }
      }
      throw new IllegalArgumentException("--through %s; expected driver or proxy".formatted(label));
    }
  }
}
