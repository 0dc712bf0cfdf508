package io.isotail.incremental.judge.second;

import io.isotail.incremental.judge.second.HistoryReading.Deed;
import io.isotail.incremental.judge.second.SourcesOfReads.Kind;
import io.isotail.incremental.judge.second.SourcesOfReads.Source;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * From whom the elements of a list were read. A list is taken apart from its end: the reader's own
 * appends are taken off, and each element that is left stands among all that its transaction
 * appended, the front of which may be missing where the list does not begin with the initial
 * version.
 */
final class ListReadings {
  private final HistoryReading history;

  ListReadings(HistoryReading history) {
    this.history = history;
  }

  /** The place of the read that ends the list which begins at a place, or -1 if none does. */
  static int end(List<Deed> deeds, int first) {
    int end = first;
    while (deeds.get(end).directlyBeforeNext()) {
      end++;
    }
    return end > first && deeds.get(end).kind() == OperationKind.READ ? end : -1;
  }

  /**
   * What a list read shows.
   *
   * @param list its elements, behind the initial version if it shows that
   * @param absenceIsInitial whether that cannot be anything else
   * @param seen what the reader read before
   * @return a source that is bad if the list is, else one for each element of others
   */
  List<Source> read(int t, List<Deed> list, boolean absenceIsInitial, List<Source> seen) {
    int begin = list.get(0).place();
    boolean shownWhole = list.get(0).versionKind() == VersionKind.INITIAL;
    boolean whole = shownWhole && absenceIsInitial;
    boolean shownFirst = list.get(0).versionKind() == VersionKind.KNOWN;
    List<Deed> rest = new ArrayList<>(shownFirst ? list : list.subList(1, list.size()));
    Deed last = list.get(list.size() - 1);
    List<Deed> mine = new ArrayList<>();
    for (Deed deed : history.deeds(t).subList(0, begin)) {
      boolean changed = deed.changed() && deed.key() == last.key();
      if ((changed && (deed.kind() != OperationKind.WRITE || isUnseen(deed)))
          || (!mine.isEmpty() && deed.mayHaveChanged(last.table()))) {
        return List.of();
      }
      if (changed) {
        mine.add(deed);
      }
    }
    Source bad = new Source(last, Kind.BAD, SourcesOfReads.INITIAL, begin, false);
    boolean appends = !mine.isEmpty();
    while (!mine.isEmpty() && !rest.isEmpty()) {
      Deed own = mine.remove(mine.size() - 1);
      if (rest.remove(rest.size() - 1).version() != own.version()) {
        return List.of(bad);
      }
    }
    if (!mine.isEmpty()) {
      return whole ? List.of(bad) : List.of();
    }
    if (tooOften(t, list.subList(shownFirst ? 0 : 1, list.size()))) {
      return List.of(bad);
    }
    List<Source> sources = new ArrayList<>();
    for (Deed element : rest) {
      sources.add(element(t, element, begin, element.place() == rest.get(rest.size() - 1).place()));
    }
    if (sources.stream().anyMatch(source -> source.kind() == Kind.BAD)
        || !isOfWholeTransactions(rest, sources, whole)) {
      return List.of(bad);
    }
    if (rest.isEmpty() && appends && whole) {
      boolean sawOthers =
          seen.stream()
              .anyMatch(
                  each ->
                      each.kind() == Kind.ANOTHER
                          && each.writer() >= 0
                          && each.read().key() == last.key());
      return sawOthers
          ? List.of(bad)
          : List.of(new Source(list.get(0), Kind.ANOTHER, SourcesOfReads.INITIAL, begin, true));
    }
    return sources;
  }

  private static boolean isUnseen(Deed write) {
    return write.versionKind() != VersionKind.KNOWN;
  }

  /**
   * Whether an element is there more often than those who may have committed appended it, the
   * reader before it read.
   */
  private boolean tooOften(int t, List<Deed> list) {
    for (Deed element : list) {
      long there = list.stream().filter(each -> each.version() == element.version()).count();
      long appended = 0;
      for (int w = 0; w < history.size(); w++) {
        if (history.mayHaveCommitted(w)) {
          int end = w == t ? list.get(0).place() : history.deeds(w).size();
          appended +=
              history.deeds(w).subList(0, end).stream()
                  .filter(deed -> deed.installed(element.key(), element.version()))
                  .filter(deed -> !deed.undone())
                  .count();
        }
      }
      if (there > 1
          && there > appended
          && history.anybodyInstalled(element.key(), element.version())) {
        return true;
      }
    }
    return false;
  }

  private Source element(int t, Deed element, int begin, boolean last) {
    Set<Integer> others = new TreeSet<>(history.writersForGood(element.key(), element.version()));
    others.remove(t);
    others.removeIf(writer -> !history.mayHaveCommitted(writer));
    if (others.isEmpty()) {
      boolean installed = history.anybodyInstalled(element.key(), element.version());
      return new Source(
          element, installed ? Kind.BAD : Kind.OPEN, SourcesOfReads.INITIAL, begin, last);
    }
    int writer = others.iterator().next();
    boolean open = others.size() > 1 || !history.committed(writer);
    return new Source(
        element,
        open ? Kind.OPEN : Kind.ANOTHER,
        open ? SourcesOfReads.INITIAL : writer,
        begin,
        last);
  }

  /** Each element brings with it all that its transaction appended before and after it. */
  private boolean isOfWholeTransactions(List<Deed> list, List<Source> sources, boolean whole) {
    for (Source source : sources) {
      if (source.kind() == Kind.ANOTHER) {
        List<Long> appended = appended(source.writer(), source.read().key());
        int place = list.indexOf(source.read());
        boolean there = appended.isEmpty();
        for (int front = place - appended.size() + 1; front <= place && !there; front++) {
          there = isThere(list, front, appended, whole);
        }
        if (!there) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isThere(List<Deed> list, int front, List<Long> appended, boolean whole) {
    for (int i = 0; i < appended.size(); i++) {
      int place = front + i;
      boolean beforeTheList = place < 0 && !whole;
      boolean same =
          place >= 0 && place < list.size() && list.get(place).version() == appended.get(i);
      if (!beforeTheList && !same) {
        return false;
      }
    }
    return true;
  }

  /** What a transaction appended; nothing where that is not known. */
  private List<Long> appended(int writer, long key) {
    List<Long> appended = new ArrayList<>();
    for (Deed deed : history.deeds(writer)) {
      if (deed.changed() && deed.key() == key) {
        if (deed.kind() != OperationKind.WRITE || isUnseen(deed)) {
          return List.of();
        }
        appended.add(deed.version());
      }
    }
    return appended;
  }
}
