package io.isotail.monitor.cli;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A line on the terminal that says how far a long check is; silent when nobody watches. */
final class Progress {
  private static final long PAUSE_NS = 500_000_000;

  /** How often the clock is read. */
  private static final int TRANSACTIONS_PER_LOOK = 256;

  private final @Nullable PrintStream terminal;
  private final Path path;
  private long transactions;
  private long nextNs = System.nanoTime() + 2 * PAUSE_NS;
  private boolean shown;

  private Progress(@Nullable PrintStream terminal, Path path) {
    this.terminal = terminal;
    this.path = path;
  }

  /** Writes to standard error if the launcher found a terminal there. */
  static Progress onTerminal(Path path) {
    return new Progress(Boolean.getBoolean("isotail.terminal") ? System.err : null, path);
  }

  void transactionRead() {
    transactions++;
    if (terminal != null && transactions % TRANSACTIONS_PER_LOOK == 0) {
      long nowNs = System.nanoTime();
      if (nowNs >= nextNs) {
        nextNs = nowNs + PAUSE_NS;
        show("%,d transactions".formatted(transactions));
      }
    }
  }

  /** The file is read again from its beginning. */
  void restart() {
    transactions = 0;
  }

  void allRead() {
    if (shown) {
      show("%,d transactions, all read".formatted(transactions));
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
      terminal.printf(Locale.ROOT, "\r\u001b[K%s: %s", path.getFileName(), state);
      terminal.flush();
    }
  }
}
