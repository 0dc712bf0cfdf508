package io.isotail.monitor.offline;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.ingest.format.ElleFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories of one register against every order of their operations: strict-serializable is
 * linearizable, no verdict is wrong, and where values are unique none is missing.
 */
class RegisterHistoriesTest {
  private static final int HISTORIES = Math.max(1_000, Seeds.HISTORIES);
  private static final int MOST_OPERATIONS = 7;

  @TempDir private Path folder;

  @Test
  void verdictsOfUniqueValuesAreThoseOfEveryOrder() throws Exception {
    Counts counts = compare(true);
    assertThat(counts.undecided).isZero();
    assertThat(counts.passed).isGreaterThan(HISTORIES / 10);
    assertThat(counts.failed).isGreaterThan(HISTORIES / 20);
  }

  @Test
  void verdictsOfRepeatedValuesAreNeverWrong() throws Exception {
    Counts counts = compare(false);
    assertThat(counts.undecided).isGreaterThan(HISTORIES / 10);
    assertThat(counts.failed).isGreaterThan(HISTORIES / 100);
  }

  private static final class Counts {
    int passed;
    int failed;
    int undecided;
  }

  private Counts compare(boolean unique) throws Exception {
    Counts counts = new Counts();
    long seed = System.nanoTime();
    for (int i = 0; i < HISTORIES; i++, seed++) {
      History history = new History(new Random(seed), unique);
      if (history.operations.stream().noneMatch(op -> op.type.equals("ok"))) {
        continue;
      }
      Path file = Files.writeString(folder.resolve("h.edn"), history.text);
      FileCheck.Result result =
          FileCheck.run(
              file,
              new ElleFormat(),
              CheckerConfig.forFile("h", IsolationLevel.STRICT_SERIALIZABLE),
              EnumSet.of(IsolationLevel.STRICT_SERIALIZABLE),
              Progress.onTerminal(file));
      Verdict verdict =
          Objects.requireNonNull(result.verdicts().get(IsolationLevel.STRICT_SERIALIZABLE));
      boolean linearizable = isLinearizable(history.operations, 0, null);
      String about = "seed %d, unique %s\n%s".formatted(seed, unique, history.text);
      assertThat(verdict).as(about).isNotEqualTo(linearizable ? Verdict.FAIL : Verdict.PASS);
      counts.passed += verdict == Verdict.PASS ? 1 : 0;
      counts.failed += verdict == Verdict.FAIL ? 1 : 0;
      counts.undecided += verdict == Verdict.UNDECIDED ? 1 : 0;
    }
    return counts;
  }

  /** Whether the operations that are not in the set can follow one another from this value. */
  private static boolean isLinearizable(List<Op> operations, int done, @Nullable Integer value) {
    boolean all = true;
    for (int i = 0; i < operations.size(); i++) {
      Op op = operations.get(i);
      if ((done & 1 << i) != 0 || op.type.equals("fail")) {
        continue;
      }
      all &= !op.type.equals("ok");
      if (isPossible(operations, done, op)
          && (op.f.equals("write") || Objects.equals(op.read, value) || isUnread(op))
          && isLinearizable(operations, done | 1 << i, op.f.equals("read") ? value : op.written)) {
        return true;
      }
    }
    return all;
  }

  private static boolean isUnread(Op op) {
    return op.f.equals("read") && !op.type.equals("ok");
  }

  /** No operation that is not done ended before this one began. */
  private static boolean isPossible(List<Op> operations, int done, Op op) {
    for (int j = 0; j < operations.size(); j++) {
      Op other = operations.get(j);
      if ((done & 1 << j) == 0 && other.type.equals("ok") && other.end < op.begin) {
        return false;
      }
    }
    return true;
  }

  private static final class Op {
    String f = "";
    String type = "info";
    @Nullable Integer read;
    @Nullable Integer written;
    int begin;
    int end;
    boolean applied;
    boolean matched = true;

    String value(boolean invoked) {
      return switch (f) {
        case "read" -> invoked || read == null ? "nil" : read.toString();
        case "write" -> String.valueOf(written);
        default -> "[%s %s]".formatted(read == null ? "nil" : read, written);
      };
    }
  }

  /** Operations of three processes on a register that now and then answers wrongly. */
  private static final class History {
    final List<Op> operations = new ArrayList<>();
    String text = "";
    private final Random random;
    private final boolean unique;
    private final boolean times;
    private final @Nullable Op[] running = new Op[3];
    private final int[] processes = {0, 1, 2};
    private @Nullable Integer value;
    private int written;
    private int step;

    History(Random random, boolean unique) {
      this.random = random;
      this.unique = unique;
      this.times = random.nextBoolean();
      for (step = 0; step < 24; step++) {
        step(random.nextInt(running.length));
      }
    }

    private void step(int at) {
      Op op = running[at];
      if (op == null) {
        if (operations.size() < MOST_OPERATIONS) {
          running[at] = invoked(at);
        }
      } else if (!op.applied && random.nextInt(10) > 0) {
        apply(op);
      } else {
        complete(at, op);
      }
    }

    private Op invoked(int at) {
      Op op = new Op();
      op.f = List.of("read", "write", "cas").get(random.nextInt(3));
      op.begin = step;
      if (!op.f.equals("read")) {
        op.written = unique ? ++written : random.nextInt(3);
      }
      if (op.f.equals("cas")) {
        op.read = random.nextInt(3) > 0 ? value : any();
      }
      operations.add(op);
      line(at, op, "invoke");
      return op;
    }

    private @Nullable Integer any() {
      int any = random.nextInt(unique ? written + 1 : 3);
      return unique && any == 0 ? null : Integer.valueOf(any);
    }

    private void apply(Op op) {
      op.applied = true;
      if (op.f.equals("read")) {
        op.read = random.nextInt(8) == 0 ? any() : value;
      } else if (op.f.equals("cas") && !Objects.equals(op.read, value)) {
        op.matched = random.nextInt(8) == 0;
      }
      if (!op.f.equals("read") && op.matched) {
        value = op.written;
      }
    }

    private void complete(int at, Op op) {
      op.end = step;
      op.type = !op.applied || random.nextInt(8) == 0 ? "info" : op.matched ? "ok" : "fail";
      line(at, op, op.type);
      running[at] = null;
      processes[at] += op.type.equals("info") ? 3 : 0;
    }

    private void line(int at, Op op, String type) {
      text +=
          "{:process %d, :type :%s, :f :%s, :value %s%s}\n"
              .formatted(
                  processes[at],
                  type,
                  op.f,
                  op.value(!type.equals("ok")),
                  times ? ", :time " + step * 10L : "");
    }
  }
}
