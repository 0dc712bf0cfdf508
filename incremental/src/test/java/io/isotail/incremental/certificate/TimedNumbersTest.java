package io.isotail.incremental.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against lists that are looked through from one end to the other. */
final class TimedNumbersTest {
  private static final int STEPS = 300;

  private final Certificate certificate = new Certificate(IsolationLevel.SERIALIZABLE, 0, 0);

  private record Timed(long timeNs, Placed placed) {}

  @Test
  void boundsAreThoseOfAllThatAreThere() {
    for (long seed = Seeds.FIRST; seed < Seeds.FIRST + 200; seed++) {
      Random random = Seeds.random(seed);
      int spread = 1 + random.nextInt(100);
      int shareOfRemovals = random.nextInt(50);
      List<Timed> all = new ArrayList<>();
      TimedNumbers numbers = new TimedNumbers();
      for (int step = 0; step < STEPS; step++) {
        if (!all.isEmpty() && random.nextInt(100) < shareOfRemovals) {
          Timed gone = all.remove(random.nextInt(all.size()));
          numbers.takeOut(gone.timeNs, gone.placed);
          numbers.renumber();
        } else {
          Timed added = new Timed(step + random.nextInt(spread), placed(random));
          all.add(added);
          numbers.add(added.timeNs, added.placed.commit, added.placed);
        }
        long timeNs = random.nextInt(STEPS + spread);
        assertThat(numbers.smallestBeginAfter(timeNs))
            .as("seed %d, step %d", seed, step)
            .isEqualTo(
                all.stream()
                    .filter(each -> each.timeNs > timeNs)
                    .mapToLong(each -> each.placed.begin)
                    .min()
                    .orElse(Room.MOST));
        // What was taken out before the first may still count: more is kept away from it, not less.
        assertThat(numbers.largestBefore(timeNs))
            .as("seed %d, step %d", seed, step)
            .isGreaterThanOrEqualTo(largestBefore(timeNs, all));
        assertThat(numbers.size()).isEqualTo(all.size());
      }
    }
  }

  @Test
  void whatIsForgottenCountsForAllTimes() {
    TimedNumbers numbers = new TimedNumbers();
    for (int i = 0; i < 100; i++) {
      Placed placed = placed(1_000 - i);
      numbers.add(i, placed.commit, placed);
    }
    assertThat(numbers.largestBefore(0)).isEqualTo(Room.LEAST);
    numbers.keepLast(10);
    assertThat(numbers.size()).isEqualTo(10);
    assertThat(numbers.timeFromEnd(9)).isEqualTo(90);
    assertThat(numbers.largestBefore(0)).isEqualTo(1_000);
    assertThat(numbers.largestBefore(95)).isEqualTo(1_000);
  }

  private static long largestBefore(long timeNs, List<Timed> all) {
    return all.stream()
        .filter(each -> each.timeNs < timeNs)
        .mapToLong(each -> each.placed.commit)
        .max()
        .orElse(Room.LEAST);
  }

  private Placed placed(Random random) {
    return placed(random.nextInt(1_000));
  }

  private Placed placed(long number) {
    Placed placed = new Placed(certificate, Transaction.INITIAL);
    placed.commit = number;
    placed.begin = number;
    return placed;
  }
}
