package io.isotail.incremental.explore;

import static io.isotail.incremental.explore.Frame.bit;

import io.isotail.incremental.level.IsolationLevel;
import java.util.Arrays;

/**
 * The level of each transaction of a program. They may differ: then there is one commit order, and
 * each read fulfils the axioms of the level of its own transaction ([3]).
 *
 * <p>[3] Bouajjani, Enea, Román-Calvo: On the Complexity of Checking Mixed Isolation Levels for SQL
 * Transactions, CAV 2025.
 */
final class Levels {
  private final IsolationLevel[] levels;

  /** Those whose level speaks of an order of the commits. */
  final int searched;

  /** Those whose begin, which reads, is told apart from their commit, which writes. */
  final int apart;

  /** Those that no other writer of their variables may overlap. */
  final int alone;

  private Levels(IsolationLevel[] levels) {
    this.levels = levels;
    int strong = 0;
    int two = 0;
    int exclusive = 0;
    for (int t = 1; t < levels.length; t++) {
      strong |= levels[t].isWeak() ? 0 : bit(t);
      if (levels[t].tellsBeginFromCommit()) {
        two |= bit(t);
        exclusive |= levels[t].overwritersMayOverlap() ? 0 : bit(t);
      }
    }
    this.searched = strong;
    this.apart = two;
    this.alone = exclusive;
  }

  /** What the transactions declare, and {@code others} for those that declare none. */
  static Levels of(SessionOrder sessions, IsolationLevel others) {
    IsolationLevel[] levels = new IsolationLevel[sessions.transactions + 1];
    levels[0] = others;
    for (int t = 1; t < levels.length; t++) {
      IsolationLevel own = sessions.declared(t).level();
      levels[t] = own == null ? others : own;
    }
    return new Levels(levels);
  }

  /** The level of a transaction. */
  IsolationLevel of(int transaction) {
    return levels[transaction];
  }

  /** Each level, or {@code most} where that is weaker. */
  Levels atMost(IsolationLevel most) {
    IsolationLevel[] weaker = levels.clone();
    Arrays.setAll(weaker, t -> levels[t].weakerOf(most));
    return new Levels(weaker);
  }

  /** Whether they are the same for all transactions but the initial one. */
  boolean sameAs(Levels other) {
    return Arrays.equals(levels, 1, levels.length, other.levels, 1, other.levels.length);
  }
}
