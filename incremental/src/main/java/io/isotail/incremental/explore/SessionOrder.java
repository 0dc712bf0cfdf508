package io.isotail.incremental.explore;

import static io.isotail.incremental.explore.Frame.bit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The transactions of a program as numbers: 0 is the initial one, the others are numbered session
 * by session. Their numbers are the oracle order ([1] Section 5.1).
 */
final class SessionOrder {
  /** Number of transactions without the initial one. */
  final int transactions;

  /** The session of each transaction. */
  final int[] session;

  /** The transaction before each one in its session; 0 for the first. */
  final int[] previous;

  /** All that come before each one in session order. */
  final int[] before;

  private final List<String> names = new ArrayList<>();
  private final List<String> sessionNames = new ArrayList<>();
  private final List<Program.Transaction> declared = new ArrayList<>();

  SessionOrder(Program program) {
    List<Program.Session> sessions = program.everySession();
    int count = sessions.stream().mapToInt(s -> s.transactions().size()).sum();
    transactions = count;
    session = new int[count + 1];
    previous = new int[count + 1];
    before = new int[count + 1];
    names.add("initial");
    int next = 1;
    for (int s = 0; s < sessions.size(); s++) {
      boolean last = s == program.sessions().size();
      int earlier = last ? bit(next) - 1 : 1;
      int predecessor = 0;
      sessionNames.add(sessions.get(s).name());
      declared.addAll(sessions.get(s).transactions());
      List<String> own =
          sessions.get(s).transactions().stream().map(Program.Transaction::name).toList();
      for (int i = 0; i < own.size(); i++) {
        session[next] = s;
        previous[next] = predecessor;
        before[next] = earlier;
        earlier |= bit(next);
        predecessor = next;
        names.add(sessions.get(s).name() + "." + distinct(own, i));
        next++;
      }
    }
    session[0] = -1;
  }

  /** A name that occurs more than once in a session gets a number. */
  private static String distinct(List<String> names, int i) {
    String name = names.get(i);
    int before = Collections.frequency(names.subList(0, i), name);
    return Collections.frequency(names, name) == 1 ? name : name + "#" + (before + 1);
  }

  /** Name of a transaction, for people: no two have the same. */
  String name(int transaction) {
    return names.get(transaction);
  }

  /** Name of a session. */
  String sessionName(int number) {
    return sessionNames.get(number);
  }

  /** What a transaction that is not the initial one was declared as. */
  Program.Transaction declared(int transaction) {
    return declared.get(transaction - 1);
  }

  /** The least transaction in oracle order that has not begun; -1 if all have. */
  int firstNotIn(int present) {
    int next = Integer.numberOfTrailingZeros(~present);
    return next > transactions ? -1 : next;
  }

  /** The transactions that may begin next in any order. */
  int[] ready(int present) {
    List<Integer> ready = new ArrayList<>();
    for (int t = 1; t <= transactions; t++) {
      if ((present & bit(t)) == 0 && (before[t] & ~present) == 0) {
        ready.add(t);
      }
    }
    return ready.stream().mapToInt(Integer::intValue).toArray();
  }
}
