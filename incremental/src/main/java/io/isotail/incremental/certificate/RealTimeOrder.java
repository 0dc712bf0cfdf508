package io.isotail.incremental.certificate;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.objects.ReferenceOpenHashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Bounds a transaction by real time, as far as clocks are believed: by the times of its own clock,
 * and by those of all that are farther apart than the uncertainty.
 */
final class RealTimeOrder {
  private final long uncertaintyNs;
  private final Map<String, ClockOrder> clocks = new LinkedHashMap<>();

  /** Of all clocks; null if times of two clocks are never compared. */
  private final @Nullable ClockOrder across;

  RealTimeOrder(long uncertaintyNs) {
    this.uncertaintyNs = uncertaintyNs;
    boolean compared = uncertaintyNs != CheckerConfig.NEVER_COMPARED;
    this.across = compared ? new ClockOrder(uncertaintyNs) : null;
  }

  /** Whether there are times of several clocks, which are compared. */
  private boolean compares() {
    return across != null && clocks.size() > 1;
  }

  void bound(Times times, Room room) {
    String clock = times.clock();
    if (clock == null || !times.orderable()) {
      return;
    }
    ClockOrder own = clocks.get(clock);
    if (own != null) {
      own.bound(times, room);
    }
    if (across != null && (compares() || own == null)) {
      across.bound(times, room);
    }
  }

  /** Whether one ended before another one began, as far as clocks are believed. */
  boolean isBefore(Times earlier, Times later) {
    return earlier.endedBefore(later, uncertaintyNs);
  }

  void add(Placed placed) {
    Times times = placed.transaction.times;
    String clock = times.clock();
    if (clock == null || !times.orderable()) {
      return;
    }
    clocks.computeIfAbsent(clock, c -> new ClockOrder(0)).add(placed);
    if (across != null) {
      across.add(placed);
    }
  }

  /** Takes out a transaction that leaves the window. */
  void takeOut(Placed placed) {
    takeOut(placed, ClockOrder::takeOut);
  }

  /** Takes out a transaction as if it had never been added. */
  void exclude(Placed placed) {
    takeOut(placed, ClockOrder::exclude);
  }

  private void takeOut(Placed placed, BiConsumer<ClockOrder, Placed> from) {
    ClockOrder own = clockOf(placed);
    if (own == null) {
      return;
    }
    from.accept(own, placed);
    if (own.isEmpty()) {
      clocks.remove(placed.transaction.times.clock());
    }
    if (across != null) {
      from.accept(across, placed);
    }
  }

  private @Nullable ClockOrder clockOf(Placed placed) {
    Times times = placed.transaction.times;
    String clock = times.clock();
    return clock == null || !times.orderable() ? null : clocks.get(clock);
  }

  /** Saves what does not follow from the transactions of the window. */
  void save(StateWriter out) {
    out.count(clocks.size());
    clocks.forEach(
        (clock, order) -> {
          out.text(clock);
          order.save(out);
        });
    if (across != null) {
      across.save(out);
    }
  }

  void load(StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      String clock = in.requiredText();
      ClockOrder order = new ClockOrder(0);
      order.load(in);
      clocks.put(clock, order);
    }
    if (across != null) {
      across.load(in);
    }
  }

  /** The transactions of the window have been added. */
  void loaded() {
    clocks.values().forEach(ClockOrder::loaded);
    if (across != null) {
      across.loaded();
    }
  }

  /** Some have got other numbers. */
  void renumbered(List<Placed> moved) {
    Set<ClockOrder> concerned = new ReferenceOpenHashSet<>();
    for (Placed placed : moved) {
      ClockOrder own = clockOf(placed);
      if (own != null) {
        own.moved(placed);
        concerned.add(own);
      }
      if (own != null && across != null) {
        across.moved(placed);
        concerned.add(across);
      }
    }
    concerned.forEach(ClockOrder::renumber);
  }
}
