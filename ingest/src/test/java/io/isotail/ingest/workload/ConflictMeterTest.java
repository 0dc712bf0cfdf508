package io.isotail.ingest.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Which pairs of transactions conflict, and that each counts once. */
final class ConflictMeterTest {
  private final ConflictMeter meter = new ConflictMeter(3);

  @Test
  void twoReadersDoNotConflict() {
    meter.touch(0, 5, false);
    meter.touch(1, 5, false);
    assertThat(meter.pairs()).isZero();
  }

  @Test
  void aWriterConflictsWithEachOtherOnceWhoeverComesFirst() {
    meter.touch(0, 5, false);
    meter.touch(1, 5, true);
    meter.touch(2, 5, false);
    meter.touch(1, 5, true);
    meter.touch(0, 5, true);
    assertThat(meter.pairs()).isEqualTo(3);
  }

  @Test
  void whatHasEndedDoesNotConflict() {
    meter.touch(0, 5, true);
    meter.end(0);
    meter.touch(1, 5, true);
    assertThat(meter.pairs()).isZero();
    meter.touch(0, 5, true);
    assertThat(meter.pairs()).isEqualTo(1);
  }

  @Test
  void agreesWithAllPairsCompared() {
    for (int seed = 0; seed < 500; seed++) {
      compare(seed);
    }
  }

  private record Access(int key, boolean write) {}

  private static void compare(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ConflictMeter meter = new ConflictMeter(4);
    List<Set<Access>> accesses = new ArrayList<>();
    List<Integer> current = new ArrayList<>();
    Set<Set<Integer>> pairs = new HashSet<>();
    for (int session = 0; session < 4; session++) {
      current.add(accesses.size());
      accesses.add(new HashSet<>());
    }
    for (int step = 0; step < 60; step++) {
      int session = random.nextInt(4);
      if (random.nextInt(4) == 0) {
        meter.end(session);
        current.set(session, accesses.size());
        accesses.add(new HashSet<>());
        continue;
      }
      Access access = new Access(random.nextInt(3), random.nextBoolean());
      meter.touch(session, access.key(), access.write());
      int own = current.get(session);
      accesses.get(own).add(access);
      for (int other : current) {
        boolean conflict =
            other != own
                && accesses.get(other).stream()
                    .anyMatch(a -> a.key() == access.key() && (a.write() || access.write()));
        if (conflict) {
          pairs.add(Set.of(own, other));
        }
      }
      assertThat(meter.pairs()).as("seed %d, step %d", seed, step).isEqualTo(pairs.size());
    }
  }
}
