package io.isotail.incremental.judge.second;

import io.isotail.incremental.judge.second.HistoryReading.Deed;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** From whom each read of a committed transaction read. */
final class SourcesOfReads {
  /** In place of a transaction: the initial one. */
  static final int INITIAL = -1;

  private final HistoryReading history;
  private final List<List<Source>> sources = new ArrayList<>();

  /** What is known of the source of a read. */
  enum Kind {
    /** The initial version, or another transaction. */
    ANOTHER,
    /** A write of the reader itself. */
    OWN,
    /** Several may be, or one that is not among the transactions. */
    OPEN,
    /** None of what may have been read. */
    BAD
  }

  /**
   * The source of one read.
   *
   * @param writer the transaction or {@link #INITIAL} for {@link Kind#ANOTHER}
   * @param begin the place where the list begins that it is an element of; its own if none
   * @param ofVersion whether it read a version, and not an element before the last one of others
   */
  record Source(Deed read, Kind kind, int writer, int begin, boolean ofVersion) {
    Source(Deed read, Kind kind, int writer) {
      this(read, kind, writer, read.place(), true);
    }
  }

  SourcesOfReads(HistoryReading history) {
    this.history = history;
    ListReadings lists = new ListReadings(history);
    for (int t = 0; t < history.size(); t++) {
      List<Source> ofThis = new ArrayList<>();
      List<Deed> deeds = history.deeds(t);
      for (int i = 0; i < deeds.size() && history.committed(t); i++) {
        int end = ListReadings.end(deeds, i);
        if (end >= 0) {
          List<Deed> list = deeds.subList(i, end + 1);
          boolean initial = !absenceHasAnotherReason(t, deeds.get(i));
          ofThis.addAll(deeds.get(end).undone() ? List.of() : lists.read(t, list, initial, ofThis));
          i = end;
        } else if (deeds.get(i).returned()) {
          ofThis.add(source(t, deeds.get(i)));
        }
      }
      sources.add(ofThis);
    }
  }

  /** The sources of all reads of a transaction, in program order. */
  List<Source> of(int t) {
    return sources.get(t);
  }

  /** Those of its reads that read from a known other transaction, or the initial version. */
  List<Source> fromOthers(int t) {
    return sources.get(t).stream().filter(source -> source.kind == Kind.ANOTHER).toList();
  }

  /** Whether a list read that begins and ends at these places is known to have read its version. */
  boolean isKnown(int t, int begin, int end) {
    boolean bad = false;
    Deed read = history.deeds(t).get(end);
    Deed own = history.ownWrite(t, read);
    boolean known = own != null && own.installed(read.key(), read.version());
    for (Source source : sources.get(t)) {
      bad |= source.begin == begin && source.kind == Kind.BAD;
      known |= source.read.place() == end && source.kind == Kind.ANOTHER;
    }
    return known && !bad && !read.undone();
  }

  /** Whether any read is bad in itself. */
  boolean anyBad() {
    return sources.stream().flatMap(List::stream).anyMatch(source -> source.kind == Kind.BAD);
  }

  private Source source(int t, Deed read) {
    Deed own = history.ownWrite(t, read);
    if (own != null) {
      return new Source(read, ofOwn(t, read, own), INITIAL);
    }
    if (read.versionKind() == VersionKind.INITIAL) {
      boolean initial = read.surelyInitial() || !absenceHasAnotherReason(t, read);
      return new Source(read, initial ? Kind.ANOTHER : Kind.OPEN, INITIAL);
    }
    return ofVersion(t, read);
  }

  /** A transaction that wrote the key sees its last write, and nothing else. */
  private Kind ofOwn(int t, Deed read, Deed own) {
    boolean deleted = own.kind() == OperationKind.DELETE;
    boolean absent = read.versionKind() == VersionKind.INITIAL;
    if (deleted ? absent : !absent && own.installed(read.key(), read.version())) {
      return Kind.OWN;
    }
    if (!deleted && own.versionKind() != VersionKind.KNOWN) {
      return Kind.OPEN;
    }
    for (Deed between : history.deeds(t).subList(own.place() + 1, read.place())) {
      if (between.mayHaveChanged(read.table())) {
        return Kind.OPEN;
      }
    }
    return absent || history.anybodyInstalled(read.key(), read.version()) ? Kind.BAD : Kind.OPEN;
  }

  /**
   * The writer of a version is the one that committed it. It is open where two may be, or one that
   * is not among the transactions; and no other version than a transaction's last one is ever seen.
   */
  private Source ofVersion(int t, Deed read) {
    Set<Integer> others = new TreeSet<>(history.writersForGood(read.key(), read.version()));
    others.remove(t);
    others.removeIf(writer -> !history.mayHaveCommitted(writer));
    if (others.isEmpty()) {
      boolean installed = history.anybodyInstalled(read.key(), read.version());
      return new Source(read, installed ? Kind.BAD : Kind.OPEN, INITIAL);
    }
    int writer = others.iterator().next();
    if (others.size() > 1 || !history.committed(writer)) {
      return new Source(read, Kind.OPEN, INITIAL);
    }
    Deed last =
        Objects.requireNonNull(
            HistoryReading.lastWrite(history.deeds(writer), read.key()), "wrote the key");
    boolean unseen = last.kind() == OperationKind.WRITE && last.versionKind() != VersionKind.KNOWN;
    boolean isLast = unseen || last.installed(read.key(), read.version());
    return new Source(read, isLast ? Kind.ANOTHER : Kind.BAD, writer);
  }

  /** Whether a list may begin with the initial version because something was deleted. */
  boolean mayBeGone(int t, Deed initial) {
    return absenceHasAnotherReason(t, initial);
  }

  /** Whether a delete or a statement that is not understood may be why a row was not there. */
  private boolean absenceHasAnotherReason(int t, Deed read) {
    for (int other = 0; other < history.size(); other++) {
      boolean before =
          other != t && history.mayHaveCommitted(other) && !history.earlierInSession(t, other);
      for (Deed deed : history.deeds(other)) {
        boolean deletes =
            deed.kind() == OperationKind.DELETE && !deed.undone() && deed.key() == read.key();
        boolean ownBefore = other == t && deed.place() < read.place();
        if ((before && deletes) || ((before || ownBefore) && deed.mayHaveChanged(read.table()))) {
          return true;
        }
      }
    }
    return false;
  }
}
