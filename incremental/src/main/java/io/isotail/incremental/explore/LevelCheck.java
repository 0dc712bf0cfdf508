package io.isotail.incremental.explore;

import io.isotail.incremental.level.IsolationLevel;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether whole histories satisfy levels: what weak levels demand is a relation, which must have no
 * cycle ({@link WeakRule}); what the others demand is searched for an order ({@link CommitSearch}).
 */
final class LevelCheck {
  /** Finds what the weak levels demand; null if the histories come with it. */
  private final @Nullable Extension demands;

  private final CommitSearch search;
  private @Nullable Limit limit;

  /**
   * A check of the histories of one exploration.
   *
   * @param explored the levels that they satisfy
   * @param wanted the levels that are asked for
   */
  LevelCheck(SessionOrder sessions, Steps steps, Levels explored, Levels wanted) {
    Levels weak = wanted.atMost(IsolationLevel.strongestWeak());
    this.demands =
        weak.sameAs(explored)
            ? null
            : new Extension(sessions, steps, new WeakRule(weak, sessions.transactions));
    this.search = new CommitSearch(sessions, wanted);
  }

  /** Asks from now on whether to go on, every now and then. */
  void limit(BooleanSupplier goOn) {
    search.limit(goOn);
  }

  /** Why the last question was left without an answer; null if it has one. */
  @Nullable Limit limit() {
    return limit;
  }

  /**
   * An order of commits as by {@link CommitSearch#order}; null if the levels forbid the history.
   */
  int @Nullable [] order(Frame frame) {
    Frame demanded = demands == null ? frame : demands.repeated(frame);
    int @Nullable [] order = demanded == null ? null : search.order(demanded);
    limit = demanded == null ? null : search.limit();
    return order;
  }
}
