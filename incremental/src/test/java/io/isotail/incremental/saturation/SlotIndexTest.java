package io.isotail.incremental.saturation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The writers of a key by slot, compared with a list that is searched from end to end. */
final class SlotIndexTest {
  private static final int RUNS = 1_000;
  private static final int STEPS = 80;
  private static final int SLOTS = 30;
  private static final int NUMBERS = 1_000;

  private record Writer(int slot, int number, int place) {}

  private final List<Writer> live = new ArrayList<>();
  private SlotIndex index = new SlotIndex();

  @Test
  void theLastWriterUpToANumberIsFoundWhateverCameAndWent() {
    for (int seed = 0; seed < RUNS; seed++) {
      Random random = new Random(seed);
      index = new SlotIndex();
      live.clear();
      // Places wrap.
      int place = random.nextInt(3) == 0 ? Integer.MAX_VALUE - 20 : 0;
      for (int n = 0; n < STEPS; n++) {
        step(random, place++);
        for (int slot = 0; slot < SLOTS; slot++) {
          compare(slot, random.nextInt(NUMBERS + 1), "seed " + seed + ", step " + n);
        }
      }
    }
  }

  private void step(Random random, int place) {
    if (!live.isEmpty() && random.nextInt(3) == 0) {
      Writer gone = live.remove(random.nextInt(live.size()));
      index.remove(gone.slot, gone.place);
      return;
    }
    Writer writer = new Writer(random.nextInt(SLOTS), 1 + random.nextInt(NUMBERS), place);
    if (live.stream().noneMatch(w -> w.slot == writer.slot && w.number == writer.number)) {
      index.add(writer.slot, writer.number, place);
      live.add(writer);
    }
  }

  private void compare(int slot, int upTo, String run) {
    int s = index.find(slot);
    assertThat(s >= 0).as(run).isEqualTo(live.stream().anyMatch(w -> w.slot == slot));
    if (s < 0) {
      return;
    }
    assertThat(index.slot(s)).as(run).isEqualTo(slot);
    Optional<Writer> last =
        live.stream()
            .filter(w -> w.slot == slot && w.number <= upTo)
            .max(Comparator.comparingInt(Writer::number));
    int i = index.lastUpTo(s, upTo);
    assertThat(i != SlotIndex.NONE).as(run).isEqualTo(last.isPresent());
    last.ifPresent(
        writer -> {
          assertThat(index.number(s, i)).as(run).isEqualTo(writer.number);
          assertThat(index.place(s, i)).as(run).isEqualTo(writer.place);
        });
  }
}
