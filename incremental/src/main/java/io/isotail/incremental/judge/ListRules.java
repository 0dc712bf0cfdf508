package io.isotail.incremental.judge;

import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the list reads of one transaction say by themselves: the appends of others, and the first
 * element that no list may show there.
 *
 * <p>A list is a row of elements. The appends of a transaction stand in it side by side, all of
 * them, in program order; the reader's own come last. Somebody who committed wrote each element, as
 * often as it is there. A list that does not begin with the initial version may lack its front.
 * What nobody in the capsule wrote is passed over.
 */
final class ListRules {
  private final List<Operations> transactions;
  private final Effects effects;
  private final int reader;
  private final Operations ops;

  /** The operation with the first element. */
  private int start;

  /** The operation with the last element. */
  private int last;

  /** Whether the initial version stands before the first element. */
  private boolean whole;

  /** Number of elements before the reader's own. */
  private int others;

  /** The reader's own appends before the list. */
  private final List<Integer> own = new ArrayList<>();

  /** For each element before the reader's own the transaction that appended it, or none. */
  private int[] writers = {};

  ListRules(List<Operations> transactions, Effects effects, int reader) {
    this.transactions = transactions;
    this.effects = effects;
    this.reader = reader;
    this.ops = transactions.get(reader);
  }

  /** The read at the end of the list that begins with an operation; none where that begins none. */
  static int endOf(Operations ops, int first) {
    int i = first;
    while (i + 1 < ops.size()
        && ops.kind(i) == OperationKind.LISTED
        && ops.key(i + 1) == ops.key(i)
        && ops.versionKind(i + 1) == VersionKind.KNOWN) {
      i++;
    }
    return i > first && ops.kind(i) == OperationKind.READ ? i : Proof.NONE;
  }

  /** The operation that begins the list which an operation is part of; itself if none does. */
  static int beginOf(Operations ops, int operation) {
    int first = operation;
    while (first > 0
        && ops.kind(first - 1) == OperationKind.LISTED
        && ops.key(first - 1) == ops.key(operation)
        && ops.versionKind(first) == VersionKind.KNOWN) {
      first--;
    }
    return first;
  }

  /**
   * Looks at the list from one operation to another.
   *
   * @param seen a transaction from which the reader read of the key before, or none
   * @return why it is bad, or null
   */
  Proof.@Nullable BadRead badness(int from, int to, int seen) {
    last = to;
    whole =
        ops.versionKind(from) == VersionKind.INITIAL && !effects.mayExplainAbsence(reader, from);
    start = ops.versionKind(from) == VersionKind.KNOWN ? from : from + 1;
    boolean ownIsKnown = findOwn(from);
    others = Math.max(0, to + 1 - start - own.size());
    writers = new int[others];
    Arrays.fill(writers, Proof.NONE);
    if (!ownIsKnown) {
      others = 0;
      whole = false;
      return null;
    }
    Proof.BadRead bad = endsOtherwise(from);
    bad = bad == null ? whoWroteThem() : bad;
    bad = bad == null ? oneTooMany() : bad;
    bad = bad == null ? partOnly() : bad;
    if (bad == null && whole && !own.isEmpty() && own.size() > last - start && seen >= 0) {
      bad = new Proof.BadRead(reader, from, own.get(0), seen);
    }
    return bad;
  }

  /** Number of elements that others appended. */
  int others() {
    return others;
  }

  /** The operation of such an element, counted from 0. */
  int operation(int element) {
    return start + element;
  }

  /** The transaction that appended it, or none where that is open. */
  int writer(int element) {
    return writers[element];
  }

  /** Whether nothing that others appended is in the list, which shows that. */
  boolean isOfInitial() {
    return whole && others == 0 && !own.isEmpty() && own.size() == last + 1 - start;
  }

  private boolean findOwn(int before) {
    own.clear();
    boolean known = true;
    for (int i = 0; i < before; i++) {
      if (OperationRules.isWrite(ops, i) && ops.key(i) == ops.key(last)) {
        own.add(i);
        known &= isAppend(ops, i);
      }
    }
    for (int i = own.isEmpty() ? last : own.get(0); i < last && known; i++) {
      known = !OperationRules.mayWrite(ops, i, ops.statement(last).table());
    }
    return known;
  }

  private static boolean isAppend(Operations written, int i) {
    return written.kind(i) == OperationKind.WRITE && written.versionKind(i) == VersionKind.KNOWN;
  }

  /** Another element, or none, where one of the reader's own has to stand. */
  private Proof.@Nullable BadRead endsOtherwise(int from) {
    for (int back = 1; back <= own.size(); back++) {
      int append = own.get(own.size() - back);
      int at = last + 1 - back;
      if (at < start) {
        return whole ? new Proof.BadRead(reader, from, append, Proof.NONE) : null;
      }
      if (ops.version(at) != ops.version(append)) {
        return new Proof.BadRead(reader, at, append, Proof.NONE);
      }
    }
    return null;
  }

  private Proof.@Nullable BadRead whoWroteThem() {
    for (int e = 0; e < others; e++) {
      int at = operation(e);
      int writer = Proof.NONE;
      int any = Proof.NONE;
      boolean open = false;
      for (Effects.Write write : effects.installs(ops.key(at), ops.version(at))) {
        boolean mine = write.writer() == reader;
        boolean again = mine && write.operation() < at && !effects.isUndone(write);
        any = any == Proof.NONE && !again ? write.writer() : any;
        if (mine || effects.isUndone(write) || write.writer() == writer) {
          continue;
        }
        if (effects.isCommitted(write.writer())) {
          open |= writer >= 0;
          writer = write.writer();
        } else {
          open |= effects.mayHaveCommitted(write.writer());
        }
      }
      if (!open && writer < 0 && any != Proof.NONE) {
        return new Proof.BadRead(reader, at, Proof.NONE, any);
      }
      writers[e] = open ? Proof.NONE : writer;
    }
    return null;
  }

  private Proof.@Nullable BadRead oneTooMany() {
    for (int at = start; at <= last; at++) {
      int shown = 0;
      for (int i = start; i <= at; i++) {
        shown += ops.version(i) == ops.version(at) ? 1 : 0;
      }
      int appended = 0;
      int writer = Proof.NONE;
      if (shown > 1) {
        for (Effects.Write write : effects.installs(ops.key(at), ops.version(at))) {
          boolean toCome = write.writer() == reader && write.operation() > last;
          boolean may =
              effects.mayHaveCommitted(write.writer()) && !effects.isUndone(write) && !toCome;
          appended += may ? 1 : 0;
          writer = writer < 0 || may ? write.writer() : writer;
        }
      }
      if (writer >= 0 && shown > appended) {
        return new Proof.BadRead(reader, at, Proof.NONE, writer);
      }
    }
    return null;
  }

  /** A transaction's appends are not all there, or not side by side. */
  private Proof.@Nullable BadRead partOnly() {
    List<Long> shown = new ArrayList<>();
    for (int e = 0; e < others; e++) {
      shown.add(ops.version(operation(e)));
    }
    for (int e = 0; e < others; e++) {
      List<Long> appends = writers[e] < 0 ? List.of() : appends(writers[e]);
      if (!appends.isEmpty() && !standsAround(shown, e, appends)) {
        return new Proof.BadRead(reader, operation(e), Proof.NONE, writers[e]);
      }
    }
    return null;
  }

  /** Whether an element stands in a row of appends, the front of which may be before the list. */
  private boolean standsAround(List<Long> shown, int e, List<Long> appends) {
    for (int before = 0; before < appends.size(); before++) {
      int from = Math.max(0, e - before);
      int cut = from - (e - before);
      int behind = e - before + appends.size();
      if (appends.get(before).equals(shown.get(e))
          && behind <= shown.size()
          && (cut == 0 || !whole)
          && shown.subList(from, behind).equals(appends.subList(cut, appends.size()))) {
        return true;
      }
    }
    return false;
  }

  /** What a transaction appended, in program order; empty where that is not known. */
  private List<Long> appends(int writer) {
    Operations written = transactions.get(writer);
    List<Long> appends = new ArrayList<>();
    for (int i = 0; i < written.size(); i++) {
      if (OperationRules.isWrite(written, i) && written.key(i) == ops.key(last)) {
        if (!isAppend(written, i)) {
          return List.of();
        }
        appends.add(written.version(i));
      }
    }
    return appends;
  }
}
