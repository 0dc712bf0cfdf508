package io.isotail.monitor.offline;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.judge.Judge;
import io.isotail.incremental.judge.Judgement;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.format.HistoryFormat;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.ingest.format.TransactionConsumer;
import io.isotail.monitor.terminal.Paint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A file as the judge sees it, from the definitions alone; no checker is run. */
final class JudgedFile {
  /** The judge's work grows with the square of the transactions, and faster. */
  static final int MOST_TRANSACTIONS = 1_000;

  private final Path path;
  private final int transactions;
  private final Map<IsolationLevel, Answer> answers = new EnumMap<>(IsolationLevel.class);

  private JudgedFile(Path path, int transactions) {
    this.path = path;
    this.transactions = transactions;
  }

  /** What the judge says of one level. */
  private enum Word {
    VIOLATED("violated"),
    ACCEPTED("accepted"),
    NOT_CONFIRMED("not confirmed");

    private final String text;

    Word(String text) {
      this.text = text;
    }
  }

  private record Answer(Word word, String how) {}

  private static final Answer NO_TIMES =
      new Answer(
          Word.NOT_CONFIRMED,
          "not all transactions have times, or those of clocks that are compared");

  /** Whether the real-time order of all that committed is known. */
  private static boolean areOrdered(List<CapsuleTransaction> capsule, long clockUncertaintyNs) {
    Set<String> clocks = new HashSet<>();
    for (CapsuleTransaction t : capsule) {
      String clock = t.times().clock();
      if (t.outcome() == Outcome.COMMITTED) {
        if (!t.times().orderable() || !t.times().hasEnd() || clock == null) {
          return false;
        }
        clocks.add(clock);
      }
    }
    return clocks.size() < 2 || clockUncertaintyNs != CheckerConfig.NEVER_COMPARED;
  }

  /** Reads the file and judges it at each level. */
  static JudgedFile judge(
      Path path, HistoryFormat format, Set<IsolationLevel> levels, long clockUncertaintyNs)
      throws IOException, HistoryFormatException {
    Collected collected = new Collected();
    format.read(path, collected);
    List<CapsuleTransaction> capsule = collected.capsule;
    if (capsule.size() > MOST_TRANSACTIONS) {
      throw new IOException(
          "%s: more than %,d transactions; expected a capsule: --judge takes no more"
              .formatted(path, MOST_TRANSACTIONS));
    }
    JudgedFile judged = new JudgedFile(path, capsule.size());
    for (IsolationLevel level : levels) {
      Answer answer = answer(new Judge(level, clockUncertaintyNs), level, capsule);
      boolean timeless =
          level.followsRealTime()
              && answer.word == Word.ACCEPTED
              && !areOrdered(capsule, clockUncertaintyNs);
      judged.answers.put(level, timeless ? NO_TIMES : answer);
    }
    return judged;
  }

  /** The transactions, as many as are looked at. */
  private static final class Collected implements TransactionConsumer {
    private final List<CapsuleTransaction> capsule = new ArrayList<>();

    @Override
    public void accept(long line, TransactionRecord t) {
      if (capsule.size() > MOST_TRANSACTIONS) {
        return;
      }
      capsule.add(CapsuleTransaction.of(t, line));
    }

    @Override
    public void restart() {
      capsule.clear();
    }
  }

  private static Answer answer(
      Judge judge, IsolationLevel level, List<CapsuleTransaction> capsule) {
    if (capsule.isEmpty()) {
      return new Answer(Word.NOT_CONFIRMED, "nothing to judge");
    }
    Judgement judgement = judge.judge(capsule);
    Optional<Boolean> tried = judge.triesAll(capsule);
    boolean weak = level.isWeak();
    if (judgement instanceof Judgement.Violated violated && tried.orElse(true)) {
      return new Answer(Word.VIOLATED, proof(violated.proof()) + (weak ? "" : tried(tried)));
    }
    if (judgement instanceof Judgement.Accepted && !tried.orElse(false)) {
      return new Answer(
          Word.ACCEPTED, weak ? "no cycle" : "a schedule was run that satisfies it" + tried(tried));
    }
    String why =
        tried.isPresent()
            ? "the judge's second opinion differs: a defect of isotail, please report it"
            : "more than %d transactions, and neither a proof nor a schedule was found in time"
                .formatted(Judge.MOST_TRIED_TRANSACTIONS);
    return new Answer(Word.NOT_CONFIRMED, why);
  }

  private static String proof(Proof proof) {
    if (proof instanceof Proof.BadRead) {
      return "a read is bad in itself";
    }
    int cases = proof.cycles().size();
    return cases == 1
        ? "a cycle was checked"
        : "a cycle in each of %d cases was checked".formatted(cases);
  }

  private static String tried(Optional<Boolean> tried) {
    return tried.isPresent() ? "; trying every schedule says the same" : "";
  }

  boolean violated() {
    return answers.values().stream().anyMatch(answer -> answer.word == Word.VIOLATED);
  }

  /**
   * Whether a level was neither violated nor accepted. One that the file's times cannot show does
   * not count unless it is one of those that were asked for by name.
   */
  boolean notConfirmed(Set<IsolationLevel> named) {
    for (Map.Entry<IsolationLevel, Answer> entry : answers.entrySet()) {
      boolean counts = !entry.getValue().equals(NO_TIMES) || named.contains(entry.getKey());
      if (counts && entry.getValue().word == Word.NOT_CONFIRMED) {
        return true;
      }
    }
    return false;
  }

  /** For people. */
  String text(Paint paint) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%s: %,d transactions, judged from the definitions as an open history%n"
            .formatted(path, transactions));
    answers.forEach(
        (level, answer) ->
            text.append(
                "  %-20s %s (%s)%n".formatted(level, painted(answer.word, paint), answer.how)));
    return text.toString();
  }

  private static String painted(Word word, Paint paint) {
    return switch (word) {
      case VIOLATED -> paint.bad(word.text);
      case ACCEPTED -> paint.good(word.text);
      case NOT_CONFIRMED -> paint.doubtful(word.text);
    };
  }

  /** One object. */
  String json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("path", path.toString()).put("transactions", transactions);
    ObjectNode judged = json.putObject("judged");
    answers.forEach((level, answer) -> judged.put(level.label(), answer.word.text));
    return json.toString();
  }
}
