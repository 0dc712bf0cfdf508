package io.isotail.incremental.saturation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Numbers that share chunks, compared with plain arrays. */
final class SlotNumbersTest {
  private static final int RUNS = 200;
  private static final int CLOCKS = 50;

  private final List<SlotNumbers> built = new ArrayList<>();
  private final List<int[]> expected = new ArrayList<>();

  @Test
  void sharedChunksNeverChangeWhatAnOlderClockSays() {
    for (int seed = 0; seed < RUNS; seed++) {
      run(seed);
    }
  }

  private void run(int seed) {
    Random random = new Random(seed);
    built.clear();
    expected.clear();
    int slots = 1 + random.nextInt(400);
    for (int n = 0; n < CLOCKS; n++) {
      boolean anew = built.isEmpty() || random.nextInt(6) == 0;
      int from = anew ? -1 : random.nextInt(built.size());
      SlotNumbers numbers = anew ? SlotNumbers.none() : built.get(from).toBuild();
      int[] plain = anew ? new int[slots] : expected.get(from).clone();
      for (int steps = random.nextInt(6); steps > 0; steps--) {
        step(numbers, plain, random);
      }
      numbers.built();
      if (random.nextBoolean()) {
        numbers.keep();
      }
      built.add(numbers);
      expected.add(plain);
      for (int i = 0; i < built.size(); i++) {
        assertThat(all(built.get(i), slots))
            .as("seed %d, clock %d", seed, i)
            .isEqualTo(expected.get(i));
      }
    }
  }

  private void step(SlotNumbers numbers, int[] plain, Random random) {
    if (random.nextBoolean() || built.isEmpty()) {
      int slot = random.nextInt(plain.length);
      int number = 1 + random.nextInt(5);
      numbers.raise(slot, number);
      plain[slot] = Math.max(plain[slot], number);
      return;
    }
    int other = random.nextInt(built.size());
    numbers.raiseAll(built.get(other));
    for (int slot = 0; slot < plain.length; slot++) {
      plain[slot] = Math.max(plain[slot], expected.get(other)[slot]);
    }
  }

  private static int[] all(SlotNumbers numbers, int slots) {
    int[] all = new int[slots];
    for (int slot = 0; slot < slots; slot++) {
      all[slot] = numbers.get(slot);
    }
    return all;
  }
}
