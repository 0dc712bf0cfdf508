package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.cause.CausePart;
import io.isotail.incremental.cause.HurtRow;
import io.isotail.incremental.cause.Pattern;
import io.isotail.incremental.cause.Root;
import io.isotail.incremental.changes.CommitFault;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.polygraph.Conflict;
import io.isotail.incremental.polygraph.Dependency;
import io.isotail.incremental.reads.BadRead;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a cause is told by: the shape of a left-out thing, and the statements of those who did what
 * they should not have. It is taken before any proof, so that a transaction which merely stands on
 * the way makes no new cause.
 *
 * <table>
 * <caption>The statements that count</caption>
 * <tr><th>left out</th><th>statements</th></tr>
 * <tr><td>a bad read</td><td>the read; the write of what it returned; its own write that makes it
 * bad</td></tr>
 * <tr><td>a commit that the log tells otherwise</td><td>the write that shows it</td></tr>
 * <tr><td>an inferred edge</td><td>of the transaction that missed a write: the read that missed it
 * and the read that saw another one of the same writer</td></tr>
 * <tr><td>a transaction, for an update that was lost</td><td>of the one that overwrote what it had
 * not seen: the read and the write</td></tr>
 * <tr><td>a transaction, where it and another missed each other's writes</td><td>the reads that
 * missed, and the missed writes</td></tr>
 * <tr><td>any other transaction</td><td>its own of the cycle; the reads that missed what it
 * wrote</td></tr>
 * </table>
 *
 * @param pattern what it is told by
 * @param transaction that was left out, or whose read was
 * @param culprit the transaction whose statements these are
 * @param rows the rows that it is about
 */
record LeftOut(Pattern pattern, Transaction transaction, Transaction culprit, List<HurtRow> rows) {
  private static final String OVERWRITTEN = "overwritten";

  /** A read that breaks an axiom. */
  static LeftOut of(BadRead bad) {
    CauseParts parts = new CauseParts();
    parts.operation(bad.reader(), bad.operation());
    parts.statement(bad.reader(), bad.ownWrite());
    if (bad.source() != null) {
      parts.statement(bad.source().writer, bad.source().operation);
    }
    return leftOut(IsolationLevel.READ_COMMITTED, bad.kind().label(), parts, bad.reader());
  }

  /** A transaction that ended otherwise in the database's log. */
  static LeftOut of(CommitFault fault, Transaction t) {
    CauseParts parts = new CauseParts();
    parts.operation(t, fault.operation());
    return leftOut(IsolationLevel.READ_COMMITTED, fault.kind().label(), parts, t);
  }

  /**
   * An inferred edge: a transaction read a key and missed what another wrote of it.
   *
   * @param reader the transaction that read
   * @param missed the writer that it should have seen
   * @param read the writer that it read from
   */
  static LeftOut missed(
      Transaction reader, long key, Transaction missed, Transaction read, IsolationLevel level) {
    CauseParts parts = new CauseParts();
    parts.read(reader, key, read);
    int sawNew = TransactionReads.readFrom(reader, missed, 0);
    parts.statement(reader, sawNew);
    String seen = "key";
    if (sawNew < 0) {
      seen = missed.session == reader.session ? "session" : "others";
    } else if (TransactionReads.readOf(reader, key, missed, 0) < 0) {
      boolean newFirst = TransactionReads.readOf(reader, key, read, sawNew) >= 0;
      seen = newFirst ? "writer first" : "writer";
    }
    return leftOut(level, "missed, seen by " + seen, parts, reader);
  }

  /** The reads of a transaction that close a causality cycle. */
  static LeftOut fromTheFuture(Transaction reader, Transaction writer) {
    CauseParts parts = new CauseParts();
    parts.operation(reader, TransactionReads.readFrom(reader, writer, 0));
    return leftOut(IsolationLevel.READ_COMMITTED, "future", parts, reader);
  }

  /**
   * A transaction that no order of the versions has a place for.
   *
   * @param newest on a cycle of the conflict
   */
  static LeftOut of(Transaction newest, IsolationLevel level, Conflict conflict) {
    List<Dependency> cycle =
        conflict.cycles().stream()
            .filter(each -> each.stream().anyMatch(edge -> touches(edge, newest)))
            .min(Comparator.comparingInt(List::size))
            .orElse(List.of());
    CauseParts parts = new CauseParts();
    Transaction overwriter = overwriter(cycle);
    if (overwriter != null) {
      parts.read(overwriter, cycle.get(0).key(), null);
      parts.write(overwriter, cycle.get(0).key());
    } else {
      add(cycle, newest, parts);
    }
    String shape = overwriter != null ? OVERWRITTEN : shape(cycle);
    return new LeftOut(
        Pattern.of(level, shape, parts.all()),
        newest,
        overwriter == null ? newest : overwriter,
        parts.rows());
  }

  private static boolean touches(Dependency edge, Transaction end) {
    return edge.first() == end || edge.later() == end;
  }

  /**
   * Where two transactions wrote a key and one of them had not seen the other's version: the one
   * that overwrote it, which is the one that missed it; if both did, the one that locks nothing, or
   * ended later. Null where that one locks what it reads.
   */
  private static @Nullable Transaction overwriter(List<Dependency> cycle) {
    if (cycle.size() != 2 || cycle.get(0).key() != cycle.get(1).key()) {
      return null;
    }
    Transaction missedBy = null;
    for (Dependency edge : cycle) {
      boolean update = edge.kind() == EdgeKind.RW || edge.kind() == EdgeKind.WW;
      if (!update || !edge.first().writes(edge.key())) {
        return null;
      }
      if (edge.kind() == EdgeKind.RW) {
        Transaction overwriter = overwriter(edge);
        missedBy =
            missedBy == null || overwrote(overwriter, missedBy, edge.key()) ? overwriter : missedBy;
      }
    }
    // Who locks what it reads only shows what another has overwritten: the proof tells whom.
    boolean locks = missedBy != null && CauseParts.locks(missedBy, cycle.get(0).key());
    return locks ? null : missedBy;
  }

  /** Of two of which the first missed what the other wrote, maybe as the other missed it. */
  private static Transaction overwriter(Dependency missed) {
    Transaction read = missed.source();
    boolean both =
        read != null && TransactionReads.readOf(missed.later(), missed.key(), read, 0) >= 0;
    return both && overwrote(missed.later(), missed.first(), missed.key())
        ? missed.later()
        : missed.first();
  }

  /**
   * Whether it was rather the first of two that overwrote the other's version: who locks what it
   * reads misses no update, whatever the clocks say.
   */
  private static boolean overwrote(Transaction one, Transaction other, long key) {
    boolean locks = CauseParts.locks(one, key);
    return locks == CauseParts.locks(other, key) ? PlausibleCycle.endsBefore(other, one) : !locks;
  }

  private static void add(List<Dependency> cycle, Transaction newest, CauseParts parts) {
    boolean missesOne = cycle.stream().anyMatch(e -> isRw(e) && e.first() == newest);
    boolean isMissed = cycle.stream().anyMatch(e -> isRw(e) && e.later() == newest);
    for (Dependency edge : cycle) {
      if (touches(edge, newest)) {
        add(edge, newest, missesOne && isMissed, parts);
      }
    }
  }

  private static boolean isRw(Dependency edge) {
    return edge.kind() == EdgeKind.RW;
  }

  private static void add(
      Dependency edge, Transaction newest, boolean missEachOther, CauseParts parts) {
    switch (edge.kind()) {
      case RW -> {
        parts.read(edge.first(), edge.key(), edge.source());
        if (missEachOther) {
          parts.write(edge.later(), edge.key());
        }
      }
      case WR -> {
        if (edge.later() == newest) {
          parts.read(newest, edge.key(), edge.first());
        }
      }
      case WW -> parts.write(newest, edge.key());
      default -> {
        // Sessions and time need no statement.
      }
    }
  }

  /** The name of a cycle, as far as it is told without a proof. */
  private static String shape(List<Dependency> cycle) {
    Set<Long> keys = new HashSet<>();
    List<EdgeKind> kinds = new ArrayList<>();
    boolean readOnly = false;
    for (Dependency edge : cycle) {
      kinds.add(edge.kind());
      if (edge.kind() != EdgeKind.SO && edge.kind() != EdgeKind.RT) {
        keys.add(edge.key());
      }
      readOnly |= edge.first().writeCount() == 0;
    }
    return CycleNames.kind(new CycleShape(kinds, keys.size(), readOnly, false, false, false))
        .label();
  }

  /**
   * The statements that tell the cause once it is proven. Where only the proof shows that an update
   * was lost, they are those of the transaction that overwrote it, cut to what matters.
   */
  List<CausePart> parts(Explanation told, @Nullable Proven proven) {
    CapsuleTransaction overwriter =
        pattern.shape().equals(OVERWRITTEN) ? null : overwriter(told, proven);
    if (overwriter == null) {
      return pattern.parts();
    }
    CauseParts parts = new CauseParts();
    parts.all(overwriter);
    return Pattern.of(pattern.level(), pattern.shape(), parts.all()).parts();
  }

  /** Where the transaction ran that did what it should not have, as the proof tells it. */
  Root.Ran ran(Explanation told, @Nullable Proven proven) {
    CapsuleTransaction overwriter = overwriter(told, proven);
    return overwriter == null ? Root.Ran.of(culprit) : Root.Ran.of(overwriter);
  }

  private static @Nullable CapsuleTransaction overwriter(
      Explanation told, @Nullable Proven proven) {
    boolean lost =
        told.kind() == AnomalyKind.LOST_UPDATE || told.kind() == AnomalyKind.BLIND_LOST_UPDATE;
    if (!lost || proven == null || told.cycle().isEmpty()) {
      return null;
    }
    String name = told.cycle().get(0).from();
    return proven.capsule().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  private static LeftOut leftOut(
      IsolationLevel level, String shape, CauseParts parts, Transaction transaction) {
    return new LeftOut(
        Pattern.of(level, shape, parts.all()), transaction, transaction, parts.rows());
  }
}
