package io.isotail.monitor.explore;

import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;

/**
 * A history as a person can follow it. At levels that speak of an order of the commits it is one of
 * the ways in which the transactions can have run beside each other; at weaker levels there need be
 * none, and each transaction is told with what it saw.
 */
final class Timeline {
  private static final int MOST_COLUMNS = 3;
  private static final int WIDTH = 36;

  private final ExploredHistory history;
  private final List<String> lines = new ArrayList<>();
  private final List<String> sessions = new ArrayList<>();

  private Timeline(ExploredHistory history) {
    this.history = history;
    for (int t = 1; t <= history.transactions(); t++) {
      if (history.session(t) == sessions.size()) {
        String name = history.name(t);
        sessions.add(name.substring(0, name.indexOf('.')));
      }
    }
  }

  /** Lines without ends. */
  static List<String> of(ExploredHistory history, IsolationLevel level) {
    Timeline timeline = new Timeline(history);
    int[] order = level.isWeak() ? null : history.order(level);
    if (order == null) {
      timeline.views();
    } else {
      timeline.interleaving(order, level.tellsBeginFromCommit());
    }
    return timeline.lines;
  }

  private void views() {
    for (int t = 1; t <= history.transactions(); t++) {
      lines.add(history.name(t));
      for (ExploredHistory.Read read : history.reads(t)) {
        lines.add(
            "  read %s = %s, %s"
                .formatted(
                    read.variable(),
                    read.value(),
                    read.source() == 0 ? "which is initial" : "of " + history.name(read.source())));
      }
      writes(t).forEach(write -> lines.add("  " + write));
      lines.add("  " + end(t));
    }
  }

  private void interleaving(int[] order, boolean two) {
    boolean columns = sessions.size() <= MOST_COLUMNS;
    if (columns) {
      StringBuilder heads = new StringBuilder();
      sessions.forEach(session -> heads.append(cell(session)));
      lines.add(heads.toString().stripTrailing());
    }
    for (int event : order) {
      int t = Math.abs(event);
      if (event > 0 || !two) {
        add(columns, t, "begin " + own(t));
        for (ExploredHistory.Read read : history.reads(t)) {
          add(columns, t, "read %s = %s".formatted(read.variable(), read.value()));
        }
      }
      if (event < 0) {
        writes(t).forEach(write -> add(columns, t, write));
        add(columns, t, end(t));
      }
    }
  }

  private String own(int transaction) {
    String name = history.name(transaction);
    return name.substring(name.indexOf('.') + 1);
  }

  private List<String> writes(int transaction) {
    List<String> writes = new ArrayList<>();
    history
        .end(transaction)
        .writes()
        .forEach((variable, value) -> writes.add("write %s = %s".formatted(variable, value)));
    return writes;
  }

  private String end(int transaction) {
    return history.committed(transaction) ? "commit" : "abort";
  }

  private void add(boolean columns, int transaction, String what) {
    int session = history.session(transaction);
    lines.add(
        columns
            ? (" ".repeat(session * WIDTH) + what).stripTrailing()
            : "%-12s %s".formatted(sessions.get(session), what));
  }

  private static String cell(String text) {
    return "%-36s".formatted(text);
  }
}
