package io.isotail.incremental.explore;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded transactional program: sessions that run side by side, each a sequence of transactions
 * ([1] Figure 1).
 *
 * @param name for people
 * @param initial what variables have before any transaction; others have {@link #ABSENT}
 * @param sessions what runs side by side
 * @param asserts whether anything is asserted, so that something can fail
 * @param last a session of one transaction that begins when all others have ended, and so reads
 *     what is final; null if there is none
 */
public record Program(
    String name,
    Map<String, Object> initial,
    List<Session> sessions,
    boolean asserts,
    @Nullable Session last) {

  /** What a variable has that nobody has written. */
  public static final Object ABSENT =
      new Object() {
        @Override
        public String toString() {
          return "absent";
        }
      };

  /** Most transactions of a program, the final one included. */
  public static final int MAX_TRANSACTIONS = 30;

  /**
   * Transactions that run one after another.
   *
   * @param name for people
   * @param transactions their names, for people
   * @param begin the beginning of the first one; called any number of times
   */
  public record Session(String name, List<String> transactions, Supplier<Execution> begin) {
    /** Copies the names. */
    public Session {
      transactions = List.copyOf(transactions);
    }
  }

  /** The sessions in the order of their numbers: those side by side, then the last one. */
  List<Session> everySession() {
    List<Session> all = new ArrayList<>(sessions);
    if (last != null) {
      all.add(last);
    }
    return all;
  }

  /**
   * Copies the sessions and checks their size.
   *
   * @throws IllegalArgumentException if there are more transactions than an exploration can hold,
   *     or two sessions of one name
   */
  public Program {
    initial = Map.copyOf(initial);
    sessions = List.copyOf(sessions);
    int transactions = last == null ? 0 : last.transactions().size();
    for (Session session : sessions) {
      transactions += session.transactions().size();
    }
    if (transactions > MAX_TRANSACTIONS) {
      throw new IllegalArgumentException(
          "%s has %d transactions; expected at most %d"
              .formatted(name, transactions, MAX_TRANSACTIONS));
    }
    Set<String> names = new HashSet<>();
    for (Session session : sessions) {
      if (!names.add(session.name()) || (last != null && session.name().equals(last.name()))) {
        throw new IllegalArgumentException(
            "%s has two sessions '%s'; expected a name for each".formatted(name, session.name()));
      }
    }
    if (last != null && last.transactions().size() != 1) {
      throw new IllegalArgumentException(
          "%s reads what is final in %d transactions; expected one"
              .formatted(name, last.transactions().size()));
    }
  }
}
