package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run that keeps a window must have seen: for each level, whether the transactions that the
 * window held at some moment violate it by themselves, cut out as an open history.
 */
final class Cuts {
  private final Map<List<Long>, TransactionRecord> originals = new HashMap<>();
  private final long uncertaintyNs;
  private final Map<IsolationLevel, Boolean> violated = new EnumMap<>(IsolationLevel.class);

  /**
   * Looks at runs over {@code history}, however it is damaged on the way.
   *
   * @param uncertaintyNs see {@link NaiveChecker#satisfies}
   */
  Cuts(List<TransactionRecord> history, long uncertaintyNs) {
    this.uncertaintyNs = uncertaintyNs;
    history.forEach(t -> originals.put(List.of(t.session().id(), t.transaction()), t));
  }

  /** A whole run over records as they are. */
  static Cuts of(CheckRun run, List<? extends StreamRecord> stream, Cuts cuts) {
    for (StreamRecord record : stream) {
      run.accept(0, record);
      cuts.look(run);
    }
    run.finish();
    cuts.look(run);
    return cuts;
  }

  /** Looks at what the window holds now; says which levels it violates. */
  Map<IsolationLevel, Boolean> look(CheckRun run) {
    List<NaiveChecker.Input> cut = new ArrayList<>();
    for (Transaction t : run.checker.delivered()) {
      if (t.uncaptured()) {
        cut.add(
            new NaiveChecker.Input(
                1_000_000 + cut.size(), 0, Outcome.COMMITTED, Times.NONE, t.operations));
        continue;
      }
      TransactionRecord original = originals.get(List.of(t.session.info.id(), t.number));
      NaiveChecker.Input input = NaiveChecker.Input.of(original);
      cut.add(
          new NaiveChecker.Input(
              input.session(),
              original.sequence(),
              Outcome.COMMITTED,
              input.times(),
              input.operations()));
    }
    Map<IsolationLevel, Boolean> now = new EnumMap<>(IsolationLevel.class);
    for (IsolationLevel level : run.report.verdicts().keySet()) {
      boolean violates = !NaiveChecker.satisfies(cut, level, false, uncertaintyNs);
      now.put(level, violates);
      violated.merge(level, violates, Boolean::logicalOr);
    }
    return now;
  }

  /**
   * A file's verdict is fail only if the whole history violates the level, and pass only if no cut
   * does; anything else has a reason.
   */
  void justify(CheckRun run, IsolationLevel level, boolean satisfied, String message) {
    Verdict verdict = run.report.verdicts().get(level);
    if (satisfied) {
      assertThat(verdict).as(message).isNotEqualTo(Verdict.FAIL);
    }
    if (violated.getOrDefault(level, false)) {
      assertThat(verdict).as(message).isNotEqualTo(Verdict.PASS);
    }
    if (verdict == Verdict.UNDECIDED) {
      assertThat(run.report.levels().get(level).doubts())
          .as(message)
          .isNotEmpty()
          .doesNotContainKey(UndecidedReason.TRUNCATED);
    }
  }
}
