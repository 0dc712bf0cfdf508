package io.isotail.monitor.terminal;

import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Lines for a person who watches, and below them one that tells how things stand. On a terminal it
 * is drawn anew in its place; elsewhere, as in a file, it is a line now and then. Not thread-safe.
 */
public final class StatusLine {
  private static final String ERASE = "\r\u001b[2K";
  private static final long TERMINAL_NS = Duration.ofMillis(500).toNanos();
  private static final long ELSEWHERE_NS = Duration.ofSeconds(10).toNanos();
  private static final int DEFAULT_WIDTH = 80;

  private final PrintWriter out;
  private final boolean terminal;
  private final int width;
  private boolean drawn;
  private boolean due = true;
  private long lastNs;

  /**
   * Nothing is written yet.
   *
   * @param terminal whether a line can be drawn anew there
   * @param columns the variable {@code COLUMNS}, which tells a terminal's width
   */
  public StatusLine(PrintWriter out, boolean terminal, @Nullable String columns) {
    this.out = out;
    this.terminal = terminal;
    this.width =
        columns != null && columns.matches("[1-9]\\d{1,3}")
            ? Integer.parseInt(columns)
            : DEFAULT_WIDTH;
  }

  /** Writes a line that stays. */
  public void line(String words) {
    erase();
    out.println(words);
    out.flush();
  }

  /**
   * Whether it is time to tell again how things stand.
   *
   * @param nowNs the time, as {@link System#nanoTime} tells it
   */
  public boolean isDue(long nowNs) {
    return due || nowNs - lastNs >= (terminal ? TERMINAL_NS : ELSEWHERE_NS);
  }

  /**
   * Tells how things stand.
   *
   * @param nowNs the time, as {@link System#nanoTime} tells it
   */
  public void status(String words, long nowNs) {
    due = false;
    lastNs = nowNs;
    if (!terminal) {
      line(words);
      return;
    }
    erase();
    // A line that is as wide as the terminal may begin another one.
    out.print(words.length() < width ? words : words.substring(0, width - 2) + "…");
    out.flush();
    drawn = true;
  }

  /** Takes the line away that tells how things stand. */
  public void erase() {
    if (drawn) {
      drawn = false;
      out.print(ERASE);
      out.flush();
    }
    due |= terminal;
  }
}
