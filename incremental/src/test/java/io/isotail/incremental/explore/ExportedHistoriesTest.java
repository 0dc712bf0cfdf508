package io.isotail.incremental.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.explore.verdict.ExploredWitness;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What the checker says of an exported history is what the exploration says of its committed
 * transactions. The exploration asks levels of what an aborted transaction has read too, and the
 * checker does not: there, and nowhere else, the checker passes a history that a level forbids.
 */
final class ExportedHistoriesTest {
  private static final int PROGRAMS = Integer.getInteger("isotail.programs", 700) / 4;
  private static final long SEED = Long.getLong("isotail.seed", 20_261_124L);
  private static final int HISTORIES_OF_EACH = 50;
  private static final CheckerConfig CONFIG =
      CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE);
  private static final List<IsolationLevel> LEVELS =
      Arrays.stream(IsolationLevel.values()).filter(level -> !level.followsRealTime()).toList();

  private long histories;
  private long withAborts;
  private long onlyByAborted;

  @Test
  void randomProgramsWithAborts() {
    for (int i = 0; i < PROGRAMS; i++) {
      long seed = SEED + i;
      String text = new RandomPrograms(seed).text(5);
      Program program = new RandomPrograms(seed).program(5);
      long[] left = {HISTORIES_OF_EACH};
      Exploration.of(program, IsolationLevel.READ_COMMITTED)
          .run(
              history -> {
                compare("seed " + seed + ", history " + history.key() + "\n" + text, history);
                return --left[0] > 0;
              },
              () -> true);
    }
    System.out.printf(
        "exported: %,d programs from seed %d, %,d histories, %,d with aborts, %,d times a level"
            + " forbids what only an aborted transaction read, no difference%n",
        PROGRAMS, SEED, histories, withAborts, onlyByAborted);
    assertThat(withAborts).isPositive();
    assertThat(onlyByAborted).isPositive();
  }

  private void compare(String where, ExploredHistory history) {
    Map<IsolationLevel, Verdict> verdicts =
        CheckedRecords.verdicts(
            CONFIG, ExploredWitness.of(history, IsolationLevel.READ_COMMITTED).records());
    ExploredHistory committed = committedOf(history);
    boolean aborts = committed.transactions() < history.transactions();
    histories++;
    withAborts += aborts ? 1 : 0;
    for (IsolationLevel level : LEVELS) {
      boolean allowed = committed.satisfies(level);
      assertThat(verdicts.get(level))
          .as("%s at %s", where, level)
          .isEqualTo(allowed ? Verdict.PASS : Verdict.FAIL);
      if (history.satisfies(level) != allowed) {
        assertThat(aborts && allowed).as("only by an aborted one, %s at %s", where, level).isTrue();
        onlyByAborted++;
      }
    }
  }

  /** The history of a program that has nothing but the transactions that committed. */
  private static ExploredHistory committedOf(ExploredHistory history) {
    int[] number = new int[history.transactions() + 1];
    List<Integer> kept = new ArrayList<>();
    List<List<Integer>> sessions = new ArrayList<>();
    int session = -1;
    for (int t = 1; t <= history.transactions(); t++) {
      if (!history.committed(t)) {
        continue;
      }
      if (history.session(t) != session) {
        session = history.session(t);
        sessions.add(new ArrayList<>());
      }
      sessions.get(sessions.size() - 1).add(t);
      kept.add(t);
      number[t] = kept.size();
    }
    boolean hasLast = history.program().last() != null && history.committed(history.transactions());
    List<Program.Session> all = new ArrayList<>();
    for (int s = 0; s < sessions.size(); s++) {
      List<Integer> own = sessions.get(s);
      Supplier<Execution> begin = () -> new Told(history, own, 0, 0);
      all.add(Program.Session.of("s" + s, own.stream().map(t -> "t" + t).toList(), begin));
    }
    Program.Session last = hasLast ? all.remove(all.size() - 1) : null;
    Program program = new Program("committed", history.program().initial(), all, false, last);
    return Replay.of(
            program,
            (t, read, variable) -> number[history.reads(kept.get(t - 1)).get(read).source()])
        .orElseThrow();
  }

  /** What a transaction did, whatever it reads. */
  private record Told(ExploredHistory history, List<Integer> session, int at, int read)
      implements Execution {
    private int transaction() {
      return session.get(at);
    }

    @Override
    public State state() {
      return read < history.reads(transaction()).size() ? State.READS : State.COMMITTED;
    }

    @Override
    public String variable() {
      return history.reads(transaction()).get(read).variable();
    }

    @Override
    public Map<String, Object> writes() {
      return state() == State.READS ? Map.of() : history.end(transaction()).writes();
    }

    @Override
    public @Nullable String failure() {
      return null;
    }

    @Override
    public Execution resume(Object value) {
      return new Told(history, session, at, read + 1);
    }

    @Override
    public Execution next() {
      return new Told(history, session, at + 1, 0);
    }
  }
}
