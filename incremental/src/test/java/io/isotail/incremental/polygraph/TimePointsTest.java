package io.isotail.incremental.polygraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class TimePointsTest {
  private static final int STEPS = 400;

  @Test
  void pointsStandInTheOrderOfTimeAndThenOfArrival() {
    for (long seed = Seeds.FIRST; seed < Seeds.FIRST + 200; seed++) {
      Random random = Seeds.random(seed);
      int spread = 1 + random.nextInt(200);
      int shareOfRemovals = random.nextInt(60);
      List<TimePoint> expected = new ArrayList<>();
      TimePoints points = new TimePoints();
      for (int step = 0; step < STEPS; step++) {
        if (!expected.isEmpty() && random.nextInt(100) < shareOfRemovals) {
          points.takeOut(expected.remove(random.nextInt(expected.size())));
        } else {
          add(new TimePoint(null, step + random.nextInt(spread)), expected, points);
        }
        long timeNs = random.nextInt(STEPS + spread);
        assertThat(points.lastBefore(timeNs))
            .as("seed %d, step %d", seed, step)
            .isSameAs(lastBefore(timeNs, expected, points));
        assertThat(points.size()).isEqualTo(expected.size());
      }
      TimePoint point = points.origin;
      for (TimePoint next : expected) {
        assertThat(point.next).as("seed %d", seed).isSameAs(next);
        assertThat(next.previous).isSameAs(point);
        point = next;
      }
      assertThat(point.next).isNull();
      assertThat(points.last()).isSameAs(point);
    }
  }

  private static void add(TimePoint point, List<TimePoint> expected, TimePoints points) {
    int place = 0;
    while (place < expected.size() && expected.get(place).atNs <= point.atNs) {
      place++;
    }
    expected.add(place, point);
    assertThat(points.insert(point)).isSameAs(place == 0 ? points.origin : expected.get(place - 1));
  }

  private static TimePoint lastBefore(long timeNs, List<TimePoint> expected, TimePoints points) {
    TimePoint last = points.origin;
    for (TimePoint point : expected) {
      last = point.atNs < timeNs ? point : last;
    }
    return last;
  }
}
