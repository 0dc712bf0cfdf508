package io.isotail.incremental.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.window.SessionState;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against all that are in the window, looked through one by one. */
final class ClockOrderTest {
  private static final int TOLD_APART = 4;
  private static final int STEPS = 120;

  private final Certificate certificate = new Certificate(IsolationLevel.SERIALIZABLE, 0, 0);

  @Test
  void noMoreRoomIsToldThanThereIs() {
    int exact = 0;
    int all = 0;
    for (long seed = Seeds.FIRST; seed < Seeds.FIRST + 500; seed++) {
      Random random = Seeds.random(seed);
      long uncertaintyNs = random.nextInt(4);
      ClockOrder order = new ClockOrder(uncertaintyNs, TOLD_APART);
      List<Placed> window = new ArrayList<>();
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(10)) {
          case 0 -> leave(window, order, random);
          case 1, 2 -> renumber(window, order, random);
          default -> {
            Placed placed = placed(random, step);
            window.add(placed);
            order.add(placed);
          }
        }
        Times times = times(random, step);
        Room told = new Room(true);
        told.clear(Room.LEAST);
        order.bound(times, told);
        Room there = room(times, uncertaintyNs, window);
        assertThat(told.before())
            .as("seed %d, step %d", seed, step)
            .isLessThanOrEqualTo(there.before());
        if (told.isLeft()) {
          assertThat(there.isLeft()).as("seed %d, step %d", seed, step).isTrue();
          assertThat(told.commit(Room.LEAST))
              .as("seed %d, step %d", seed, step)
              .isGreaterThanOrEqualTo(there.commit(Room.LEAST));
        }
        all++;
        exact += told.before() == there.before() ? 1 : 0;
      }
    }
    assertThat(exact).isGreaterThan(all / 2);
  }

  private static void leave(List<Placed> window, ClockOrder order, Random random) {
    if (!window.isEmpty()) {
      order.takeOut(window.remove(random.nextInt(window.size())));
    }
  }

  private static void renumber(List<Placed> window, ClockOrder order, Random random) {
    List<Placed> moved = new ArrayList<>();
    for (Placed placed : window) {
      if (random.nextInt(4) == 0) {
        placed.commit = random.nextInt(1_000);
        placed.begin = placed.commit;
        moved.add(placed);
      }
    }
    moved.forEach(order::moved);
    order.renumber();
  }

  private static Room room(Times times, long uncertaintyNs, List<Placed> window) {
    Room room = new Room(true);
    room.clear(Room.LEAST);
    for (Placed placed : window) {
      Times other = placed.transaction.times;
      if (other.hasEnd() && other.endNs() < times.beginNs() - uncertaintyNs) {
        room.beginAfter(placed.commit);
      }
      if (times.hasEnd() && other.beginNs() > times.endNs() + uncertaintyNs) {
        room.commitBefore(placed.begin);
      }
    }
    return room;
  }

  private Placed placed(Random random, int step) {
    Transaction transaction =
        new Transaction(
            new SessionState(SessionInfo.ofFile(1, "s")),
            step,
            step,
            step,
            Outcome.COMMITTED,
            null,
            IsolationLevel.STRICT_SERIALIZABLE,
            times(random, step),
            Operations.EMPTY,
            false,
            0,
            step);
    Placed placed = new Placed(certificate, transaction);
    placed.commit = random.nextInt(1_000);
    placed.begin = placed.commit;
    return placed;
  }

  /** Mostly as time goes on; some come late, and some have no end. */
  private static Times times(Random random, int step) {
    int late = random.nextInt(4) == 0 ? random.nextInt(40) : random.nextInt(4);
    long beginNs = 10L * step - 10L * late;
    long endNs = random.nextInt(12) == 0 ? TransactionRecord.NO_TIME : beginNs + random.nextInt(30);
    return new Times(beginNs, endNs, "clock");
  }
}
