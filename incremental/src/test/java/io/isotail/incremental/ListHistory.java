package io.isotail.incremental;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random small histories of lists that are appended to and read. In half of them something goes
 * wrong with what is read: elements of aborted, undone or unread appends, of nobody, elements
 * twice, split groups, lost fronts and ends, other orders. Attempts that failed, or of which nobody
 * knows how they ended, are tried again with the same element.
 */
final class ListHistory {
  private static final int UNWRITTEN = 900;

  private final Random random;
  private final int keys;
  private final boolean faulty;
  private final boolean odd;
  private final List<List<Long>> lists = new ArrayList<>();

  /** The states of each list that there were. */
  private final List<List<List<Long>>> states = new ArrayList<>();

  /** All elements of each list that anybody tried to append. */
  private final List<List<Long>> tried = new ArrayList<>();

  private final List<TransactionRecord> done = new ArrayList<>();
  private long nextElement = 1;

  /** What a session whose attempt failed appends next: key and element, in turn. */
  private final List<List<Long>> again = new ArrayList<>();

  private ListHistory(long seed) {
    random = Seeds.random(seed);
    keys = 1 + random.nextInt(2);
    faulty = random.nextBoolean();
    odd = random.nextInt(3) > 0;
    for (int key = 0; key < keys; key++) {
      lists.add(List.of());
      states.add(new ArrayList<>(List.of(List.of())));
      tried.add(new ArrayList<>());
    }
  }

  /** The transactions in the order of their commits. */
  static List<TransactionRecord> of(long seed) {
    ListHistory history = new ListHistory(seed);
    int sessions = 2 + history.random.nextInt(3);
    int count = 3 + history.random.nextInt(6);
    long[] sequences = new long[sessions];
    for (int s = 0; s < sessions; s++) {
      history.again.add(new ArrayList<>());
    }
    for (int n = 0; n < count; n++) {
      int session = history.random.nextInt(sessions);
      history.run(session, sequences[session]++);
    }
    return history.done;
  }

  private void run(int session, long sequence) {
    Operations.Builder ops = new Operations.Builder();
    List<List<Long>> view = new ArrayList<>();
    for (int key = 0; key < keys; key++) {
      List<List<Long>> all = states.get(key);
      int back = faulty && random.nextInt(6) == 0 ? random.nextInt(all.size()) : all.size() - 1;
      view.add(all.get(back));
    }
    List<List<Long>> own = new ArrayList<>();
    for (int key = 0; key < keys; key++) {
      own.add(new ArrayList<>());
    }
    int length = 1 + random.nextInt(4);
    for (int o = 0; o < length; o++) {
      int key = random.nextInt(keys);
      if (random.nextBoolean()) {
        append(ops, session, key, own.get(key));
      } else {
        List<Long> list = new ArrayList<>(view.get(key));
        list.addAll(own.get(key));
        if (faulty && random.nextInt(4) == 0) {
          spoil(list, key);
        }
        read(ops, key, list);
      }
    }
    int fate = odd ? random.nextInt(10) : 9;
    Outcome outcome = fate == 0 ? Outcome.ABORTED : fate < 3 ? Outcome.UNKNOWN : Outcome.COMMITTED;
    boolean commits = outcome == Outcome.COMMITTED || (fate == 1);
    again.get(session).clear();
    for (int key = 0; key < keys; key++) {
      if (outcome != Outcome.COMMITTED) {
        for (long element : own.get(key)) {
          again.get(session).addAll(List.of((long) key, element));
        }
      }
      if (commits && !own.get(key).isEmpty()) {
        List<Long> longer = new ArrayList<>(lists.get(key));
        longer.addAll(own.get(key));
        lists.set(key, longer);
        states.get(key).add(longer);
      }
    }
    done.add(
        new TransactionRecord(
            SessionInfo.ofFile(session, "s" + session),
            sequence,
            sequence,
            0,
            outcome,
            null,
            TransactionRecord.NO_TIME,
            TransactionRecord.NO_TIME,
            null,
            ops.build()));
  }

  private void append(Operations.Builder ops, int session, int key, List<Long> own) {
    List<Long> retried = again.get(session);
    long element = nextElement++;
    for (int i = 0; i < retried.size(); i += 2) {
      if (retried.get(i) == key && random.nextInt(3) > 0) {
        element = retried.get(i + 1);
        retried.subList(i, i + 2).clear();
        break;
      }
    }
    ops.write(key, element);
    tried.get(key).add(element);
    if (odd && random.nextInt(10) == 0) {
      ops.undoFrom(ops.size() - 1);
    } else {
      own.add(element);
    }
  }

  private void spoil(List<Long> list, int key) {
    int size = list.size();
    int at = size == 0 ? 0 : random.nextInt(size);
    List<Long> any = tried.get(key);
    switch (random.nextInt(8)) {
      case 0 -> list.add(at, any.isEmpty() ? nextElement : any.get(random.nextInt(any.size())));
      case 1 -> list.add(at, (long) UNWRITTEN + random.nextInt(2));
      case 2 -> list.add(at, nextElement); // Of whoever appends next.
      case 3 -> list.subList(0, at).clear();
      case 4 -> list.subList(at, size).clear();
      default -> {
        if (size > 0) {
          int other = random.nextInt(size);
          switch (random.nextInt(3)) {
            case 0 -> list.add(at, list.get(other));
            case 1 -> list.set(at, list.set(other, list.get(at)));
            default -> list.remove(at);
          }
        }
      }
    }
  }

  /** A whole list, or what is behind its front. */
  private void read(Operations.Builder ops, int key, List<Long> list) {
    if (list.isEmpty()) {
      ops.readInitial(key);
      return;
    }
    int front = random.nextInt(4) > 0 ? -1 : random.nextInt(list.size());
    if (front < 0) {
      ops.add(OperationKind.LISTED, key, VersionKind.INITIAL, 0);
    } else if (front == list.size() - 1) {
      ops.add(OperationKind.LISTED, key, VersionKind.UNKNOWN, 0);
    }
    for (int i = Math.max(0, front); i < list.size() - 1; i++) {
      ops.add(OperationKind.LISTED, key, VersionKind.KNOWN, list.get(i));
    }
    ops.read(key, list.get(list.size() - 1));
  }
}
