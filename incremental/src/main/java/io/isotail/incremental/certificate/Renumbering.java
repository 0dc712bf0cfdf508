package io.isotail.incremental.certificate;

import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.objects.ReferenceLinkedOpenHashSet;
import it.unimi.dsi.fastutil.objects.ReferenceOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Takes out what one without room may contradict, and gives it other numbers. */
final class Renumbering {
  private final Places places;

  Renumbering(Places places) {
    this.places = places;
  }

  /**
   * Those that a place before a number, for what was added last in vain, may contradict: all that
   * have a larger one; null if these are more than {@code most}, or some may have left the window.
   *
   * @param reads the versions that was added last has read, or is known to have replaced
   * @param whole whether to have with these what they have read and overwritten
   */
  @Nullable Excerpt excerpt(long from, int most, List<PlacedVersion> reads, boolean whole) {
    List<Placed> later = new ArrayList<>();
    long least = from;
    for (Placed at = places.inWindow.last(); at != null && at.commit >= least; at = at.before) {
      if (later.size() == most) {
        return null;
      }
      later.add(at);
      least = Math.min(least, at.begin);
    }
    if (least <= places.floor) {
      // What has left may be between them.
      return null;
    }
    Collections.reverse(later);
    Set<Placed> earlier = new ReferenceLinkedOpenHashSet<>();
    for (Placed placed : whole ? later : List.<Placed>of()) {
      for (PlacedVersion version : placed.wrote) {
        addEarlier(version.previous, least, earlier);
      }
      for (PlacedVersion version : placed.read) {
        addEarlier(version, least, earlier);
      }
    }
    for (PlacedVersion version : reads) {
      addEarlier(version, least, earlier);
    }
    return new Excerpt(least, Places.byCommit(earlier), later);
  }

  private static void addEarlier(PlacedVersion version, long least, Set<Placed> to) {
    if (version.writer != null && version.writer.commit < least) {
      to.add(version.writer);
    }
  }

  /**
   * Gives new numbers to the later ones of an excerpt, and numbers to a new one.
   *
   * @param order these in a new order: twice where begin and commit are told apart
   * @param newest the new one, null if there is none; it has the numbers that it should be close to
   * @param reads the versions that it read
   */
  void renumber(
      Excerpt excerpt,
      List<Transaction> order,
      @Nullable Placed newest,
      List<PlacedVersion> reads) {
    long[] numbers = numbersOf(excerpt, newest);
    if (newest != null) {
      newest.enter();
    }
    excerpt.later().forEach(places.inWindow::remove);
    List<Placed> committed = number(order, numbers);
    committed.forEach(Renumbering::takeOutVersions);
    for (Placed placed : committed) {
      places.inWindow.addByCommit(placed);
      for (PlacedVersion version : placed.wrote) {
        version.insertBehind(places.initialOf(version.key).previous);
      }
      if (placed == newest) {
        places.appendVersions(placed);
      }
    }
    noteReads(committed, newest, reads);
    RealTimeOrder realTime = places.realTime;
    if (realTime != null) {
      realTime.renumbered(excerpt.later());
    }
    if (realTime != null && newest != null) {
      realTime.add(newest);
    }
  }

  /** Numbers the events in their order; returns whose they are in the order of their commits. */
  private List<Placed> number(List<Transaction> order, long[] numbers) {
    Set<Placed> begun = new ReferenceOpenHashSet<>();
    List<Placed> committed = new ArrayList<>();
    for (int i = 0; i < numbers.length; i++) {
      Placed placed = Objects.requireNonNull(places.of(order.get(i)));
      boolean commits = places.one || !begun.add(placed);
      if (commits) {
        placed.commit = numbers[i];
        committed.add(placed);
      }
      if (places.one || !commits) {
        placed.begin = numbers[i];
      }
    }
    return committed;
  }

  private static void takeOutVersions(Placed placed) {
    for (PlacedVersion version : placed.wrote) {
      version.takeOut();
    }
  }

  private static void noteReads(
      List<Placed> moved, @Nullable Placed newest, List<PlacedVersion> reads) {
    if (newest != null) {
      newest.read = reads.toArray(Placed.NO_VERSIONS);
      reads.forEach(version -> version.readers++);
    }
    for (Placed placed : moved) {
      for (PlacedVersion version : placed.read) {
        version.lastRead = null;
      }
    }
    for (Placed placed : moved) {
      for (PlacedVersion version : placed.read) {
        version.noteRead(placed);
      }
    }
  }

  /**
   * As many numbers as there are events, ascending; those that they have, as far as they differ.
   */
  private long[] numbersOf(Excerpt excerpt, @Nullable Placed newest) {
    List<Placed> all = new ArrayList<>(excerpt.later());
    if (newest != null) {
      all.add(newest);
    }
    int events = places.one ? 1 : 2;
    long[] numbers = new long[all.size() * events];
    int n = 0;
    for (Placed placed : all) {
      numbers[n++] = placed.commit;
      if (!places.one) {
        numbers[n++] = placed.begin;
      }
    }
    Arrays.sort(numbers);
    long last = Math.max(places.floor, excerpt.from() - 1);
    for (int i = 0; i < numbers.length; i++) {
      last = Math.max(last + 1, numbers[i]);
      numbers[i] = last;
    }
    return numbers;
  }
}
