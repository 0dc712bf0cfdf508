package io.isotail.monitor.partition;

import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.status.VerdictTrack;
import io.isotail.monitor.status.VerdictTrack.Change;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Collects a {@link VerdictTrack}: of each minute of the log the worst verdict, where it differs
 * from that of the minute before. Bound: {@link #MAX_CHANGES}, the oldest go.
 */
final class VerdictLog {
  static final int MAX_CHANGES = 60;
  private static final long MINUTE_MS = TimeUnit.MINUTES.toMillis(1);

  private static final List<Verdict> WORST_LAST =
      List.of(Verdict.NOT_CHECKED, Verdict.PASS, Verdict.UNDECIDED, Verdict.FAIL);

  private final ArrayDeque<Change> changes = new ArrayDeque<>();
  private long untilMs;

  /** Minute of the latest sample, the append time of its first one, and its worst verdict. */
  private long minute = -1;

  private long startMs;
  private Verdict worst = Verdict.NOT_CHECKED;

  /** Whether the latest change is of that minute. */
  private boolean changed;

  /** Takes the verdict as it is when the log is checked up to this append time. */
  void sample(long atMs, Verdict verdict) {
    untilMs = atMs;
    if (minute != atMs / MINUTE_MS) {
      minute = atMs / MINUTE_MS;
      startMs = atMs;
      changed = false;
    } else if (WORST_LAST.indexOf(verdict) <= WORST_LAST.indexOf(worst)) {
      return;
    }
    worst = verdict;
    if (changed) {
      changes.removeLast();
    }
    changed = add(new Change(startMs, verdict));
  }

  private boolean add(Change change) {
    Change last = changes.peekLast();
    if (last != null && last.verdict() == change.verdict()) {
      return false;
    }
    changes.add(change);
    if (changes.size() > MAX_CHANGES) {
      changes.remove();
    }
    return true;
  }

  VerdictTrack track() {
    return new VerdictTrack(List.copyOf(changes), untilMs);
  }
}
