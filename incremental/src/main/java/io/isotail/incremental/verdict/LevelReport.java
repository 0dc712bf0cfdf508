package io.isotail.incremental.verdict;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.level.Verdict;
import java.util.Map;

/**
 * What is said of one level, in a live stream of the window, in a file of the whole run.
 *
 * @param verdict what is said
 * @param since of a pass: the last record that spoke against it; nothing violates the level among
 *     any W transactions that were delivered after it, W being the window. Of any other verdict:
 *     the record that brought it about
 * @param promised transactions that were promised the level or a stronger one
 * @param transactions all of them
 * @param doubts why the level is in doubt: how often each reason has come up since it did
 * @param overAfter how many transactions are to be delivered until what speaks against a pass has
 *     left the window, if nothing new comes: 0 for a pass; {@link #NEVER} in a file
 */
public record LevelReport(
    Verdict verdict,
    Moment since,
    long promised,
    long transactions,
    Map<UndecidedReason, Long> doubts,
    long overAfter) {

  /** As {@link #overAfter}: it stands for good. */
  public static final long NEVER = -1;

  /** Copies the map. */
  public LevelReport {
    doubts = Map.copyOf(doubts);
  }

  /** What a pass says of a weaker level: it holds, be it in doubt for itself. */
  LevelReport implying(LevelReport weaker) {
    return weaker.verdict == Verdict.PASS
        ? weaker
        : new LevelReport(Verdict.PASS, since, weaker.promised, weaker.transactions, Map.of(), 0);
  }
}
