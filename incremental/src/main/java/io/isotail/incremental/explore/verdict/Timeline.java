package io.isotail.incremental.explore.verdict;

import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;

/**
 * A history as a person can follow it. At levels that speak of an order of the commits it is one of
 * the ways in which the transactions can have run beside each other; at weaker levels there need be
 * none, and each transaction is told with what it saw. Where levels are mixed, a transaction at a
 * weak one stands where it commits, with what it saw.
 */
final class Timeline {
  private static final int MOST_COLUMNS = 3;
  private static final int WIDTH = 36;

  private final ExploredHistory history;
  private final IsolationLevel others;
  private final boolean mixed;
  private final List<String> lines = new ArrayList<>();
  private final List<String> sessions = new ArrayList<>();

  private Timeline(ExploredHistory history, IsolationLevel others) {
    this.history = history;
    this.others = others;
    this.mixed = history.program().isMixed();
    for (int t = 1; t <= history.transactions(); t++) {
      if (history.session(t) == sessions.size()) {
        sessions.add(history.sessionName(t));
      }
    }
  }

  /** Lines without ends. */
  static List<String> of(ExploredHistory history, IsolationLevel others) {
    Timeline timeline = new Timeline(history, others);
    int[] order = timeline.allWeak() ? null : history.order(others);
    if (order == null) {
      timeline.views();
    } else {
      timeline.interleaving(order);
    }
    return timeline.lines;
  }

  private IsolationLevel level(int transaction) {
    IsolationLevel own = history.declared(transaction);
    return own == null ? others : own;
  }

  private boolean allWeak() {
    for (int t = 1; t <= history.transactions(); t++) {
      if (!level(t).isWeak()) {
        return false;
      }
    }
    return true;
  }

  private void views() {
    for (int t = 1; t <= history.transactions(); t++) {
      lines.add(history.name(t) + at(t));
      for (ExploredHistory.Read read : history.reads(t)) {
        lines.add("  " + withSource(read));
      }
      writes(t).forEach(write -> lines.add("  " + write));
      lines.add("  " + end(t));
    }
  }

  private String withSource(ExploredHistory.Read read) {
    return "read %s = %s, %s"
        .formatted(
            read.variable(),
            read.value(),
            read.source() == 0 ? "which is initial" : "of " + history.name(read.source()));
  }

  private void interleaving(int[] order) {
    boolean columns = sessions.size() <= MOST_COLUMNS;
    if (columns) {
      StringBuilder heads = new StringBuilder();
      sessions.forEach(session -> heads.append(cell(session)));
      lines.add(heads.toString().stripTrailing());
    }
    for (int event : order) {
      int t = Math.abs(event);
      if (event > 0 || !level(t).tellsBeginFromCommit()) {
        add(columns, t, "begin " + own(t) + at(t));
        for (ExploredHistory.Read read : history.reads(t)) {
          add(
              columns,
              t,
              level(t).isWeak()
                  ? withSource(read)
                  : "read %s = %s".formatted(read.variable(), read.value()));
        }
      }
      if (event < 0) {
        writes(t).forEach(write -> add(columns, t, write));
        add(columns, t, end(t));
      }
    }
  }

  /** The level of a transaction, where they differ. */
  private String at(int transaction) {
    return mixed ? " at " + level(transaction) : "";
  }

  private String own(int transaction) {
    return history.name(transaction).substring(history.sessionName(transaction).length() + 1);
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
