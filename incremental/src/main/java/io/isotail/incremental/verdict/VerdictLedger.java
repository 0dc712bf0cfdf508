package io.isotail.incremental.verdict;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Window;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What speaks against a pass at each level: violations, doubts, and transactions that were promised
 * less.
 *
 * <p>The verdict of a live stream speaks of its window: pass means that nothing violates the level
 * among any W consecutive transactions. So what was found stands until the window has passed it,
 * and a pass carries the moment since when it holds. A file's verdict is the worst of the run.
 *
 * <p>An edge that led out of the window is no doubt: what it may have shown lies farther apart than
 * the window is wide.
 */
public final class VerdictLedger {
  private static final IsolationLevel[] LEVELS = IsolationLevel.values();
  private static final UndecidedReason[] REASONS = UndecidedReason.values();

  private final CheckerConfig config;
  private final Window window;

  /** Whether what was found stands for good. */
  private final boolean forGood;

  /** By the weakest level that was violated. */
  private final Finding[] violations = new Finding[LEVELS.length];

  /** By the level and the reason: doubts of it and of every weaker level. */
  private final Finding[][] doubtsUpTo = new Finding[LEVELS.length][REASONS.length];

  /** By the level and the reason: doubts of it alone. */
  private final Finding[][] doubtsAt = new Finding[LEVELS.length][REASONS.length];

  /** Promise of a transaction that was promised no level at all. */
  private static final int NOTHING = LEVELS.length;

  /** By promise: delivered transactions. */
  private final Finding[] delivered = new Finding[LEVELS.length + 1];

  /** By promise: how many of these count now. */
  private final long[] promised = new long[LEVELS.length + 1];

  /** By reason: how often it has come up since the beginning. */
  private final long[] undecided = new long[REASONS.length];

  private long offset = Moment.START.offset();
  private long appendTimeMs;

  /** Nothing was found yet. */
  public VerdictLedger(CheckerConfig config, Window window) {
    this.config = config;
    this.window = window;
    this.delivered[NOTHING] = new Finding();
    this.forGood = !config.live();
    for (int level = 0; level < LEVELS.length; level++) {
      violations[level] = new Finding();
      delivered[level] = new Finding();
      for (int reason = 0; reason < REASONS.length; reason++) {
        doubtsUpTo[level][reason] = new Finding();
        doubtsAt[level][reason] = new Finding();
      }
    }
  }

  /** The record that is being taken; what is found is found at it. */
  public void at(long recordOffset, long recordAppendTimeMs) {
    offset = recordOffset;
    appendTimeMs = recordAppendTimeMs;
  }

  /** The record that is being taken. */
  public Moment now() {
    return new Moment(offset, appendTimeMs);
  }

  /** A committed transaction is delivered, as the last of the window. */
  public void delivered(Transaction t) {
    find(delivered[promise(t)]);
    promised[promise(t)]++;
  }

  private int promise(Transaction t) {
    return config.promisesNothing(t.ranAt) ? NOTHING : t.promise.ordinal();
  }

  /** A committed transaction that was delivered leaves the window. */
  public void left(Transaction t) {
    if (!forGood) {
      promised[promise(t)]--;
    }
  }

  /** A level is violated, and no weaker one. */
  public void violated(IsolationLevel level) {
    find(violations[level.ordinal()]);
  }

  /** What was told before its transactions were delivered is there with the one delivered last. */
  public void stillViolated(IsolationLevel level) {
    Finding violation = violations[level.ordinal()];
    if (violation.ever() && violation.stands(stillStands())) {
      violation.goOn(latestPlace());
    }
  }

  /** A read of {@code reader} could not be decided. */
  public void undecidedRead(Transaction reader, UndecidedReason reason) {
    undecided[reason.ordinal()]++;
    if (reason != UndecidedReason.TRUNCATED) {
      doubtAbout(reader, reason);
    }
  }

  /**
   * Something that a transaction did is not known. What it wrote matters up to {@code causal}
   * whatever it was promised; from {@code prefix} on it matters up to its promise.
   */
  public void doubtAbout(Transaction t, UndecidedReason reason) {
    IsolationLevel promise = t.promise;
    doubtUpTo(promise.atLeast(IsolationLevel.CAUSAL) ? promise : IsolationLevel.CAUSAL, reason);
  }

  /** Something is not known that may matter at every level. */
  public void doubtEverywhere(UndecidedReason reason) {
    doubtUpTo(LEVELS[LEVELS.length - 1], reason);
  }

  /** A doubt of every level goes on: what it is about may still be delivered. */
  public void stillInDoubt(UndecidedReason reason) {
    doubtsUpTo[LEVELS.length - 1][reason.ordinal()].goOn(latestPlace());
  }

  private void doubtUpTo(IsolationLevel level, UndecidedReason reason) {
    find(doubtsUpTo[level.ordinal()][reason.ordinal()]);
  }

  /** Something could not be decided that may matter at every level. */
  public void undecidedEverywhere(UndecidedReason reason) {
    undecided[reason.ordinal()]++;
    doubtEverywhere(reason);
  }

  /** Something could not be decided at the levels from one to another. */
  public void undecided(IsolationLevel from, IsolationLevel to, UndecidedReason reason) {
    undecided[reason.ordinal()]++;
    doubt(from, to, reason);
  }

  /** The levels from one to another are in doubt; nothing of its own is undecided. */
  public void doubt(IsolationLevel from, IsolationLevel to, UndecidedReason reason) {
    for (int level = from.ordinal(); level <= to.ordinal(); level++) {
      find(doubtsAt[level][reason.ordinal()]);
    }
  }

  private void find(Finding finding) {
    finding.found(latestPlace(), stillStands(), offset, appendTimeMs);
  }

  /** Place of the transaction that was delivered last; of an empty window, that of the next one. */
  private long latestPlace() {
    return Math.max(window.lastPlace(), window.oldestPlace());
  }

  /** Place from which on what was found stands. */
  private long stillStands() {
    return forGood ? 0 : window.oldestPlace();
  }

  /** How often each reason has come up since the beginning. */
  public Map<UndecidedReason, Long> undecided() {
    Map<UndecidedReason, Long> counts = new EnumMap<>(UndecidedReason.class);
    for (UndecidedReason reason : REASONS) {
      if (undecided[reason.ordinal()] > 0) {
        counts.put(reason, undecided[reason.ordinal()]);
      }
    }
    return counts;
  }

  /** The weakest level that was violated since the window's oldest transaction, or null. */
  public @Nullable IsolationLevel violatedInWindow() {
    for (IsolationLevel level : LEVELS) {
      if (violations[level.ordinal()].stands(window.oldestPlace())) {
        return level;
      }
    }
    return null;
  }

  /**
   * What is said of each level up to {@code strongest}.
   *
   * @param windowTransactions how many delivered transactions the window may hold
   */
  public Map<IsolationLevel, LevelReport> reports(
      IsolationLevel strongest, int windowTransactions) {
    long room = (long) windowTransactions - window.size();
    Map<IsolationLevel, LevelReport> reports = new EnumMap<>(IsolationLevel.class);
    LevelReport report = report(strongest, room);
    reports.put(strongest, report);
    for (int level = strongest.ordinal() - 1; level >= 0; level--) {
      LevelReport weaker = report(LEVELS[level], room);
      report = report.verdict() == Verdict.PASS ? report.implying(weaker) : weaker;
      reports.put(LEVELS[level], report);
    }
    return reports;
  }

  /**
   * What is said of a level.
   *
   * @param room how many more transactions the window may hold
   */
  private LevelReport report(IsolationLevel level, long room) {
    long all = promised[NOTHING];
    long count = 0;
    for (IsolationLevel promise : LEVELS) {
      all += promised[promise.ordinal()];
      count += promise.atLeast(level) ? promised[promise.ordinal()] : 0;
    }
    Scan scan = new Scan(stillStands(), room);
    for (int weaker = 0; weaker <= level.ordinal(); weaker++) {
      scan.look(violations[weaker]);
    }
    if (scan.standing) {
      return scan.report(Verdict.FAIL, count, all, Map.of());
    }
    scan.look(delivered[NOTHING]);
    for (int weaker = 0; weaker < level.ordinal(); weaker++) {
      scan.look(delivered[weaker]);
    }
    Scan doubtful = new Scan(stillStands(), room);
    Map<UndecidedReason, Long> doubts = new EnumMap<>(UndecidedReason.class);
    for (UndecidedReason reason : REASONS) {
      long found = doubtful.count(doubtsAt[level.ordinal()][reason.ordinal()]);
      for (int up = level.ordinal(); up < LEVELS.length; up++) {
        found += doubtful.count(doubtsUpTo[up][reason.ordinal()]);
      }
      if (found > 0) {
        doubts.put(reason, found);
      }
    }
    if (count < all || (all == 0 && !doubtful.standing)) {
      return scan.report(Verdict.NOT_CHECKED, count, all, doubts);
    }
    doubtful.alsoPast(scan);
    return doubtful.report(
        doubtful.standing ? Verdict.UNDECIDED : Verdict.PASS, count, all, doubts);
  }

  /** Looks at findings for whether any stands, since when, and which was the last. */
  private final class Scan {
    private final long oldest;
    private final long room;
    private long latest = -1;
    private boolean standing;
    private Moment since = Moment.START;
    private Moment past = Moment.START;

    Scan(long oldest, long room) {
      this.oldest = oldest;
      this.room = room;
    }

    void look(Finding finding) {
      if (!finding.ever()) {
        return;
      }
      if (finding.stands(oldest)) {
        since = standing ? earlier(since, finding.first()) : finding.first();
        standing = true;
        latest = Math.max(latest, finding.place());
      }
      past = later(past, finding.last());
    }

    long count(Finding finding) {
      look(finding);
      return finding.ever() && finding.stands(oldest) ? finding.count() : 0;
    }

    void alsoPast(Scan other) {
      past = later(past, other.past);
    }

    LevelReport report(
        Verdict verdict, long promised, long all, Map<UndecidedReason, Long> doubts) {
      long overAfter =
          !standing ? 0 : forGood ? LevelReport.NEVER : Math.max(1, latest - oldest + 1 + room);
      return new LevelReport(verdict, standing ? since : past, promised, all, doubts, overAfter);
    }

    private static Moment earlier(Moment a, Moment b) {
      return a.offset() <= b.offset() ? a : b;
    }

    private static Moment later(Moment a, Moment b) {
      return a.offset() >= b.offset() ? a : b;
    }
  }

  /** Saves all that was found. */
  public void save(StateWriter out) {
    for (int level = 0; level < LEVELS.length; level++) {
      violations[level].save(out);
      delivered[level].save(out);
      for (int reason = 0; reason < REASONS.length; reason++) {
        doubtsUpTo[level][reason].save(out);
        doubtsAt[level][reason].save(out);
      }
    }
    delivered[NOTHING].save(out);
    out.numbers(promised);
    out.numbers(undecided);
    out.number(offset);
    out.number(appendTimeMs);
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    for (int level = 0; level < LEVELS.length; level++) {
      violations[level].load(in);
      delivered[level].load(in);
      for (int reason = 0; reason < REASONS.length; reason++) {
        doubtsUpTo[level][reason].load(in);
        doubtsAt[level][reason].load(in);
      }
    }
    delivered[NOTHING].load(in);
    System.arraycopy(in.numbers(), 0, promised, 0, promised.length);
    System.arraycopy(in.numbers(), 0, undecided, 0, undecided.length);
    offset = in.number();
    appendTimeMs = in.number();
  }
}
