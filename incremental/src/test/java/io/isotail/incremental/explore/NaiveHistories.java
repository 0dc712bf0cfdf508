package io.isotail.incremental.explore;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All histories of a program, by brute force, and the axioms of Biswas and Enea (OOPSLA 2019,
 * Figure 2) tried on all orders of the transactions. Shares nothing with what it checks but {@link
 * Execution}.
 *
 * <p>Transactions run one after another, in every order, and read from any that has committed
 * before: every history without a cycle of session order and reads arises so.
 */
final class NaiveHistories {
  /** A read: its variable and the transaction that it reads from. */
  private record Read(String variable, int source) {}

  /** A transaction: its session, its place there, and what it did. */
  private record Done(int session, int index, List<Read> reads, Execution end) {
    boolean writes(String variable) {
      return end.state() == Execution.State.COMMITTED && end.writes().containsKey(variable);
    }
  }

  private final Program program;
  private final List<Program.Session> sessions;
  private final Map<String, List<@Nullable Done>> histories = new TreeMap<>();
  private final int[] first;
  private final int transactions;

  NaiveHistories(Program program) {
    this.program = program;
    this.sessions = new ArrayList<>(program.sessions());
    if (program.last() != null) {
      sessions.add(program.last());
    }
    first = new int[sessions.size()];
    int next = 1;
    for (int s = 0; s < first.length; s++) {
      first[s] = next;
      next += sessions.get(s).transactions().size();
    }
    transactions = next - 1;
    List<@Nullable Done> none = new ArrayList<>();
    for (int t = 0; t <= transactions; t++) {
      none.add(null);
    }
    run(none);
  }

  /** The keys of the histories that satisfy a level. */
  Set<String> at(IsolationLevel level) {
    return at(Collections.nCopies(transactions, level));
  }

  /**
   * The keys of the histories that satisfy the levels of the transactions, in the order of their
   * numbers: there is one commit order, and each read fulfils the axioms of the level of its own
   * transaction (Bouajjani, Enea and Román-Calvo, CAV 2025).
   */
  Set<String> at(List<IsolationLevel> levels) {
    Set<String> keys = new TreeSet<>();
    histories.forEach(
        (key, history) -> {
          if (satisfies(history, levels, new ArrayList<>(), new boolean[transactions + 1])) {
            keys.add(key);
          }
        });
    return keys;
  }

  /** The keys of the histories in which an error stops a transaction, at whatever level. */
  Set<String> withErrors() {
    Set<String> keys = new TreeSet<>();
    histories.forEach(
        (key, history) -> {
          if (history.stream().anyMatch(done -> done != null && done.end().error() != null)) {
            keys.add(key);
          }
        });
    return keys;
  }

  /** The histories as the checker takes them, by their keys; aborted transactions only read. */
  Map<String, List<TransactionRecord>> records() {
    Map<String, List<TransactionRecord>> all = new TreeMap<>();
    histories.forEach((key, history) -> all.put(key, records(history)));
    return all;
  }

  private List<TransactionRecord> records(List<@Nullable Done> history) {
    List<TransactionRecord> records = new ArrayList<>();
    for (int t = 1; t <= transactions; t++) {
      Done done = at(history, t);
      Operations.Builder operations = new Operations.Builder();
      for (Read read : done.reads()) {
        long variable = read.variable().hashCode();
        if (read.source() == 0) {
          operations.readInitial(variable);
        } else {
          operations.read(variable, read.source());
        }
      }
      for (String variable : done.end().writes().keySet()) {
        if (done.writes(variable)) {
          operations.write(variable.hashCode(), t);
        }
      }
      records.add(
          new TransactionRecord(
              SessionInfo.ofFile(done.session() + 1, "s" + done.session()),
              done.index(),
              done.index(),
              0,
              Outcome.COMMITTED,
              null,
              TransactionRecord.NO_TIME,
              TransactionRecord.NO_TIME,
              null,
              operations.build()));
    }
    return records;
  }

  private void run(List<@Nullable Done> done) {
    boolean any = false;
    boolean last = program.last() != null;
    for (int s = 0; s < first.length; s++) {
      int index = 0;
      while (index < sessions.get(s).transactions().size() && done.get(first[s] + index) != null) {
        index++;
      }
      boolean isLast = last && s == first.length - 1;
      if (index == sessions.get(s).transactions().size() || (isLast && any)) {
        continue;
      }
      any = true;
      Done previous = index == 0 ? null : done.get(first[s] + index - 1);
      Execution begin = previous == null ? sessions.get(s).begin().get() : previous.end().next();
      step(done, s, index, begin, List.of());
    }
    if (!any) {
      histories.put(key(done), List.copyOf(done.subList(1, done.size())));
    }
  }

  private void step(
      List<@Nullable Done> done, int session, int index, Execution at, List<Read> reads) {
    if (at.state() != Execution.State.READS) {
      List<@Nullable Done> then = new ArrayList<>(done);
      then.set(first[session] + index, new Done(session, index, reads, at));
      run(then);
      return;
    }
    String variable = at.variable();
    for (int source = 0; source <= transactions; source++) {
      Done writer = done.get(source);
      if (source != 0 && (writer == null || !writer.writes(variable))) {
        continue;
      }
      Object value =
          writer == null
              ? program.initial().getOrDefault(variable, Program.ABSENT)
              : writer.end().writes().get(variable);
      List<Read> more = new ArrayList<>(reads);
      more.add(new Read(variable, source));
      step(done, session, index, at.resume(value), more);
    }
  }

  private static String key(List<@Nullable Done> done) {
    StringBuilder key = new StringBuilder();
    for (Done transaction : done) {
      if (transaction != null) {
        transaction.reads().forEach(read -> key.append(read.source()).append(','));
        key.append(';');
      }
    }
    return key.toString();
  }

  /** Whether some order of the transactions that begins like that one fulfils the axioms. */
  private boolean satisfies(
      List<@Nullable Done> history,
      List<IsolationLevel> levels,
      List<Integer> order,
      boolean[] used) {
    if (order.size() == transactions) {
      return new Axioms(history, order, levels).hold();
    }
    for (int t = 1; t <= transactions; t++) {
      if (used[t] || !mayFollow(history, t, used)) {
        continue;
      }
      used[t] = true;
      order.add(t);
      boolean found = satisfies(history, levels, order, used);
      order.remove(order.size() - 1);
      used[t] = false;
      if (found) {
        return true;
      }
    }
    return false;
  }

  /** Session order and reads are part of the order. */
  private boolean mayFollow(List<@Nullable Done> history, int t, boolean[] used) {
    for (int other = 1; other <= transactions; other++) {
      if (!used[other] && (sessionOrder(history, other, t) || reads(history, t, other))) {
        return false;
      }
    }
    return true;
  }

  private static Done at(List<@Nullable Done> history, int t) {
    Done done = history.get(t - 1);
    if (done == null) {
      throw new IllegalStateException("transaction " + t + " has not run");
    }
    return done;
  }

  private boolean sessionOrder(List<@Nullable Done> history, int a, int b) {
    Done one = at(history, a);
    Done two = at(history, b);
    boolean last = program.last() != null && two.session() == first.length - 1;
    return a != b && (one.session() == two.session() ? one.index() < two.index() : last);
  }

  private static boolean reads(List<@Nullable Done> history, int reader, int source) {
    return at(history, reader).reads().stream().anyMatch(read -> read.source() == source);
  }

  /**
   * One order, and the axiom of the level of each transaction. Transaction 0 is before all others.
   */
  private final class Axioms {
    private final List<@Nullable Done> history;
    private final int[] place = new int[transactions + 1];
    private final List<IsolationLevel> levels;
    private final Map<Integer, Boolean> happens = new HashMap<>();

    Axioms(List<@Nullable Done> history, List<Integer> order, List<IsolationLevel> levels) {
      this.history = history;
      this.levels = levels;
      for (int i = 0; i < order.size(); i++) {
        place[order.get(i)] = i + 1;
      }
    }

    boolean hold() {
      for (int t3 = 1; t3 <= transactions; t3++) {
        List<Read> reads = at(history, t3).reads();
        for (int r = 0; r < reads.size(); r++) {
          for (int t1 = 0; t1 <= transactions; t1++) {
            int t2 = reads.get(r).source();
            boolean writes = t1 == 0 || at(history, t1).writes(reads.get(r).variable());
            if (t1 != t2 && writes && place[t1] > place[t2] && observes(t1, t3, r)) {
              return false;
            }
          }
        }
      }
      return true;
    }

    /** phi(t1, the read of that index in t3). */
    private boolean observes(int t1, int t3, int r) {
      return switch (levels.get(t3 - 1)) {
        case READ_COMMITTED ->
            at(history, t3).reads().subList(0, r).stream().anyMatch(read -> read.source() == t1);
        case READ_ATOMIC -> direct(t1, t3);
        case CAUSAL -> happensBefore(t1, t3);
        case PREFIX -> byPrefix(t1, t3);
        case SNAPSHOT_ISOLATION -> byPrefix(t1, t3) || byConflict(t1, t3);
        case SERIALIZABLE, STRICT_SERIALIZABLE -> t1 != t3 && place[t1] < place[t3];
      };
    }

    private boolean direct(int a, int b) {
      return b != 0 && a != b && (a == 0 || sessionOrder(history, a, b) || reads(history, b, a));
    }

    private boolean happensBefore(int a, int b) {
      Boolean known = happens.get(a * (transactions + 1) + b);
      if (known == null) {
        known = direct(a, b);
        for (int c = 1; !known && c <= transactions; c++) {
          known = place[c] < place[b] && direct(c, b) && happensBefore(a, c);
        }
        happens.put(a * (transactions + 1) + b, known);
      }
      return known;
    }

    private boolean byPrefix(int t1, int t3) {
      for (int c = 0; c <= transactions; c++) {
        if (place[t1] <= place[c] && direct(c, t3)) {
          return true;
        }
      }
      return false;
    }

    private boolean byConflict(int t1, int t3) {
      for (int c = 1; c <= transactions; c++) {
        if (c != t3 && place[t1] <= place[c] && place[c] < place[t3] && conflict(c, t3)) {
          return true;
        }
      }
      return false;
    }

    private boolean conflict(int a, int b) {
      return at(history, a).end().writes().keySet().stream()
          .anyMatch(variable -> at(history, a).writes(variable) && at(history, b).writes(variable));
    }
  }
}
