package io.isotail.incremental.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.explore.language.SourceError;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An error is told if and only if the level allows a history that it stands in. */
final class ErrorsTest {
  private static final int PROGRAMS = Integer.getInteger("isotail.programs", 700);
  private static final long SEED = Long.getLong("isotail.seed", 20_261_124L);
  private static final List<IsolationLevel> LEVELS =
      Arrays.stream(IsolationLevel.values()).filter(level -> !level.followsRealTime()).toList();

  @Test
  void randomProgramsThatDivideByZeroEndWhereTheDefinitionsHaveSuchAHistory() {
    long told = 0;
    long onlyAtWeaker = 0;
    for (int i = 0; i < PROGRAMS; i++) {
      long seed = SEED + i;
      String text = new RandomPrograms(seed).textWithErrors(5);
      Program program = ProgramText.parse("random", text, Map.of());
      NaiveHistories naive = new NaiveHistories(program);
      Set<String> errors = naive.withErrors();
      for (IsolationLevel level : LEVELS) {
        String where = "seed " + seed + " at " + level + "\n" + text;
        Set<String> allowed = naive.at(level);
        Set<String> expected = new TreeSet<>(errors);
        expected.retainAll(allowed);
        assertThat(endsInAnError(program, level)).as(where).isEqualTo(!expected.isEmpty());
        List<String> keys = new ArrayList<>();
        Exploration.of(silent(program), level).run(h -> keys.add(h.key()), () -> true);
        assertThat(new TreeSet<>(keys)).as(where).isEqualTo(allowed);
        assertThat(keys).as("each once, " + where).doesNotHaveDuplicates();
        told += expected.isEmpty() ? 0 : 1;
        onlyAtWeaker += expected.isEmpty() && !errors.isEmpty() ? 1 : 0;
      }
    }
    System.out.printf(
        "errors: %,d programs from seed %d, told %,d times, %,d times not at the level%n",
        PROGRAMS, SEED, told, onlyAtWeaker);
    assertThat(told).isPositive();
    assertThat(onlyAtWeaker).isPositive();
  }

  private static boolean endsInAnError(Program program, IsolationLevel level) {
    try {
      Exploration.of(program, level).run(history -> true, () -> true);
      return false;
    } catch (SourceError e) {
      return true;
    }
  }

  /** The program with errors that are told to nobody: all its histories can be seen. */
  private static Program silent(Program program) {
    Program.Session last = program.last();
    return new Program(
        program.name(),
        program.initial(),
        program.sessions().stream().map(ErrorsTest::silent).toList(),
        program.asserts(),
        last == null ? null : silent(last));
  }

  private static Program.Session silent(Program.Session session) {
    return new Program.Session(
        session.name(), session.transactions(), () -> new Silent(session.begin().get()));
  }

  private record Silent(Execution of) implements Execution {
    @Override
    public State state() {
      return of.state();
    }

    @Override
    public String variable() {
      return of.variable();
    }

    @Override
    public Map<String, Object> writes() {
      return of.writes();
    }

    @Override
    public @Nullable String failure() {
      return of.failure();
    }

    @Override
    public Execution resume(Object value) {
      return new Silent(of.resume(value));
    }

    @Override
    public Execution next() {
      return new Silent(of.next());
    }
  }
}
