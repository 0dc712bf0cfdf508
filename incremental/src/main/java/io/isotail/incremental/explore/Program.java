package io.isotail.incremental.explore;

import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
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

  /** The {@link Transaction#kind()} of the final transaction. */
  public static final String FINAL = "final";

  /** Most transactions of a program, the final one included. */
  public static final int MAX_TRANSACTIONS = 30;

  /**
   * A transaction of a session.
   *
   * @param name for people
   * @param kind what transactions of the same code have in common, by which {@link
   *     Program#withLevel} finds them
   * @param level the level that it runs at; null for the level at which the program is explored
   */
  public record Transaction(String name, String kind, @Nullable IsolationLevel level) {
    /**
     * Checks the level.
     *
     * @throws IllegalArgumentException if it speaks of real time
     */
    public Transaction {
      if (level != null) {
        explorable(level);
      }
    }

    private Transaction withLevel(IsolationLevel other) {
      return new Transaction(name, kind, other);
    }
  }

  /**
   * Transactions that run one after another.
   *
   * @param name for people
   * @param transactions what they are, in their order
   * @param begin the beginning of the first one; called any number of times
   */
  public record Session(String name, List<Transaction> transactions, Supplier<Execution> begin) {
    /** Copies the transactions. */
    public Session {
      transactions = List.copyOf(transactions);
    }

    /** A session whose transactions are each of a kind of their own, and declare no level. */
    public static Session of(String name, List<String> transactions, Supplier<Execution> begin) {
      return new Session(
          name,
          transactions.stream().map(own -> new Transaction(own, name + "." + own, null)).toList(),
          begin);
    }

    private Session withLevels(UnaryOperator<Transaction> change) {
      return new Session(name, transactions.stream().map(change).toList(), begin);
    }
  }

  /**
   * A level, if a program can be explored at it.
   *
   * @throws IllegalArgumentException if the level speaks of real time
   */
  public static IsolationLevel explorable(IsolationLevel level) {
    if (level.followsRealTime()) {
      throw new IllegalArgumentException(
          level
              + " cannot be explored: it speaks of the time that passes between transactions, and"
              + " a program has none; expected serializable or a weaker level");
    }
    return level;
  }

  /** The kinds of its transactions in their order, the final one included, each once. */
  public List<String> kinds() {
    return everySession().stream()
        .flatMap(session -> session.transactions().stream())
        .map(Transaction::kind)
        .distinct()
        .toList();
  }

  /**
   * The program with all transactions of a kind at that level, whatever they declared.
   *
   * @throws IllegalArgumentException if there is none of that kind, or the level cannot be explored
   */
  public Program withLevel(String kind, IsolationLevel level) {
    checkKind(kind);
    return changed(kind, transaction -> transaction.withLevel(level));
  }

  /**
   * The program with all transactions of a kind at that level or a stronger one of their own.
   *
   * @param others the level of the transactions that declare none
   * @throws IllegalArgumentException as {@link #withLevel}
   */
  public Program raised(String kind, IsolationLevel level, IsolationLevel others) {
    checkKind(kind);
    return changed(
        kind,
        transaction -> {
          IsolationLevel declared = transaction.level();
          IsolationLevel own = declared == null ? others : declared;
          return own.atLeast(level) ? transaction : transaction.withLevel(level);
        });
  }

  private void checkKind(String kind) {
    if (!kinds().contains(kind)) {
      throw new IllegalArgumentException(
          "%s has no transaction '%s'; expected one of %s"
              .formatted(name, kind, String.join(", ", kinds())));
    }
  }

  private Program changed(String kind, UnaryOperator<Transaction> to) {
    UnaryOperator<Transaction> change =
        transaction -> transaction.kind().equals(kind) ? to.apply(transaction) : transaction;
    return new Program(
        name,
        initial,
        sessions.stream().map(session -> session.withLevels(change)).toList(),
        asserts,
        last == null ? null : last.withLevels(change));
  }

  /** The levels that transactions declare, by kind; of one kind called at several, each. */
  public Map<String, Set<IsolationLevel>> declaredLevels() {
    Map<String, Set<IsolationLevel>> declared = new LinkedHashMap<>();
    for (Session session : everySession()) {
      for (Transaction transaction : session.transactions()) {
        IsolationLevel level = transaction.level();
        if (level != null) {
          declared.computeIfAbsent(transaction.kind(), k -> new TreeSet<>()).add(level);
        }
      }
    }
    return declared;
  }

  /** Whether some transactions declare a level. */
  public boolean isMixed() {
    return !declaredLevels().isEmpty();
  }

  /** Whether all transactions declare a level, so that none runs at the one that is explored. */
  public boolean declaresEveryLevel() {
    return everySession().stream()
        .flatMap(session -> session.transactions().stream())
        .allMatch(transaction -> transaction.level() != null);
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
   *     two sessions of one name, or a transaction that is named as the final one
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
    for (Session session : sessions) {
      if (session.transactions().stream().anyMatch(one -> one.kind().equals(FINAL))) {
        throw new IllegalArgumentException(
            "%s has a transaction '%s' in the session '%s'; expected another name: that one is of the final transaction"
                .formatted(name, FINAL, session.name()));
      }
    }
    if (last != null && last.transactions().size() != 1) {
      throw new IllegalArgumentException(
          "%s reads what is final in %d transactions; expected one"
              .formatted(name, last.transactions().size()));
    }
  }
}
