package io.isotail.monitor.partition;

import io.isotail.incremental.Checker;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.monitor.publish.PublishedCause;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What of a history's causes is to be published, and how much of it was not before. The sum of what
 * is fresh over all records of a cause is what it has done, whoever published them.
 *
 * <p>A commit tells the number of every cause that has struck since the one before: whoever takes
 * over after it begins there. All of a cause is told when it strikes for the first time, when it
 * has not struck between two looks, and at most every {@link #LEAST_PAUSE_NS} in between. Owned by
 * the pipeline's thread.
 */
final class CauseNews {
  /** Between two whole records of a cause that goes on striking, in ns. */
  static final long LEAST_PAUSE_NS = TimeUnit.SECONDS.toNanos(10);

  /**
   * What was published of a cause.
   *
   * @param firstOffset where it begins: one that the checker forgot and found again counts anew
   * @param violations the number that was told last
   * @param wholeViolations its number when all of it was told last
   * @param wholeAtNs when that was
   * @param slot its slot then
   */
  private record Told(
      long firstOffset, long violations, long wholeViolations, long wholeAtNs, int slot) {
    static final Told NOTHING = new Told(-2, 0, 0, 0, 0);

    /** Whether a cause is the one of which this was published. */
    boolean goesOn(CauseReport cause) {
      return firstOffset == cause.first().offset() && cause.violations() >= violations;
    }

    /** How much of a cause was not published. */
    long fresh(CauseReport cause) {
      return cause.violations() - (goesOn(cause) ? violations : 0);
    }

    /** What is published of a cause after this. */
    Told and(CauseReport cause, boolean whole, long nowNs) {
      return new Told(
          cause.first().offset(),
          cause.violations(),
          whole ? cause.violations() : wholeViolations,
          whole ? nowNs : wholeAtNs,
          whole ? cause.slot() : slot);
    }
  }

  private final Map<String, Told> told = new HashMap<>();
  private final Map<String, Told> telling = new HashMap<>();

  /** Violations at the look before this one: a cause that has not struck since is published. */
  private final Map<String, Long> seen = new HashMap<>();

  /** Of checkers that were given up, what they had found. */
  private final List<PublishedCause> left = new ArrayList<>();

  private long toldChanges = -1;
  private long tellingChanges = -1;
  private boolean announcing = true;

  /**
   * What the checker has found so far was published by those who checked the history before. It is
   * announced once more, with nothing fresh.
   */
  void takenOver(Checker checker) {
    told.clear();
    seen.clear();
    for (CauseReport cause : checker.causes()) {
      told.put(cause.id(), new Told(cause.first().offset(), cause.violations(), 0, 0, 0));
    }
    announcing = true;
  }

  /**
   * The checker is given up for another one; what it has found and nobody told is kept.
   *
   * @param replaying whether what it has found was told before
   */
  void givenUp(Checker checker, boolean replaying) {
    for (CauseReport cause : replaying ? List.<CauseReport>of() : checker.causes()) {
      long fresh = told.getOrDefault(cause.id(), Told.NOTHING).fresh(cause);
      if (fresh > 0) {
        left.add(new PublishedCause(cause, fresh, true));
      }
    }
    told.clear();
    seen.clear();
    announcing = true;
  }

  /** Whether there is anything to look at. */
  boolean any(Checker checker) {
    return !left.isEmpty()
        || (announcing && !checker.causes().isEmpty())
        || checker.causeChanges() != toldChanges;
  }

  /**
   * What is due, to be part of the commit that follows.
   *
   * @param nowNs the time, as {@link System#nanoTime} tells it
   */
  List<PublishedCause> due(Checker checker, long nowNs) {
    List<PublishedCause> due = new ArrayList<>(left);
    telling.clear();
    boolean all = true;
    for (CauseReport cause : checker.causes()) {
      Told before = told.getOrDefault(cause.id(), Told.NOTHING);
      long fresh = before.fresh(cause);
      boolean whole = announcing || isWholeDue(before, cause, nowNs);
      Told after = before.and(cause, whole, nowNs);
      if (whole || fresh > 0) {
        due.add(new PublishedCause(cause, fresh, whole));
        telling.put(cause.id(), after);
      }
      all &= after.wholeViolations == cause.violations();
      seen.put(cause.id(), cause.violations());
    }
    tellingChanges = all ? checker.causeChanges() : -1;
    return due;
  }

  private boolean isWholeDue(Told before, CauseReport cause, long nowNs) {
    if (!before.goesOn(cause) || before.slot != cause.slot()) {
      return true;
    }
    boolean calm = Long.valueOf(cause.violations()).equals(seen.get(cause.id()));
    return cause.violations() != before.wholeViolations
        && (calm || nowNs - before.wholeAtNs >= LEAST_PAUSE_NS);
  }

  /** What was due is published. */
  void published(Checker checker) {
    told.putAll(telling);
    telling.clear();
    left.clear();
    toldChanges = tellingChanges;
    announcing = false;
    if (told.size() > 2 * checker.causes().size() + 1) {
      // Those that the checker has forgotten would come back with other numbers.
      List<String> known = checker.causes().stream().map(CauseReport::id).toList();
      told.keySet().retainAll(known);
      seen.keySet().retainAll(known);
    }
  }
}
