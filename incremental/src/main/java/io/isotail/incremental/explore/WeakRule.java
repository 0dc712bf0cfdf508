package io.isotail.incremental.explore;

import static io.isotail.incremental.explore.Frame.bit;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Observed;

/**
 * Levels that speak of no commit order ({@link IsolationLevel#isWeak}), asked of prefixes: keeps
 * {@link Frame#before} closed while reads are added, and says when that closes a cycle.
 *
 * <p>A transaction that reads a variable from another one demands that all others commit before the
 * latter which wrote the variable too and which the reader's level takes to be observed ({@link
 * Observed}).
 *
 * <p>A mix of weak levels is prefix-closed and causally extensible as each of them is ([1] Section
 * 3): what a read demands is a function of the past of its transaction and of its own level, and a
 * read from the latest writer that this level takes to be observed demands nothing new of others.
 */
final class WeakRule {
  private final Observed[] observed;

  /**
   * Rules of so many transactions.
   *
   * @param levels of which each is weak
   */
  WeakRule(Levels levels, int transactions) {
    this.observed = new Observed[transactions + 1];
    for (int t = 1; t <= transactions; t++) {
      if (!levels.of(t).isWeak()) {
        throw new IllegalArgumentException(levels.of(t) + " is no weak level");
      }
      observed[t] = levels.of(t).observed();
    }
  }

  /**
   * Adds what a read of {@code reader} demands, and to {@link Frame#past} what it makes happen
   * before. The read is in the frame, and those before it were added.
   *
   * @param read its index
   * @param earlier the transactions before the reader in session order
   * @return whether the history still satisfies the level
   */
  boolean addRead(Frame frame, int reader, int read, int earlier) {
    byte[] sources = frame.sources[reader];
    int[] variables = frame.step(reader).reads;
    int writer = sources[read];
    int pastOfWriter = frame.past[writer] | bit(writer);
    int added = pastOfWriter & ~frame.past[reader];
    frame.past[reader] |= added;
    int observedNow =
        switch (observed[reader]) {
          case READ_FROM_BEFORE -> sourcesBefore(sources, read);
          case SESSION_OR_READ_FROM -> sourcesBefore(sources, read) | earlier;
          case HAPPENS_BEFORE, BY_COMMIT_ORDER -> frame.past[reader];
        };
    if (!demand(frame, observedNow, variables[read], writer)) {
      return false;
    }
    int observedLater =
        switch (observed[reader]) {
          case READ_FROM_BEFORE -> 0;
          case SESSION_OR_READ_FROM -> bit(writer);
          case HAPPENS_BEFORE, BY_COMMIT_ORDER -> added;
        };
    long written = readableBits(frame, observedLater);
    for (int i = 0; written != 0 && i < read; i++) {
      boolean mayBeWritten = (written & Step.bitOf(variables[i])) != 0;
      if (mayBeWritten && !demand(frame, observedLater, variables[i], sources[i])) {
        return false;
      }
    }
    frame.before[reader] |= frame.before[writer] | bit(writer);
    return true;
  }

  /**
   * The writers among {@code writers} from which the next read of the transaction under way may
   * read, as far as that is seen without adding it: none that another one overwrites which the read
   * observes.
   */
  int candidates(Frame frame, int earlier, int writers) {
    int reader = frame.last();
    byte[] sources = frame.sources[reader];
    int candidates = 0;
    for (int rest = writers; rest != 0; rest &= rest - 1) {
      int writer = Integer.numberOfTrailingZeros(rest);
      int seen =
          switch (observed[reader]) {
            case READ_FROM_BEFORE -> sourcesBefore(sources, sources.length);
            case SESSION_OR_READ_FROM -> sourcesBefore(sources, sources.length) | earlier;
            case HAPPENS_BEFORE, BY_COMMIT_ORDER -> frame.past[reader] | frame.past[writer];
          };
      boolean overwritten = false;
      for (int others = seen & writers & ~bit(writer); others != 0; others &= others - 1) {
        int other = Integer.numberOfTrailingZeros(others);
        overwritten |= (frame.before[other] & bit(writer)) != 0;
      }
      candidates |= overwritten ? 0 : bit(writer);
    }
    return candidates;
  }

  /** Of transactions but the initial one, which all others follow anyway. */
  private static long readableBits(Frame frame, int transactions) {
    long bits = 0;
    for (int rest = transactions & ~1; rest != 0; rest &= rest - 1) {
      bits |= frame.step(Integer.numberOfTrailingZeros(rest)).readableBits();
    }
    return bits;
  }

  private static int sourcesBefore(byte[] sources, int end) {
    int before = 0;
    for (int i = 0; i < end; i++) {
      before |= bit(sources[i]);
    }
    return before;
  }

  /** All of {@code observed} that write the variable commit before {@code writer}. */
  private static boolean demand(Frame frame, int observed, int variable, int writer) {
    int target = bit(writer);
    int added = 0;
    for (int rest = observed & ~target; rest != 0; rest &= rest - 1) {
      int other = Integer.numberOfTrailingZeros(rest);
      if (frame.writes(other, variable)) {
        if ((frame.before[other] & target) != 0) {
          return false;
        }
        added |= frame.before[other] | bit(other);
      }
    }
    if ((added & ~frame.before[writer]) == 0) {
      return true;
    }
    frame.before[writer] |= added;
    for (int rest = frame.present & ~target; rest != 0; rest &= rest - 1) {
      int later = Integer.numberOfTrailingZeros(rest);
      if ((frame.before[later] & target) != 0) {
        frame.before[later] |= added;
      }
    }
    return true;
  }
}
