package io.isotail.ingest.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * Measures one input of {@link CliffInputs} at one size, in a JVM of its own: a line with input,
 * size, step, steps measured, whether it was stopped, median, mean and longest step in µs, and how
 * many anomalies were counted. Each figure is the least of a few rounds, since what disturbs a
 * round only adds to it; at most {@value #MOST_ROUNDS}, and none begins after {@link #MOST_NS}.
 *
 * <p>{@code deploy/verify --campaign cliffs} runs it. Without arguments it lists inputs and sizes.
 */
public final class CliffBenchmark {
  private static final int MOST_ROUNDS = 3;
  private static final long MOST_NS = 1_500_000_000L;

  private CliffBenchmark() {}

  /** Arguments: an input and a size, or none. */
  public static void main(String[] args) {
    if (args.length == 0) {
      for (CliffInputs input : CliffInputs.values()) {
        for (int size : input.sizes()) {
          System.out.println(nameOf(input) + " " + size);
        }
      }
      return;
    }
    CliffInputs input = CliffInputs.valueOf(args[0].toUpperCase(Locale.ROOT).replace('-', '_'));
    int size = Integer.parseInt(args[1]);
    warmUp(input, size);
    List<CliffMeter> rounds = new ArrayList<>();
    long start = System.nanoTime();
    do {
      CliffMeter meter = input.run(size);
      meter.requireDelivered();
      rounds.add(meter);
    } while (rounds.size() < MOST_ROUNDS && System.nanoTime() - start < MOST_NS);
    CliffMeter first = rounds.get(0);
    System.out.printf(
        Locale.ROOT,
        "%s\t%d\t%s\t%d\t%s\t%.1f\t%.1f\t%.1f\t%d%n",
        nameOf(input),
        size,
        input.step,
        first.steps(),
        first.stopped() ? "stopped" : "whole",
        least(rounds.stream().mapToLong(CliffMeter::medianNs)),
        least(rounds.stream().mapToLong(CliffMeter::meanNs)),
        least(rounds.stream().mapToLong(CliffMeter::longestNs)),
        first.occurrences());
  }

  /** The code is compiled with the input at its least size, as far as that is not too large. */
  private static void warmUp(CliffInputs input, int size) {
    long start = System.nanoTime();
    for (int round = 0; round < 3 && System.nanoTime() - start < MOST_NS / 2; round++) {
      input.run(Math.min(size, input.sizes()[0]));
    }
  }

  private static double least(LongStream ns) {
    return ns.min().orElse(0) / 1e3;
  }

  private static String nameOf(CliffInputs input) {
    return input.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
