package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.witness.CapsuleFacts.KeyFacts;
import io.isotail.incremental.witness.CapsuleFacts.Reading;
import io.isotail.incremental.witness.CapsuleFacts.Shown;
import io.isotail.incremental.witness.CapsuleFacts.Writing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * What depends on what among the transactions of a capsule, given an order of their commits.
 *
 * <p>The order of the versions of each key is that of their writers' commits. A capsule violates
 * its level whatever that order, so that each order gives a cycle; a person is told the one that
 * the most plausible order gives. It is for names and sentences alone: no verdict rests on it.
 */
final class CapsuleGraph {
  private final CapsuleFacts facts;
  private final int size;
  private final long clockUncertaintyNs;

  /** Session order, reads, lists and real time show that one commits before the other. */
  private final boolean[][] known;

  /**
   * A graph of all transactions of the capsule.
   *
   * @param level if {@code strict-serializable}, what is believed of real time is known
   * @param clockUncertaintyNs how far two clocks may be apart, in ns
   */
  CapsuleGraph(CapsuleFacts facts, IsolationLevel level, long clockUncertaintyNs) {
    this.facts = facts;
    this.size = facts.size();
    this.clockUncertaintyNs = clockUncertaintyNs;
    this.known = new boolean[size][size];
    addKnown(level.followsRealTime());
  }

  private void addKnown(boolean realTime) {
    for (int a = 0; a < size; a++) {
      for (int b = 0; b < size; b++) {
        known[a][b] = facts.isSessionOrder(a, b) || (realTime && isRealTime(a, b));
      }
    }
    for (KeyFacts key : facts.keys().values()) {
      for (Reading reading : key.readings) {
        if (reading.source() >= 0) {
          known[reading.source()][reading.reader()] = true;
        }
      }
      int[][] shown = shown(key);
      for (int a = 0; a < size; a++) {
        for (int b = 0; b < size; b++) {
          known[a][b] |= shown[a][b] >= 0;
        }
      }
    }
    for (int via = 0; via < size; via++) {
      for (int a = 0; a < size; a++) {
        for (int b = 0; b < size && known[a][via]; b++) {
          known[a][b] |= known[via][b];
        }
      }
    }
  }

  /** Every dependency, if the transactions commit in this order. */
  List<Link> links(int[] order) {
    int[] rank = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      rank[order[i]] = i;
    }
    List<Link> links = new ArrayList<>();
    for (int a = 0; a < size; a++) {
      for (int b = 0; b < size; b++) {
        if (facts.isSessionOrder(a, b)) {
          links.add(Link.plain(a, b, EdgeKind.SO));
        }
        if (isRealTime(a, b)) {
          links.add(Link.plain(a, b, EdgeKind.RT));
        }
      }
    }
    facts.keys().forEach((number, key) -> addLinks(number, key, rank, links));
    return links;
  }

  /** For each two transactions whose list shows that one wrote the key before the other. */
  private int[][] shown(KeyFacts key) {
    int[][] by = new int[size][size];
    for (int[] row : by) {
      Arrays.fill(row, Link.NONE);
    }
    for (Shown shown : key.shown) {
      for (Writing other : key.writings) {
        // Nothing stands before what succeeds the initial version.
        if (shown.earlier() < 0 && other.writer() != shown.later()) {
          by[shown.later()][other.writer()] = shown.reader();
        }
      }
      if (shown.earlier() >= 0) {
        by[shown.earlier()][shown.later()] = shown.reader();
      }
    }
    for (int via = 0; via < size && !key.shown.isEmpty(); via++) {
      for (int a = 0; a < size; a++) {
        for (int b = 0; b < size; b++) {
          boolean follows = a != b && by[a][b] < 0 && by[a][via] >= 0 && by[via][b] >= 0;
          by[a][b] = follows ? by[a][via] : by[a][b];
        }
      }
    }
    return by;
  }

  private void addLinks(long number, KeyFacts key, int[] rank, List<Link> links) {
    int[][] shown = shown(key);
    for (Writing later : key.writings) {
      for (Writing first : key.writings) {
        if (isBehind(first.writer(), later.writer(), rank, shown)) {
          int reader = shown[first.writer()][later.writer()];
          links.add(overwriting(number, first.writer(), later, first.writer(), reader));
        }
      }
      for (Shown direct : key.shown) {
        // Nobody's version stands between the two: what is not before is behind.
        if (direct.later() != later.writer()
            && direct.earlier() >= 0
            && isBehind(direct.earlier(), later.writer(), rank, shown)) {
          links.add(overwriting(number, direct.later(), later, direct.earlier(), direct.reader()));
        }
      }
      for (Reading reading : key.readings) {
        int source = reading.source();
        boolean overwritten =
            source == Link.NONE
                ? facts.readsToo(later.writer(), reading)
                : source < 0 || isBehind(source, later.writer(), rank, shown);
        if (overwritten && !reading.element() && reading.reader() != later.writer()) {
          boolean assumed = source >= 0 && !known[source][later.writer()];
          links.add(
              new Link(
                  reading.reader(),
                  later.writer(),
                  EdgeKind.RW,
                  number,
                  source,
                  reading.reader(),
                  reading.operation(),
                  later.operation(),
                  assumed));
        }
      }
    }
    for (Reading reading : key.readings) {
      if (reading.source() >= 0) {
        links.add(facts.read(reading));
      }
    }
  }

  /** As lists show, else as the commits are ordered. */
  private static boolean isBehind(int first, int later, int[] rank, int[][] shown) {
    return first != later
        && (shown[first][later] >= 0 || (shown[later][first] < 0 && rank[first] < rank[later]));
  }

  /**
   * {@code first} comes before {@code later}, since {@code earlier} does: it is that one, or listed
   * right behind it, so that to assume the one is to assume the other.
   */
  private Link overwriting(long key, int first, Writing later, int earlier, int reader) {
    boolean assumed = !known[earlier][later.writer()];
    return new Link(
        first,
        later.writer(),
        EdgeKind.WW,
        key,
        assumed ? first : earlier,
        reader,
        Link.NONE,
        later.operation(),
        assumed);
  }

  /** Whether one is believed to have ended before the other began. */
  boolean isRealTime(int a, int b) {
    Times ended = facts.transaction(a).times();
    Times began = facts.transaction(b).times();
    if (a == b || !ended.orderable() || !began.orderable() || !ended.hasEnd()) {
      return false;
    }
    if (began.beginNs() <= ended.endNs()) {
      return false;
    }
    long apartNs = began.beginNs() - ended.endNs();
    return Objects.equals(ended.clock(), began.clock())
        || (clockUncertaintyNs != CheckerConfig.NEVER_COMPARED
            && (apartNs < 0 || apartNs > clockUncertaintyNs));
  }

  /** What is known, as it may be added to. */
  boolean[][] knownOrder() {
    boolean[][] copy = new boolean[size][];
    for (int i = 0; i < size; i++) {
      copy[i] = known[i].clone();
    }
    return copy;
  }
}
