package io.isotail.monitor.offline;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A line on the terminal that says how far a long command is, how fast it goes, and where that can
 * be told how long it still takes; silent when nobody watches.
 */
final class Progress {
  private static final long PAUSE_NS = 500_000_000;
  private static final double NS_PER_SECOND = 1e9;

  /** How often the clock is read. */
  private static final int STEPS_PER_LOOK = 256;

  /** Of the file, before the time that is left is told: the first part goes at another speed. */
  private static final double LEAST_SHARE = 0.02;

  private final @Nullable PrintStream terminal;
  private final String name;
  private final String unit;
  private final long bytes;
  private final LongSupplier clockNs;
  private final long startNs;
  private long steps;
  private long read;
  private long nextNs;
  private boolean shown;

  /**
   * A line that is not shown yet.
   *
   * @param terminal null if nobody watches
   * @param bytes of the file that is read, 0 if they say nothing
   */
  Progress(
      @Nullable PrintStream terminal, String name, String unit, long bytes, LongSupplier clockNs) {
    this.terminal = terminal;
    this.name = name;
    this.unit = unit;
    this.bytes = bytes;
    this.clockNs = clockNs;
    this.startNs = clockNs.getAsLong();
    this.nextNs = startNs + 2 * PAUSE_NS;
  }

  /** Writes to standard error if the launcher found a terminal there. */
  static Progress onTerminal(Path path) {
    return onTerminal(String.valueOf(path.getFileName()), "transactions", size(path));
  }

  /**
   * Writes to standard error if the launcher found a terminal there.
   *
   * @param name of what is gone through
   * @param unit what is counted, in the plural
   */
  static Progress onTerminal(String name, String unit) {
    return onTerminal(name, unit, 0);
  }

  private static Progress onTerminal(String name, String unit, long bytes) {
    PrintStream terminal = Boolean.getBoolean("isotail.terminal") ? System.err : null;
    return new Progress(terminal, name, unit, bytes, System::nanoTime);
  }

  private static long size(Path path) {
    try {
      return Files.isRegularFile(path) ? Files.size(path) : 0;
    } catch (IOException e) {
      return 0; // Who reads it says what is wrong.
    }
  }

  void step() {
    steps++;
    if (terminal != null && steps % STEPS_PER_LOOK == 0) {
      long nowNs = clockNs.getAsLong();
      if (nowNs >= nextNs) {
        nextNs = nowNs + PAUSE_NS;
        show("%,d %s, %s".formatted(steps, unit, pace(nowNs)));
      }
    }
  }

  /** So many bytes of the file have been read. */
  void readBytes(long upTo) {
    read = upTo;
  }

  private String pace(long nowNs) {
    double seconds = (nowNs - startNs) / NS_PER_SECOND;
    String rate = "%,.0f a second".formatted(steps / seconds);
    if (bytes == 0 || read < bytes * LEAST_SHARE) {
      return rate;
    }
    Duration left = Duration.ofSeconds(Math.round(seconds * (bytes - read) / read));
    return left.isZero() || left.isNegative()
        ? rate
        : rate + ", about " + left.toString().substring(2).toLowerCase(Locale.ROOT) + " left";
  }

  /** The file is read again from its beginning. */
  void restart() {
    steps = 0;
    read = 0;
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
