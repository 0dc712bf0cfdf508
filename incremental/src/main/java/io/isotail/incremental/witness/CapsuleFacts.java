package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.cause.Root;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What can be read off the transactions of a proven capsule: which of them wrote a version, which
 * read it, what lists show, and which came first in a session. Sentences cite operations from here
 * alone, so that they cite nothing which the capsule does not hold.
 *
 * <p>The judge works this out by itself ({@code judge.Facts}), with the reads that are bad or open.
 * It shares nothing on purpose. No verdict rests on this class.
 */
final class CapsuleFacts {

  /**
   * A read of another transaction's version.
   *
   * @param source place of its writer, {@link Link#INITIAL}, or {@link Link#NONE} for an outsider
   * @param element whether a list showed it as an element of a later version
   */
  record Reading(int reader, int operation, long key, int source, boolean element) {}

  /** The last write of a key by a transaction. */
  record Writing(int writer, int operation) {}

  /**
   * The list that a transaction read shows that a version directly succeeds another, or its own
   * write shows it, of which it is known what it replaced.
   *
   * @param earlier place of the writer of the first, or {@link Link#INITIAL}
   */
  record Shown(int earlier, int later, int reader) {}

  /** What is known of a key. */
  static final class KeyFacts {
    final List<Reading> readings = new ArrayList<>();
    final List<Writing> writings = new ArrayList<>();

    /** Last writes of the key by the version that each installed, where that is known. */
    final Map<Long, List<Writing>> installing = new HashMap<>();

    final List<Shown> shown = new ArrayList<>();
  }

  private final List<CapsuleTransaction> capsule;
  private final Map<Long, KeyFacts> keys = new LinkedHashMap<>();

  /** For each transaction those that are known to come before it; null until somebody asks. */
  private BitSet @Nullable [] knownBefore;

  /** The readings of each transaction, in program order. */
  private final List<List<Reading>> readings = new ArrayList<>();

  /** How its keys and versions are written. */
  final OperationText text;

  CapsuleFacts(List<CapsuleTransaction> capsule) {
    this.capsule = capsule;
    this.text = OperationText.of(capsule);
    for (int i = 0; i < size(); i++) {
      addWritings(i);
    }
    for (int i = 0; i < size(); i++) {
      readings.add(new ArrayList<>(4));
      addReadings(i);
      addReplaced(i);
    }
  }

  /** Whose version the first write of each key replaced. */
  private void addReplaced(int i) {
    Operations ops = operations(i);
    for (int op = 0; op < ops.size() && ops.anyReplaced(); op++) {
      if (ops.isWrite(op) && replacing(i, ops.key(op)) == op) {
        KeyFacts key = key(ops.key(op));
        List<Writing> writers = key.installing.getOrDefault(ops.replaced(op), List.of());
        if (writers.size() == 1 && writers.get(0).writer != i) {
          key.shown.add(new Shown(writers.get(0).writer, i, i));
        }
      }
    }
  }

  /** The first write of a key, if it is known which version it replaced; else none. */
  int replacing(int i, long key) {
    Operations ops = operations(i);
    for (int op = 0; op < ops.size(); op++) {
      if (ops.isWrite(op) && ops.key(op) == key) {
        return ops.replaces(op) ? op : Link.NONE;
      }
    }
    return Link.NONE;
  }

  private void addWritings(int i) {
    Operations ops = operations(i);
    for (int op = 0; op < ops.size(); op++) {
      if (ops.isWrite(op) && write(i, ops.key(op)) == op) {
        Writing writing = new Writing(i, op);
        key(ops.key(op)).writings.add(writing);
        if (ops.versionKind(op) == VersionKind.KNOWN) {
          key(ops.key(op))
              .installing
              .computeIfAbsent(ops.version(op), k -> new ArrayList<>(2))
              .add(writing);
        }
      }
    }
  }

  private void addReadings(int i) {
    Operations ops = operations(i);
    for (int op = 0; op < ops.size(); op++) {
      if (ops.listedBefore(op) && ops.versionKind(op) != VersionKind.UNKNOWN && !ops.undone(op)) {
        addShown(i, op);
      }
      if (ops.kind(op) == OperationKind.LISTED && ops.listEnd(op) > op && !ops.undone(op)) {
        addElement(i, op);
      }
      boolean ofOthers =
          ops.kind(op) == OperationKind.READ && !ops.undone(op) && !isWrittenBefore(ops, op);
      if (ofOthers && ops.versionKind(op) == VersionKind.INITIAL) {
        add(new Reading(i, op, ops.key(op), Link.INITIAL, false));
      } else if (ofOthers && ops.versionKind(op) == VersionKind.KNOWN) {
        addReadings(i, op);
      }
    }
  }

  private void addReadings(int i, int op) {
    Operations ops = operations(i);
    KeyFacts key = key(ops.key(op));
    List<Writing> writers = key.installing.getOrDefault(ops.version(op), List.of());
    for (Writing writing : writers) {
      if (writing.writer != i) {
        add(new Reading(i, op, ops.key(op), writing.writer, false));
      }
    }
    if (writers.isEmpty()) {
      add(new Reading(i, op, ops.key(op), Link.NONE, false));
    }
  }

  /** Whether a transaction has itself read the version of a reading. */
  boolean readsToo(int other, Reading reading) {
    for (Reading each : readings(other)) {
      if (each.key == reading.key
          && each.source == reading.source
          && !each.element
          && (each.source != Link.NONE
              || operations(other).version(each.operation)
                  == operations(reading.reader).version(reading.operation))) {
        return true;
      }
    }
    return false;
  }

  private void addElement(int reader, int listed) {
    Operations ops = operations(reader);
    boolean isVersion = lastOfOthers(ops, listed) == listed;
    int source =
        ops.versionKind(listed) == VersionKind.INITIAL ? Link.INITIAL : writerOf(reader, listed);
    boolean initial = source == Link.INITIAL;
    if (source != Link.NONE && source != reader && (isVersion || !initial)) {
      add(new Reading(reader, listed, ops.key(listed), source, !isVersion));
    }
  }

  private void add(Reading reading) {
    key(reading.key).readings.add(reading);
    readings.get(reading.reader).add(reading);
  }

  private void addShown(int reader, int listed) {
    Operations ops = operations(reader);
    boolean initial = ops.versionKind(listed) == VersionKind.INITIAL;
    int earlier = initial ? Link.INITIAL : writerOf(reader, listed);
    int later = writerOf(reader, listed + 1);
    if (later >= 0 && later != earlier && earlier != Link.NONE) {
      key(ops.key(listed)).shown.add(new Shown(earlier, later, reader));
    }
  }

  /** The last element of a list that is not the reader's own, by any element of it. */
  private static int lastOfOthers(Operations ops, int element) {
    int ownAppends = 0;
    for (int op = 0; op < element; op++) {
      ownAppends += ops.isWrite(op) && ops.key(op) == ops.key(element) ? 1 : 0;
    }
    return ops.listEnd(element) - ownAppends;
  }

  /** Who wrote an element of a list, even if not as its last one of the key. */
  private int writerOf(int reader, int element) {
    Operations read = operations(reader);
    if (element > lastOfOthers(read, element)) {
      return reader;
    }
    for (Writing writing : key(read.key(element)).writings) {
      if (writing.writer != reader && writes(writing.writer, read, element)) {
        return writing.writer;
      }
    }
    return Link.NONE;
  }

  private boolean writes(int writer, Operations read, int element) {
    Operations ops = operations(writer);
    for (int op = 0; op < ops.size(); op++) {
      if (ops.installs(op)
          && ops.key(op) == read.key(element)
          && ops.version(op) == read.version(element)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isWrittenBefore(Operations ops, int read) {
    for (int op = 0; op < read; op++) {
      if (ops.isWrite(op) && ops.key(op) == ops.key(read)) {
        return true;
      }
    }
    return false;
  }

  private KeyFacts key(long number) {
    return keys.computeIfAbsent(number, k -> new KeyFacts());
  }

  /** Number of transactions. */
  int size() {
    return capsule.size();
  }

  /** The transaction at a place. */
  CapsuleTransaction transaction(int place) {
    return capsule.get(place);
  }

  /** The operations of the transaction at a place. */
  Operations operations(int place) {
    return capsule.get(place).operations();
  }

  /** What is known of each key, in the order in which the capsule has them. */
  Map<Long, KeyFacts> keys() {
    return Collections.unmodifiableMap(keys);
  }

  /** What a transaction read from others, in program order. */
  List<Reading> readings(int reader) {
    return Collections.unmodifiableList(readings.get(reader));
  }

  /**
   * The transaction's first read of {@code key} from {@code source}, or {@link Link#NONE}.
   *
   * @param source place of the writer, or {@link Link#INITIAL}
   */
  int readFrom(int reader, long key, int source) {
    for (Reading reading : readings(reader)) {
      if (reading.key == key && reading.source == source && !reading.element) {
        return reading.operation;
      }
    }
    return Link.NONE;
  }

  /** As its first read of {@code key} from {@code source}, or else an element of a list. */
  int firstFrom(int reader, long key, int source) {
    int read = readFrom(reader, key, source);
    for (Reading reading : readings(reader)) {
      boolean shows = reading.element && reading.key == key && reading.source == source;
      read = read == Link.NONE && shows ? reading.operation : read;
    }
    return read;
  }

  /** The transaction's last write of {@code key}, or {@link Link#NONE}. */
  int write(int writer, long key) {
    Operations ops = operations(writer);
    for (int op = ops.size() - 1; op >= 0; op--) {
      if (ops.isWrite(op) && ops.key(op) == key) {
        return op;
      }
    }
    return Link.NONE;
  }

  /** A read from a transaction of the capsule. */
  Link read(Reading reading) {
    return new Link(
        reading.source,
        reading.reader,
        EdgeKind.WR,
        reading.key,
        Link.NONE,
        reading.reader,
        reading.operation,
        write(reading.source, reading.key),
        false);
  }

  /** Whether both are of one session, {@code a} before {@code b}. */
  boolean isSessionOrder(int a, int b) {
    CapsuleTransaction first = capsule.get(a);
    CapsuleTransaction later = capsule.get(b);
    return first.session().id() == later.session().id() && first.position() < later.position();
  }

  /** Whether sessions, reads and lists show that {@code a} committed before {@code b}. */
  boolean isKnownBefore(int a, int b) {
    if (a == Link.INITIAL || b == Link.INITIAL) {
      return a == Link.INITIAL && b != Link.INITIAL;
    }
    if (knownBefore == null) {
      knownBefore = closeKnownBefore();
    }
    return knownBefore[b].get(a);
  }

  private BitSet[] closeKnownBefore() {
    BitSet[] known = new BitSet[size()];
    for (int later = 0; later < size(); later++) {
      known[later] = new BitSet();
      for (int first = 0; first < size(); first++) {
        known[later].set(first, isSessionOrder(first, later));
      }
      for (Reading reading : readings(later)) {
        if (reading.source >= 0) {
          known[later].set(reading.source);
        }
      }
    }
    for (KeyFacts key : keys.values()) {
      for (Shown shown : key.shown) {
        if (shown.earlier >= 0 && shown.later >= 0) {
          known[shown.later].set(shown.earlier);
        }
      }
    }
    for (int middle = 0; middle < size(); middle++) {
      for (BitSet before : known) {
        if (before.get(middle)) {
          before.or(known[middle]);
        }
      }
    }
    return known;
  }

  /** Whether no transaction is known to have run on another server than the others. */
  boolean isOnOneServer() {
    return capsule.stream().noneMatch(t -> Root.Ran.of(t).isOnStandby())
        && capsule.stream().map(t -> t.session().databaseHost()).distinct().count() == 1;
  }

  /** Whether {@code a} had ended before {@code b} began, by a clock that both were told by. */
  boolean endedBefore(int a, int b) {
    Times ended = transaction(a).times();
    Times began = transaction(b).times();
    return ended.hasEnd()
        && ended.orderable()
        && began.orderable()
        && Objects.equals(ended.clock(), began.clock())
        && ended.endNs() < began.beginNs();
  }

  /**
   * Whether {@code a} committed before {@code b}: as far as their clocks tell, or else by the place
   * of their records in the log. One that was not captured stands before its first reader.
   */
  boolean committedFirst(int a, int b) {
    if (a == Link.INITIAL || b == Link.INITIAL) {
      return a == Link.INITIAL;
    }
    CapsuleTransaction first = capsule.get(a);
    CapsuleTransaction later = capsule.get(b);
    Times ended = first.times();
    Times others = later.times();
    if (ended.hasEnd() && others.hasEnd() && ended.endNs() != others.endNs()) {
      return ended.endNs() < others.endNs();
    }
    return first.position() == later.position() ? a < b : first.position() < later.position();
  }
}
