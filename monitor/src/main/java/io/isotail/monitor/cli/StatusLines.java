package io.isotail.monitor.cli;

import io.isotail.monitor.terminal.ColorOption;
import io.isotail.monitor.terminal.StatusLine;
import java.io.PrintWriter;

/** Where commands tell what goes on while they run. */
final class StatusLines {
  private StatusLines() {}

  /**
   * On standard output, or beside it.
   *
   * @param json whether standard output is for a machine
   */
  static StatusLine of(boolean json, PrintWriter out, PrintWriter err) {
    return new StatusLine(
        json ? err : out, !json && ColorOption.isTerminal(), System.getenv("COLUMNS"));
  }
}
