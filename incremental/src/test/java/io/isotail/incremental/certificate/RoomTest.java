package io.isotail.incremental.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RoomTest {
  @Test
  void numbersKeepTheirBoundsWhereThereIsRoomAndThereIsNoneElsewhere() {
    int left = 0;
    for (long seed = Seeds.FIRST; seed < Seeds.FIRST + 5_000; seed++) {
      Random random = Seeds.random(seed);
      boolean one = random.nextBoolean();
      int width = 1 + random.nextInt(60);
      long[] bounds = random.longs(4, 0, width).toArray();
      Room room = new Room(one);
      room.clear(Room.LEAST);
      room.beginAfter(bounds[0]);
      room.beginBefore(bounds[1]);
      room.commitAfter(bounds[2]);
      room.commitBefore(bounds[3]);
      assertThat(room.isLeft()).as("seed %d", seed).isEqualTo(exists(one, bounds, width));
      if (room.isLeft()) {
        left++;
        long commit = room.commit(random.nextInt(2 * width) - width / 2);
        long begin = room.begin(random.nextInt(2 * width) - width / 2, commit);
        assertThat(fits(one, bounds, begin, commit))
            .as("seed %d: %d to %d", seed, begin, commit)
            .isTrue();
      }
    }
    assertThat(left).isBetween(500, 4_500);
  }

  private static boolean exists(boolean one, long[] bounds, int width) {
    for (long begin = -1; begin <= width; begin++) {
      for (long commit = begin; commit <= width; commit++) {
        if (fits(one, bounds, begin, commit)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean fits(boolean one, long[] bounds, long begin, long commit) {
    return (one ? begin == commit : begin < commit)
        && begin > bounds[0]
        && begin < bounds[1]
        && commit > bounds[2]
        && commit < bounds[3];
  }
}
