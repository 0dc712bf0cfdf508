package io.isotail.incremental.certificate;

import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of transactions that have left the window: each with its writes alone, as long as
 * one of its versions is of use, unless there are too many of these. So two transactions that
 * overwrite what was written long ago are still seen to do so.
 *
 * <table>
 * <caption>When a version of such a transaction is of use</caption>
 * <tr><td>a transaction in the window read it</td><td>yes</td></tr>
 * <tr><td>it is the last of its key</td><td>yes: it may yet be read, or overwritten</td></tr>
 * <tr><td>the next version is of a transaction in the window</td><td>yes: a late read of it comes
 * before that one</td></tr>
 * <tr><td>the next version is of one that has left too</td><td>no</td></tr>
 * </table>
 */
final class Retention {
  private final Places places;
  private final int most;
  private final PlacedList kept = new PlacedList();
  private final List<Transaction> dropped = new ArrayList<>();

  /**
   * Keeps nothing yet.
   *
   * @param most transactions that are kept at most
   */
  Retention(Places places, int most) {
    this.places = places;
    this.most = most;
  }

  /** Those that are kept, oldest first. */
  PlacedList kept() {
    return kept;
  }

  /** Keeps one that has been kept before, by another. */
  void keep(Placed placed) {
    placed.retired = true;
    kept.addLast(placed);
  }

  /** A transaction has left the window; its reads are taken out. */
  void left(Placed placed, PlacedVersion[] read) {
    if (most > 0 && isOfUse(placed)) {
      keep(placed);
      for (PlacedVersion version : placed.wrote) {
        dropUnlessOfUse(version.previous);
      }
    } else {
      drop(placed);
    }
    for (PlacedVersion version : read) {
      dropUnlessOfUse(version);
    }
    Placed oldest = kept.first();
    if (oldest != null && kept.size() > most) {
      drop(oldest);
    }
  }

  /** Drops all that is of no use. */
  void dropUseless() {
    Placed placed = kept.first();
    while (placed != null) {
      Placed next = placed.after;
      if (!isOfUse(placed)) {
        drop(placed);
      }
      placed = next;
    }
  }

  /** Something that made a version be of use is gone. */
  void dropUnlessOfUse(PlacedVersion version) {
    Placed writer = version.writer;
    if (writer == null) {
      places.forgetIfUnused(version);
    } else if (writer.retired && !isOfUse(version) && !isOfUse(writer)) {
      drop(writer);
    }
  }

  private void drop(Placed placed) {
    List<PlacedVersion> previous = Places.takeOutVersions(placed);
    placed.leave();
    if (placed.retired) {
      kept.remove(placed);
      placed.retired = false;
    }
    dropped.add(placed.transaction);
    previous.forEach(this::dropUnlessOfUse);
  }

  private static boolean isOfUse(Placed placed) {
    for (PlacedVersion version : placed.wrote) {
      if (isOfUse(version)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfUse(PlacedVersion version) {
    @Nullable Placed next = version.next.writer;
    return version.readers > 0 || next == null || !next.retired;
  }

  /** Tells what has been dropped since this was asked last. */
  void drainDropped(Consumer<Transaction> to) {
    dropped.forEach(to);
    dropped.clear();
  }
}
