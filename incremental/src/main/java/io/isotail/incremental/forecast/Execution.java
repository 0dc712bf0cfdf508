package io.isotail.incremental.forecast;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Origin;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that committed, as it ran.
 *
 * @param session id of the session that ran it
 * @param transaction its number in the session
 * @param service name of the application; null when not told
 * @param origin which code ran it; null when not told
 * @param ranAt the level that it ran at, as recorded; null when unknown
 * @param level what that promises; null when unknown
 * @param steps its statements that touched rows, in their order
 * @param unclear a statement of it that is not understood, which may lock or write anything; null
 *     if there is none
 */
public record Execution(
    long session,
    long transaction,
    @Nullable String service,
    @Nullable Origin origin,
    @Nullable String ranAt,
    @Nullable IsolationLevel level,
    List<Step> steps,
    @Nullable String unclear) {
  /** Copies the list. */
  public Execution {
    steps = List.copyOf(steps);
  }

  Behaviour behaviour() {
    return Behaviour.of(ranAt, level);
  }

  /** Route, action or place in the code; null when not told. */
  public @Nullable String endpoint() {
    return origin == null ? null : origin.endpoint();
  }

  boolean writes() {
    return steps.stream().anyMatch(Step::writes);
  }

  /**
   * The rows that it made without having looked for them: another execution of the same statements
   * makes rows of its own.
   */
  public Set<Long> ownRows() {
    Set<Long> seen = new HashSet<>();
    Set<Long> own = new HashSet<>();
    for (Step step : steps) {
      for (Touch touch : step.touches()) {
        if (seen.add(touch.key()) && touch.kind() == Touch.Kind.INSERT) {
          own.add(touch.key());
        }
      }
    }
    return own;
  }
}
