package io.isotail.monitor.offline;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.estimate.CommitOrder;
import io.isotail.incremental.estimate.Fit;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.verdict.LevelReport;
import io.isotail.ingest.format.HistoryFormat;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.ingest.format.TransactionConsumer;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One file through one checker. */
final class FileCheck implements AnomalyListener {
  private static final double NS_PER_SECOND = 1e9;
  private static final Comparator<CauseReport> MOST_FIRST =
      Comparator.comparingLong(CauseReport::violations).reversed().thenComparing(CauseReport::id);

  private final List<Anomaly> anomalies = new ArrayList<>();
  private final Map<String, Long> occurrences = new HashMap<>();

  private FileCheck() {}

  /**
   * What came out.
   *
   * @param verdicts of the levels asked for, weakest first
   * @param anomalies those that violate a level asked for, in the order found
   * @param occurrences of each anomaly's id that was observed more than once
   * @param causes those of a level asked for, the one with the most violations first
   * @param estimatedOrder whether the transactions were checked in an estimated order of commits
   */
  record Result(
      Path path,
      Map<IsolationLevel, Verdict> verdicts,
      List<Anomaly> anomalies,
      Map<String, Long> occurrences,
      List<CauseReport> causes,
      CheckerReport report,
      boolean estimatedOrder,
      double parseSeconds,
      double checkSeconds) {

    boolean failed() {
      return verdicts.containsValue(Verdict.FAIL);
    }

    boolean undecided() {
      return verdicts.containsValue(Verdict.UNDECIDED);
    }

    /**
     * Whether a level that was asked for was not decided.
     *
     * @param named those that were given by name, so that each one counts. Of the others those that
     *     nobody was promised do not, as long as one was checked, and {@code strict-serializable}
     *     does not where the file's times cannot show it
     */
    boolean undecided(Set<IsolationLevel> named) {
      Map<IsolationLevel, Verdict> counted = new EnumMap<>(IsolationLevel.class);
      counted.putAll(verdicts);
      if (!named.contains(IsolationLevel.STRICT_SERIALIZABLE) && isUntimed()) {
        counted.remove(IsolationLevel.STRICT_SERIALIZABLE);
      }
      boolean unchecked =
          named.isEmpty()
              ? counted.values().stream().allMatch(v -> v == Verdict.NOT_CHECKED)
              : named.stream().anyMatch(level -> counted.get(level) == Verdict.NOT_CHECKED);
      return unchecked || counted.containsValue(Verdict.UNDECIDED);
    }

    /** Whether the file has no times, or those of clocks that are not compared. */
    private boolean isUntimed() {
      LevelReport strict = report.levels().get(IsolationLevel.STRICT_SERIALIZABLE);
      long untimed = report.undecided().getOrDefault(UndecidedReason.NO_TIMES, 0L);
      return strict != null
          && (untimed == report.transactions()
              || strict.doubts().keySet().equals(Set.of(UndecidedReason.CLOCKS_NOT_COMPARED)));
    }

    long occurrencesOf(Anomaly anomaly) {
      return occurrences.getOrDefault(anomaly.id(), 1L);
    }
  }

  /**
   * Checks a file as it streams by. If it then turns out to share versions between transactions, or
   * to delete keys, or to hold writers that were promised less than others, where the configuration
   * rules that out, it is checked once more without that assumption: verdicts must not depend on
   * the order of the lines. If its lines have no times and stand in another order than the commits,
   * it is read whole and checked in an estimated order.
   */
  static Result run(
      Path path,
      HistoryFormat format,
      CheckerConfig config,
      Set<IsolationLevel> wanted,
      Progress progress)
      throws IOException, HistoryFormatException {
    return run(path, format, config, wanted, progress, Lines.JUDGED);
  }

  /** Checks a file in the order of its lines, even if that is no order of commits. */
  static Result inOrderOfLines(
      Path path,
      HistoryFormat format,
      CheckerConfig config,
      Set<IsolationLevel> wanted,
      Progress progress)
      throws IOException, HistoryFormatException {
    return run(path, format, config, wanted, progress, Lines.AS_THEY_COME);
  }

  private static Result run(
      Path path,
      HistoryFormat format,
      CheckerConfig config,
      Set<IsolationLevel> wanted,
      Progress progress,
      Lines asked)
      throws IOException, HistoryFormatException {
    Lines lines = asked;
    Attempt attempt;
    try {
      attempt = attempt(path, format, config, wanted, progress, lines);
      lines = Lines.AS_THEY_COME;
    } catch (DisorderedException e) {
      progress.restart();
      lines = Lines.PUT_IN_ORDER;
      attempt = attempt(path, format, config, wanted, progress, lines);
    }
    boolean unique = config.uniqueVersions() && attempt.checker.versionsAreUnique();
    boolean deletes = config.deletes() || attempt.checker.keysAreDeleted();
    boolean outsiders = config.outsiders() || attempt.checker.anyOutsiderWrites();
    if (unique == config.uniqueVersions()
        && deletes == config.deletes()
        && outsiders == config.outsiders()) {
      return attempt.result;
    }
    CheckerConfig careful =
        config.withUniqueVersions(unique).withDeletes(deletes).withOutsiders(outsiders);
    if (outsiders && config.closed()) {
      // Who overwrites what it has not read waits until all have come who may have written before.
      careful = careful.withPending(Integer.MAX_VALUE);
    }
    return attempt(path, format, careful, wanted, progress, lines).result;
  }

  /** In which order the lines of a file are checked. */
  private enum Lines {
    AS_THEY_COME,
    /** As they come, until that is seen to be no order of commits. */
    JUDGED,
    /** In an estimated order, once all have been read. */
    PUT_IN_ORDER
  }

  /** The lines stand in another order than the commits. */
  private static final class DisorderedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DisorderedException() {
      super("the lines stand in another order than the commits", null, false, false);
    }
  }

  /** One pass over the file. */
  private record Attempt(Checker checker, Result result) {}

  private static Attempt attempt(
      Path path,
      HistoryFormat format,
      CheckerConfig config,
      Set<IsolationLevel> wanted,
      Progress progress,
      Lines order)
      throws IOException, HistoryFormatException {
    Pass pass = new Pass(config, progress, order);
    BackgroundReader.Times times = BackgroundReader.read(path, format, pass);
    progress.allRead();
    long beforeNs = System.nanoTime();
    pass.finish();
    CheckerReport report = pass.checker.report();
    long checkNs = times.consumeNs() + System.nanoTime() - beforeNs;
    progress.done();
    return new Attempt(
        pass.checker,
        pass.check.result(
            path,
            wanted,
            pass.checker.causes(),
            report,
            pass.isPutInOrder(),
            times.parseNs() / NS_PER_SECOND,
            checkNs / NS_PER_SECOND));
  }

  /** The checker that the file streams into; a new one when the reader starts again. */
  private static final class Pass implements TransactionConsumer {
    /** A file of more is checked as it comes: it is not held a second time. */
    private static final int MOST_OPERATIONS = 1 << 25;

    private final CheckerConfig config;
    private final Progress progress;
    private final Lines order;

    /** Lines and transactions that are to be put in order before they are checked. */
    private final LongArrayList lines = new LongArrayList();

    private final List<TransactionRecord> held = new ArrayList<>();
    private long operations;

    /** How well the order of the lines fits; null if nothing else will be tried. */
    private @Nullable Fit fit;

    private long timed;
    private long seen;
    FileCheck check;
    Checker checker;

    Pass(CheckerConfig config, Progress progress, Lines order) {
      this.config = config;
      this.progress = progress;
      this.order = order;
      this.fit = fit();
      this.check = new FileCheck();
      this.checker = new Checker(config, check);
    }

    /** Weak levels guess nothing, and in a window what is late is not there any more. */
    private @Nullable Fit fit() {
      return order == Lines.JUDGED
              && config.windowTransactions() == Integer.MAX_VALUE
              && config.strongest().atLeast(IsolationLevel.PREFIX)
          ? new Fit()
          : null;
    }

    boolean isPutInOrder() {
      return order == Lines.PUT_IN_ORDER && operations <= MOST_OPERATIONS;
    }

    @Override
    public void accept(long line, TransactionRecord transaction) {
      operations += transaction.operations().size();
      if (isPutInOrder()) {
        lines.add(line);
        held.add(transaction);
        return;
      }
      checkHeld();
      check(line, transaction);
      if (fit != null) {
        fit.add(transaction);
        seen++;
        timed += transaction.endNs() == TransactionRecord.NO_TIME ? 0 : 1;
        if (fit.isPoor() && timed < seen / 2) {
          throw new DisorderedException();
        }
      }
    }

    private void check(long line, TransactionRecord transaction) {
      checker.accept(line, 0, transaction);
      progress.step();
    }

    /** Checks what is held, as it came. */
    private void checkHeld() {
      for (int i = 0; i < held.size(); i++) {
        check(lines.getLong(i), held.get(i));
      }
      held.clear();
      lines.clear();
    }

    /** All has been read. */
    void finish() {
      int[] places = CommitOrder.of(held);
      for (int place : places) {
        check(lines.getLong(place), held.get(place));
      }
      checker.finish();
    }

    @Override
    public void readBytes(long bytes) {
      progress.readBytes(bytes);
    }

    @Override
    public void restart() {
      check = new FileCheck();
      checker = new Checker(config, check);
      fit = fit();
      timed = 0;
      seen = 0;
      operations = 0;
      held.clear();
      lines.clear();
      progress.restart();
    }
  }

  @Override
  public void found(Anomaly anomaly) {
    anomalies.add(anomaly);
  }

  @Override
  public void repeated(String id, long count) {
    occurrences.put(id, count);
  }

  private Result result(
      Path path,
      Set<IsolationLevel> wanted,
      List<CauseReport> causes,
      CheckerReport report,
      boolean estimatedOrder,
      double parseSeconds,
      double checkSeconds) {
    Map<IsolationLevel, Verdict> verdicts = new EnumMap<>(IsolationLevel.class);
    for (IsolationLevel level : wanted) {
      verdicts.put(level, report.verdicts().getOrDefault(level, Verdict.UNDECIDED));
    }
    List<Anomaly> relevant =
        anomalies.stream()
            .filter(a -> wanted.stream().anyMatch(level -> level.atLeast(a.level())))
            .toList();
    List<CauseReport> worst =
        causes.stream()
            .filter(cause -> wanted.stream().anyMatch(level -> level.atLeast(cause.level())))
            .sorted(MOST_FIRST)
            .toList();
    return new Result(
        path,
        verdicts,
        relevant,
        occurrences,
        worst,
        report,
        estimatedOrder,
        parseSeconds,
        checkSeconds);
  }
}
