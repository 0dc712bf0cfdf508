package io.isotail.monitor.partition;

import io.isotail.incremental.Checker;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.cause.Grouping;
import io.isotail.incremental.cause.IncidentReport;
import io.isotail.incremental.cause.IncidentReport.End;
import io.isotail.monitor.publish.News;
import io.isotail.monitor.publish.PublishedCause;
import io.isotail.monitor.publish.PublishedIncident;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What of a history's causes and incidents is to be published, and how much of it was not before.
 * The sum of what is fresh over all records of a cause is what it has done, whoever published them.
 *
 * <p>A commit tells the number of every cause that has struck since the one before: whoever takes
 * over after it begins there. All of a cause is told when it strikes for the first time, when it
 * has not struck between two looks, and at most every {@link #LEAST_PAUSE_NS} in between. All of an
 * incident is told likewise, and when it becomes worse, is linked or is over; before its causes, so
 * that there are words for what these count. The checker makes a report anew only of what has
 * changed. Owned by the pipeline's thread.
 */
final class CauseNews {
  /** Between two whole records of a cause that goes on striking, in ns. */
  static final long LEAST_PAUSE_NS = TimeUnit.SECONDS.toNanos(10);

  /**
   * What was published of a cause.
   *
   * @param firstOffset where it begins: one that the checker forgot and found again counts anew
   * @param violations the number that was told last
   * @param wave number of the wave that was told last; 0 for a cause
   * @param wholeViolations its number when all of it was told last
   * @param wholeAtNs when that was
   * @param state what else it was like then: another one is published at once
   */
  private record Told(
      long firstOffset,
      long violations,
      int wave,
      long wholeViolations,
      long wholeAtNs,
      int state) {
    static final Told NOTHING = new Told(-2, 0, 0, 0, 0, 0);

    /** What whoever checked the history before has published of it. */
    static Told byOthers(Grouping each) {
      return new Told(each.first().offset(), each.violations(), waveOf(each), 0, 0, 0);
    }

    /** Whether a cause is the one of which this was published. */
    boolean goesOn(Grouping cause) {
      return firstOffset == cause.first().offset() && cause.violations() >= violations;
    }

    /** How much of a cause was not published. */
    long fresh(Grouping cause) {
      return cause.violations() - (goesOn(cause) ? violations : 0);
    }

    /** Whether of an incident, or of its latest wave, nothing was published. */
    boolean isNew(IncidentReport incident) {
      return !goesOn(incident) || waveOf(incident) > wave;
    }

    /** What is published of a cause after this. */
    Told and(Grouping cause, boolean whole, long nowNs) {
      return new Told(
          cause.first().offset(),
          cause.violations(),
          whole ? waveOf(cause) : wave,
          whole ? cause.violations() : wholeViolations,
          whole ? nowNs : wholeAtNs,
          whole ? stateOf(cause) : state);
    }
  }

  private final Map<String, Told> told = new HashMap<>();
  private final Map<String, Told> telling = new HashMap<>();

  /** Violations at the look before this one: a cause that has not struck since is published. */
  private final Map<String, Long> seen = new HashMap<>();

  /** Of checkers that were given up, what they had found. */
  private final List<News> left = new ArrayList<>();

  /** How many causes and incidents there were at the last look. */
  private int looked;

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
    for (Grouping cause : all(checker)) {
      told.put(key(cause), Told.byOthers(cause));
    }
    announcing = true;
  }

  /**
   * The checker is given up for another one; what it has found and nobody told is kept.
   *
   * @param replaying whether what it has found was told before
   * @param end tells of an incident how it has ended by that; null if it may go on
   */
  void givenUp(Checker checker, boolean replaying, Function<IncidentReport, @Nullable End> end) {
    List<CauseReport> causes = checker.causes();
    for (Grouping each : replaying ? List.<Grouping>of() : all(checker)) {
      Told before = told.getOrDefault(key(each), Told.NOTHING);
      long fresh = before.fresh(each);
      if (each instanceof IncidentReport incident) {
        End ended = incident.end() == null ? end.apply(incident) : null;
        if (ended != null || fresh > 0) {
          IncidentReport last = ended == null ? incident : incident.ended(ended);
          left.add(new PublishedIncident(last, lead(last, causes), before.isNew(last)));
        }
      } else if (fresh > 0) {
        left.add(new PublishedCause((CauseReport) each, fresh, true));
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
  List<News> due(Checker checker, long nowNs) {
    List<News> due = new ArrayList<>(left);
    telling.clear();
    boolean all = true;
    List<CauseReport> causes = checker.causes();
    List<Grouping> found = all(checker);
    looked = found.size();
    for (Grouping cause : found) {
      Told before = told.getOrDefault(key(cause), Told.NOTHING);
      long fresh = before.fresh(cause);
      boolean whole = announcing || isWholeDue(before, cause, nowNs);
      Told after = before.and(cause, whole, nowNs);
      if (cause instanceof IncidentReport incident) {
        if (whole) {
          due.add(new PublishedIncident(incident, lead(incident, causes), before.isNew(incident)));
          telling.put(key(cause), after);
        }
      } else if (whole || fresh > 0) {
        due.add(new PublishedCause((CauseReport) cause, fresh, whole));
        telling.put(key(cause), after);
      }
      all &= after.wholeViolations == cause.violations();
      seen.put(key(cause), cause.violations());
    }
    tellingChanges = all ? checker.causeChanges() : -1;
    return due;
  }

  private boolean isWholeDue(Told before, Grouping cause, long nowNs) {
    if (!before.goesOn(cause) || before.state != stateOf(cause)) {
      return true;
    }
    boolean calm = Long.valueOf(cause.violations()).equals(seen.get(key(cause)));
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
    if (told.size() > 2 * looked + 1) {
      // Those that the checker has forgotten would come back with other numbers.
      List<String> known = all(checker).stream().map(CauseNews::key).toList();
      told.keySet().retainAll(known);
      seen.keySet().retainAll(known);
    }
  }

  /** The incidents, then the causes. */
  private static List<Grouping> all(Checker checker) {
    List<Grouping> all = new ArrayList<>(checker.incidents());
    all.addAll(checker.causes());
    return all;
  }

  private static String key(Grouping each) {
    return (each instanceof IncidentReport ? "incident " : "cause ") + each.id();
  }

  /** The first cause of an incident that is still known. */
  private static @Nullable CauseReport lead(IncidentReport incident, List<CauseReport> causes) {
    return causes.stream()
        .filter(cause -> incident.causes().contains(cause.id()))
        .min(Comparator.comparingInt((CauseReport cause) -> incident.causes().indexOf(cause.id())))
        .orElse(null);
  }

  private static int waveOf(Grouping each) {
    return each instanceof IncidentReport incident ? incident.wave().number() : 0;
  }

  private static int stateOf(Grouping each) {
    return each instanceof IncidentReport incident
        ? Objects.hash(
            incident.slot(),
            incident.wave().number(),
            incident.end() != null,
            incident.causeCount(),
            incident.culprits().size(),
            incident.mergedWith().size())
        : each.slot();
  }
}
