package io.isotail.incremental.events;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.state.StateReader;
import io.isotail.incremental.state.StateWriter;
import io.isotail.incremental.window.SessionState;
import io.isotail.incremental.window.Txn;
import it.unimi.dsi.fastutil.objects.Reference2ObjectLinkedOpenHashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a graph keeps of transactions that have left the window: each with its writes alone, as long
 * as one of its versions is the last of its key, or is overwritten by one in the window, or was
 * read by one in the window, unless there are too many of these. So two transactions that overwrite
 * what was written long ago are still seen to do so.
 *
 * <p>What is kept is part of the history, and so is what follows from it.
 */
final class Past {
  private final LevelGraph graph;
  private final int most;

  /** Oldest first. */
  final LinkedItems<Member> retired = new LinkedItems<>();

  /** Of each session the one that left the window last, if edges lead to it. */
  private final Map<SessionState, Member> latest = new Reference2ObjectLinkedOpenHashMap<>();

  /** Those that may be of no use any more, and some that are gone; none between two records. */
  private final ArrayDeque<Member> overwritten = new ArrayDeque<>();

  /** Whether an edge has come to lead to one of them, whose reads are not known. */
  boolean followed;

  /** Whether any transaction has been taken out for good. */
  boolean incomplete;

  /** What was lost when a transaction was added, until it is told. */
  private Loss settled = Loss.NONE;

  /** Whether those in the window, who may have read what is here, are still to be added. */
  private boolean filling;

  private final List<Txn> dropped = new ArrayList<>();

  Past(LevelGraph graph, int most) {
    this.graph = graph;
    this.most = most;
  }

  /** Takes a member that another graph has kept. */
  void add(Member member) {
    member.retired = true;
    retired.add(member);
  }

  /** A version may have become of no use. */
  void noteOverwritten(@Nullable VersionSlot slot) {
    if (slot != null && slot.writer != null && slot.writer.retired && !isOfUse(slot)) {
      note(slot.writer);
    }
  }

  /** An edge is wanted. */
  void noteEdgeTo(Event event) {
    followed |= event.member != null && event.member.retired;
  }

  /** A list shows the place of a version whose writer is not there: it may have been. */
  void noteUnknownWriter() {
    followed |= incomplete;
  }

  private void note(Member member) {
    if (!member.overwritten) {
      member.overwritten = true;
      overwritten.add(member);
    }
  }

  /** What could not be found since this was asked last. */
  Loss toldLoss() {
    Loss loss = followed ? settled.and(Loss.ANY) : settled;
    followed = false;
    settled = Loss.NONE;
    return loss;
  }

  /** Takes out what is of no use any more after a transaction was added, or was not. */
  void settle() {
    if (!filling && !overwritten.isEmpty()) {
      settled = settled.and(dropUseless());
    }
  }

  /** Members of another graph are added, and then those that read from them. */
  void fill() {
    filling = true;
  }

  /** All have been added: any member may be of no use. */
  void filled() {
    filling = false;
    for (Member member : retired) {
      if (!isOfUse(member)) {
        note(member);
      }
    }
  }

  /** A member leaves the window; says which cycles can no longer be found. */
  Loss leave(Member member) {
    Loss loss = toldLoss();
    loss = loss.and(isOfUse(member) && most > 0 ? retire(member) : drop(member));
    Member oldest = retired.first();
    if (oldest != null && retired.size() > most) {
      loss = loss.and(drop(oldest));
    }
    return loss.and(dropUseless());
  }

  /** Takes out what is of no use any more; says which cycles can no longer be found. */
  Loss dropUseless() {
    Loss loss = Loss.NONE;
    for (Member each = overwritten.poll(); each != null; each = overwritten.poll()) {
      if (each.overwritten) {
        each.overwritten = false;
        loss = isOfUse(each) ? loss : loss.and(drop(each));
      }
    }
    graph.enterAll();
    return loss;
  }

  private static boolean isOfUse(Member member) {
    for (VersionSlot slot : member.writes) {
      if (isOfUse(slot)) {
        return true;
      }
    }
    return false;
  }

  /** Whether someone in the window read the version, or may yet. */
  private static boolean isOfUse(VersionSlot slot) {
    VersionSlot next = slot.next;
    return !slot.readers.isEmpty() || next == null || next.writer == null || !next.writer.retired;
  }

  /** Takes out its reads, and what follows from them, from list reads and from times. */
  private Loss retire(Member member) {
    boolean reads = !member.reads.isEmpty() || showsWhatIsLost(member);
    Loss loss = showsWhatIsLost(member) ? Loss.ANY : through(member);
    for (int i = member.reads.size() - 1; i >= 0; i--) {
      Reading reading = member.reads.get(i);
      if (reading.shown == null) {
        graph.takeOut(reading);
      }
    }
    ListReads.forgetShownBy(graph, member, true);
    if (graph.realTime != null) {
      graph.realTime.leave(member);
    }
    Dependency in = member.begin.firstIn;
    while (in != null) {
      Dependency next = in.nextIn;
      if (in.kind == EdgeKind.WR) {
        in.remove();
      }
      in = next;
    }
    List<Succession> open = notEnforced(member);
    LevelGraph.forgetVersions(member);
    incomplete |= overwritesItself(member.txn);
    graph.inWindow.remove(member);
    add(member);
    for (VersionSlot slot : member.writes) {
      if (slot.key.lists != null) {
        slot.key.lists.addWriter(slot);
        open.removeAll(slot.key.lists.about(slot));
      }
      noteOverwritten(slot.previous);
    }
    if (!reads && loss != Loss.NONE) {
      // What leads to it leads on to whatever its session does next.
      followed(member);
      loss = Loss.REAL_TIME;
    }
    // Of the versions of a key only the last is known from now on.
    return open.isEmpty() ? loss : Loss.ANY;
  }

  private void followed(Member member) {
    latest.merge(member.txn.session, member, (a, b) -> a.txn.number > b.txn.number ? a : b);
  }

  /**
   * The last one of a session, if edges lead to it; null if {@code next} comes before it, as it may
   * when it is promoted late: then it may come after another one that is not known any more.
   */
  @Nullable Member latestBefore(Txn next) {
    Member member = latest.get(next.session);
    if (member != null && member.txn.number > next.number) {
      followed = true;
      return null;
    }
    return member;
  }

  /**
   * Another graph's past ends, and this one is to stand for it: what only that one has kept is
   * forgotten.
   */
  void standInFor(Past other) {
    for (Member member : other.retired) {
      incomplete |= Member.of(member.txn, graph) == null;
    }
  }

  /** Saves which are {@link #latestBefore the last of their sessions}. */
  void saveLatest(StateWriter out) {
    out.count(latest.size());
    latest.values().forEach(member -> out.count(member.saved));
  }

  void loadLatest(List<Member> members, StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      followed(members.get(in.count()));
    }
  }

  /** Whether it overwrote, or deleted, a version of its own. */
  private static boolean overwritesItself(Txn txn) {
    for (int i = 0; i < txn.operations.size(); i++) {
      boolean installs = txn.operations.kind(i) == OperationKind.WRITE && !txn.operations.undone(i);
      int key = installs ? txn.writeIndex(txn.operations.key(i)) : -1;
      if (key >= 0 && txn.finalWrite(key) != i) {
        return true;
      }
    }
    return false;
  }

  /** What lists show of its versions that still waits for another writer. */
  private static List<Succession> notEnforced(Member member) {
    List<Succession> open = new ArrayList<>();
    for (VersionSlot slot : member.writes) {
      if (slot.key.lists != null) {
        open.addAll(slot.key.lists.about(slot));
      }
    }
    open.removeIf(shown -> shown.enforced);
    return open;
  }

  private Loss drop(Member member) {
    Loss loss = showsWhatIsLost(member) ? Loss.ANY : through(member);
    for (VersionSlot slot : member.writes) {
      for (Reading reading : slot.readers) {
        loss = reading.toNext != null ? Loss.ANY : loss;
        graph.takeOut(reading);
      }
    }
    member.leave();
    if (member.retired) {
      retired.remove(member);
      latest.remove(member.txn.session, member);
    } else {
      graph.inWindow.remove(member);
    }
    LevelGraph.forgetVersions(member);
    ListReads.forgetShownBy(graph, member, true);
    if (graph.realTime != null) {
      graph.realTime.leave(member);
    }
    graph.takeOut(member);
    graph.takeOutWrites(member);
    member.overwritten = false;
    dropped.add(member.txn);
    incomplete = true;
    return loss;
  }

  private static boolean showsWhatIsLost(Member member) {
    for (Succession shown : member.shows) {
      if (ListReads.isLost(shown)) {
        return true;
      }
    }
    return false;
  }

  /** Which cycles may lead through a member. */
  private static Loss through(Member member) {
    Loss loss =
        member.begin != member.commit && member.commit.firstIn != null ? Loss.ANY : Loss.NONE;
    for (Dependency in = member.begin.firstIn; in != null; in = in.nextIn) {
      loss = loss.and(in.kind == EdgeKind.RT ? Loss.REAL_TIME : Loss.ANY);
    }
    return loss;
  }

  /** Tells what has been taken out since this was asked last. */
  void drainDropped(Consumer<Txn> to) {
    dropped.forEach(to);
    dropped.clear();
  }
}
