package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.Exploration.Method;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Explores the client programs of the paper by each of its algorithms, and prints a table; on one
 * thread. Arguments: the time for each exploration that is not a baseline, in s; the time for a
 * baseline and for each program that grows, in s; and the number of programs of each application.
 */
public final class ExploreCampaign {
  /**
   * An algorithm.
   *
   * @param name as the paper calls it
   * @param baseline whether it is there to be compared with
   */
  private record Algorithm(
      String name, IsolationLevel weak, IsolationLevel level, Method method, boolean baseline) {}

  private static final long MILLION = 1_000_000;

  private static final List<Algorithm> ALGORITHMS =
      List.of(
          new Algorithm("CC", IsolationLevel.CAUSAL, IsolationLevel.CAUSAL, Method.SWAPPING, false),
          new Algorithm(
              "CC+SI",
              IsolationLevel.CAUSAL,
              IsolationLevel.SNAPSHOT_ISOLATION,
              Method.SWAPPING,
              false),
          new Algorithm(
              "CC+SER", IsolationLevel.CAUSAL, IsolationLevel.SERIALIZABLE, Method.SWAPPING, false),
          new Algorithm(
              "RA+CC", IsolationLevel.READ_ATOMIC, IsolationLevel.CAUSAL, Method.SWAPPING, true),
          new Algorithm(
              "RC+CC", IsolationLevel.READ_COMMITTED, IsolationLevel.CAUSAL, Method.SWAPPING, true),
          new Algorithm(
              "DFS(CC)", IsolationLevel.CAUSAL, IsolationLevel.CAUSAL, Method.DEPTH_FIRST, true));

  /**
   * One exploration.
   *
   * @param exhausted whether it came to its end in time
   */
  private record Run(
      boolean exhausted, long histories, long endStates, double seconds, int open, int steps) {

    static Run of(Program program, Algorithm algorithm, long limitNs) {
      Exploration exploration =
          new Exploration(program, algorithm.weak(), algorithm.level(), algorithm.method());
      long start = System.nanoTime();
      boolean exhausted =
          exploration.run(history -> true, () -> System.nanoTime() - start < limitNs);
      return new Run(
          exhausted,
          exploration.histories(),
          exploration.endStates(),
          (System.nanoTime() - start) / 1e9,
          exploration.mostOpen(),
          exploration.rememberedSteps());
    }

    String shown() {
      return exhausted
          ? String.format(Locale.ROOT, "%.2f s", seconds)
          : String.format(Locale.ROOT, "stopped after %,d", endStates);
    }
  }

  private ExploreCampaign() {}

  /** Prints the tables. */
  public static void main(String[] arguments) {
    long limitNs = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[0]));
    long baselineNs = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[1]));
    int programs = Integer.parseInt(arguments[2]);
    warmUp();
    compare(limitNs, baselineNs, programs);
    grow(baselineNs, programs, true);
    grow(baselineNs, programs, false);
  }

  private static void warmUp() {
    for (String application : ClientPrograms.APPLICATIONS) {
      for (Algorithm algorithm : ALGORITHMS) {
        Run.of(ClientPrograms.of(application, 0, 3, 2), algorithm, TimeUnit.SECONDS.toNanos(1));
      }
    }
  }

  private static void compare(long limitNs, long baselineNs, int programs) {
    System.out.println(
        "| program | histories at CC | at SI | at SER | end states of RA+CC | of RC+CC | CC | CC+SI"
            + " | CC+SER | RA+CC | RC+CC | DFS(CC) | histories a second, CC | ways open, steps |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    double[] sums = new double[ALGORITHMS.size()];
    int[] stopped = new int[ALGORITHMS.size()];
    int[] large = new int[ALGORITHMS.size()];
    long[] endStates = new long[ALGORITHMS.size()];
    int count = 0;
    for (String application : ClientPrograms.APPLICATIONS) {
      for (int number = 1; number <= programs; number++) {
        Program program = ClientPrograms.of(application, number, 3, 3);
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < ALGORITHMS.size(); i++) {
          Algorithm algorithm = ALGORITHMS.get(i);
          Run run = Run.of(program, algorithm, algorithm.baseline() ? baselineNs : limitNs);
          runs.add(run);
          sums[i] += run.seconds();
          endStates[i] += run.endStates();
          large[i] += run.endStates() > MILLION ? 1 : 0;
          stopped[i] += run.exhausted() ? 0 : 1;
        }
        count++;
        Run causal = runs.get(0);
        System.out.printf(
            Locale.ROOT,
            "| %s | %,d | %,d | %,d | %,d | %,d | %s | %s | %s | %s | %s | %s | %,.0f | %d, %,d |%n",
            program.name(),
            causal.histories(),
            runs.get(1).histories(),
            runs.get(2).histories(),
            runs.get(3).endStates(),
            runs.get(4).endStates(),
            causal.shown(),
            runs.get(1).shown(),
            runs.get(2).shown(),
            runs.get(3).shown(),
            runs.get(4).shown(),
            runs.get(5).shown(),
            causal.histories() / causal.seconds(),
            causal.open(),
            causal.steps());
      }
    }
    System.out.println();
    System.out.println("| | " + names() + " |");
    System.out.println("|---|---|---|---|---|---|---|");
    System.out.print("| mean, those stopped included |");
    for (double sum : sums) {
      System.out.printf(Locale.ROOT, " %.2f s |", sum / count);
    }
    System.out.print("\n| stopped |");
    for (int one : stopped) {
      System.out.printf(Locale.ROOT, " %d of %d |", one, count);
    }
    System.out.print("\n| above a million end states |");
    for (int one : large) {
      System.out.printf(Locale.ROOT, " %d of %d |", one, count);
    }
    System.out.print("\n| end states a second |");
    for (int i = 0; i < sums.length; i++) {
      System.out.printf(Locale.ROOT, " %,.0f |", endStates[i] / sums[i]);
    }
    System.out.println("\n");
  }

  private static String names() {
    return String.join(" | ", ALGORITHMS.stream().map(Algorithm::name).toList());
  }

  /**
   * TPC-C and Wikipedia at CC, with more and more sessions or transactions. The means are of the
   * programs that came to their end; of those that were stopped, only how far they came is known.
   */
  private static void grow(long limitNs, int programs, boolean bySessions) {
    System.out.printf(
        "| %s | exhausted | mean time of those | mean histories of those | stopped after %d s"
            + " | histories of those, at least | most ways open |%n",
        bySessions ? "sessions of 3 transactions" : "transactions in each of 3 sessions",
        TimeUnit.NANOSECONDS.toSeconds(limitNs));
    System.out.println("|---|---|---|---|---|---|---|");
    for (int size = 1; size <= 5; size++) {
      List<Run> ended = new ArrayList<>();
      List<Run> stopped = new ArrayList<>();
      for (String application : List.of("tpc-c", "wikipedia")) {
        for (int number = 1; number <= programs; number++) {
          Program program =
              ClientPrograms.of(application, number, bySessions ? size : 3, bySessions ? 3 : size);
          Run run = Run.of(program, ALGORITHMS.get(0), limitNs);
          (run.exhausted() ? ended : stopped).add(run);
        }
      }
      System.out.printf(
          Locale.ROOT,
          "| %d | %d | %s | %s | %d | %s | %d |%n",
          size,
          ended.size(),
          ended.isEmpty()
              ? "-"
              : String.format(
                  Locale.ROOT,
                  "%.3f s",
                  ended.stream().mapToDouble(Run::seconds).average().orElseThrow()),
          meanHistories(ended),
          stopped.size(),
          meanHistories(stopped),
          Stream.concat(ended.stream(), stopped.stream()).mapToInt(Run::open).max().orElseThrow());
    }
    System.out.println();
  }

  private static String meanHistories(List<Run> runs) {
    return runs.isEmpty()
        ? "-"
        : String.format(
            Locale.ROOT, "%,.0f", runs.stream().mapToLong(Run::histories).average().orElseThrow());
  }
}
