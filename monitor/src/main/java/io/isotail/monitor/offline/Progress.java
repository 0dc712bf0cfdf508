package io.isotail.monitor.offline;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A line on the terminal that says how far a long command is; silent when nobody watches. */
final class Progress {
  private static final long PAUSE_NS = 500_000_000;

  /** How often the clock is read. */
  private static final int STEPS_PER_LOOK = 256;

  private final @Nullable PrintStream terminal;
  private final String name;
  private final String unit;
  private long steps;
  private long nextNs = System.nanoTime() + 2 * PAUSE_NS;
  private boolean shown;

  private Progress(@Nullable PrintStream terminal, String name, String unit) {
    this.terminal = terminal;
    this.name = name;
    this.unit = unit;
  }

  /** Writes to standard error if the launcher found a terminal there. */
  static Progress onTerminal(Path path) {
    return onTerminal(String.valueOf(path.getFileName()), "transactions");
  }

  /**
   * Writes to standard error if the launcher found a terminal there.
   *
   * @param name of what is gone through
   * @param unit what is counted, in the plural
   */
  static Progress onTerminal(String name, String unit) {
    return new Progress(Boolean.getBoolean("isotail.terminal") ? System.err : null, name, unit);
  }

  void step() {
    steps++;
    if (terminal != null && steps % STEPS_PER_LOOK == 0) {
      long nowNs = System.nanoTime();
      if (nowNs >= nextNs) {
        nextNs = nowNs + PAUSE_NS;
        show("%,d %s".formatted(steps, unit));
      }
    }
  }

  /** The file is read again from its beginning. */
  void restart() {
    steps = 0;
  }

  void allRead() {
    if (shown) {
      show("%,d %s, all read".formatted(steps, unit));
    }
  }

  void done() {
    if (shown && terminal != null) {
      terminal.print("\r\u001b[K");
      terminal.flush();
    }
  }

  private void show(String state) {
    if (terminal != null) {
      shown = true;
      terminal.printf(Locale.ROOT, "\r\u001b[K%s: %s", name, state);
      terminal.flush();
    }
  }
}
