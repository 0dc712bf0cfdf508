package io.isotail.incremental.naive;

import io.isotail.incremental.naive.NaiveTransaction.Op;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a list read says by the definition of a list: the state of a list is what committed
 * transactions appended, one transaction after the other, and a transaction reads such a state and
 * behind it what it has appended itself.
 */
final class NaiveLists {
  /** As a writer: it is not known, or open. */
  static final int NOBODY = -1;

  private final List<NaiveTransaction> txns;
  private final boolean closed;
  private final Map<List<Long>, Integer> writers = new HashMap<>();

  NaiveLists(List<NaiveTransaction> txns, boolean closed) {
    this.txns = txns;
    this.closed = closed;
  }

  /** Whether a list read returned a state that there may have been. */
  boolean consistent(int t, int r) {
    Op read = txns.get(t).ops().get(r);
    List<Long> list = read.list().elements();
    boolean complete = read.list().complete();
    List<Long> own = txns.get(t).written(read.key(), r);
    boolean endsWithOwn =
        list.size() >= own.size() ? endsWith(list, own) : !complete && endsWith(own, list);
    if (!endsWithOwn) {
      return false;
    }
    for (Long element : list) {
      int appended = 0;
      for (NaiveTransaction each : txns) {
        appended += each.mayCommit() ? Collections.frequency(each.written(read.key()), element) : 0;
      }
      if ((closed || anybodyWrote(read.key(), element))
          && Collections.frequency(list, element) > appended) {
        return false;
      }
    }
    List<Long> others = others(t, r);
    for (Long element : others) {
      if (sources(t, read.key(), element).isEmpty()
          && (closed || anybodyWrote(read.key(), element))
          && !mayBeOfUnknown(t, read.key(), element)) {
        return false;
      }
    }
    return isState(t, read.key(), others) || (!complete && isEndOfState(t, read.key(), others));
  }

  private static boolean endsWith(List<Long> list, List<Long> end) {
    return list.subList(list.size() - end.size(), list.size()).equals(end);
  }

  /** The elements before the reader's own. */
  List<Long> others(int t, int r) {
    Op read = txns.get(t).ops().get(r);
    List<Long> list = read.list().elements();
    int own = txns.get(t).written(read.key(), r).size();
    return list.subList(0, Math.max(0, list.size() - own));
  }

  /** Whether whole transactions appended these, one after the other. */
  private boolean isState(int t, long key, List<Long> list) {
    if (list.isEmpty()) {
      return true;
    }
    Set<Integer> sources = sources(t, key, list.get(0));
    for (int writer : sources) {
      List<Long> appended = txns.get(writer).written(key);
      if (list.size() >= appended.size()
          && list.subList(0, appended.size()).equals(appended)
          && isState(t, key, list.subList(appended.size(), list.size()))) {
        return true;
      }
    }
    return sources.size() != 1 && isState(t, key, list.subList(1, list.size()));
  }

  /** Whether these are what is left of such a state without its front. */
  private boolean isEndOfState(int t, long key, List<Long> list) {
    for (int writer : sources(t, key, list.get(0))) {
      List<Long> appended = txns.get(writer).written(key);
      for (int front = 1; front < appended.size(); front++) {
        List<Long> longer = new ArrayList<>(appended.subList(0, front));
        longer.addAll(list);
        if (isState(t, key, longer)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean anybodyWrote(long key, Long element) {
    return txns.stream()
        .flatMap(t -> t.ops().stream())
        .anyMatch(o -> o.write() && o.key() == key && element.equals(o.version()));
  }

  /** Whether one whose outcome nobody knows wrote it, and another one may have. */
  private boolean mayBeOfUnknown(int t, long key, Long element) {
    for (int w = 1; w < txns.size(); w++) {
      NaiveTransaction each = txns.get(w);
      if (w != t && each.mayCommit() && each.written(key).contains(element)) {
        return true;
      }
    }
    return false;
  }

  /** The other transactions that appended an element and committed. */
  private Set<Integer> sources(int t, long key, Long element) {
    Set<Integer> sources = new TreeSet<>();
    for (int w = 1; w < txns.size(); w++) {
      if (w != t && !txns.get(w).aborted() && txns.get(w).written(key).contains(element)) {
        sources.add(w);
      }
    }
    return sources;
  }

  /** The transaction that appended an element for another one to read, or {@link #NOBODY}. */
  int writer(int t, long key, Long element) {
    return writers.computeIfAbsent(
        List.of((long) t, key, element), k -> findWriter(t, key, element));
  }

  private int findWriter(int t, long key, Long element) {
    Set<Integer> sources = sources(t, key, element);
    return sources.size() == 1 ? sources.iterator().next() : NOBODY;
  }
}
