package io.isotail.incremental.window;

import io.isotail.incremental.snapshot.Pages;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of the window in delivery order, passive ones included. Iteration gives the
 * delivered ones, oldest first.
 */
public final class Window implements Iterable<Transaction> {
  private final ArrayDeque<Transaction> transactions = new ArrayDeque<>();

  /** What a save takes of each, by its place; null where that has changed since it was noted. */
  private final Pages<TransactionState> states = new Pages<>();

  /** Those that are to be noted. */
  private final List<Transaction> changed = new ArrayList<>();

  private long first;
  private int stale;
  private int uncaptured;

  /** Adds a transaction; one that was passive before moves to the end. */
  public void add(Transaction t) {
    noteChanged();
    long before = t.deliveredAt;
    uncaptured += t.uncaptured() ? 1 : 0;
    t.deliveredAt = first + transactions.size();
    if (before >= first) {
      stale++;
      states.set(before, new TransactionState(t, before));
    }
    transactions.add(t);
    t.window = this;
    states.set(t.deliveredAt, null);
    changed.add(t);
  }

  /** A transaction is about to change, or to stand elsewhere. */
  void changed(Transaction t) {
    if (t.deliveredAt >= first && states.get(t.deliveredAt) != null) {
      states.set(t.deliveredAt, null);
      changed.add(t);
    }
  }

  private void noteChanged() {
    for (Transaction t : changed) {
      if (t.deliveredAt >= first) {
        states.set(t.deliveredAt, new TransactionState(t, t.deliveredAt));
      }
    }
    changed.clear();
  }

  /** Place of the transaction that was added last, -1 if none ever was. */
  public long lastPlace() {
    return first + transactions.size() - 1;
  }

  /** Place of the oldest transaction, or after the last one. */
  public long oldestPlace() {
    return first;
  }

  /**
   * All transactions, passive ones included, oldest first; one that has moved comes twice. To be
   * looked at only.
   */
  public Collection<Transaction> everybody() {
    return Collections.unmodifiableCollection(transactions);
  }

  /** Number of transactions, uncaptured ones apart. */
  public int size() {
    return transactions.size() - stale - uncaptured;
  }

  /** Whether it holds no transaction at all. */
  public boolean isEmpty() {
    return transactions.isEmpty();
  }

  /** Number of uncaptured transactions. */
  public int uncaptured() {
    return uncaptured;
  }

  /**
   * Takes out the oldest transaction.
   *
   * @return null if it had been promoted since and waits to be delivered again
   */
  public @Nullable Transaction removeOldest() {
    while (true) {
      Transaction t = transactions.remove();
      long index = first++;
      states.dropBefore(first);
      if (t.deliveredAt != index) {
        stale--;
      } else if (t.state == Transaction.State.PENDING) {
        t.deliveredAt = -1;
        t.window = null;
        return null;
      } else {
        uncaptured -= t.uncaptured() ? 1 : 0;
        t.window = null;
        return t;
      }
    }
  }

  @Override
  public Iterator<Transaction> iterator() {
    Iterator<Transaction> all = transactions.iterator();
    return new Iterator<>() {
      private long place = first;
      private @Nullable Transaction next = advance();

      private @Nullable Transaction advance() {
        while (all.hasNext()) {
          Transaction t = all.next();
          boolean moved = t.deliveredAt != place++;
          if (!moved && t.state == Transaction.State.DELIVERED) {
            return t;
          }
        }
        return null;
      }

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public Transaction next() {
        Transaction current = next;
        if (current == null) {
          throw new NoSuchElementException();
        }
        next = advance();
        return current;
      }
    };
  }

  /** The delivered transactions from a place on, oldest first. */
  public List<Transaction> deliveredFrom(long place) {
    List<Transaction> delivered = new ArrayList<>();
    new LatestFirst(place - 1).forEachRemaining(delivered::add);
    Collections.reverse(delivered);
    return delivered;
  }

  /** The delivered transactions after one of them, latest first. */
  public Iterable<Transaction> deliveredAfter(Transaction earlier) {
    return () -> new LatestFirst(earlier.deliveredAt);
  }

  private final class LatestFirst implements Iterator<Transaction> {
    private final Iterator<Transaction> all = transactions.descendingIterator();
    private final long until;
    private long place = lastPlace();
    private @Nullable Transaction next;

    LatestFirst(long until) {
      this.until = until;
      advance();
    }

    private void advance() {
      next = null;
      while (next == null && place > until && all.hasNext()) {
        Transaction t = all.next();
        boolean moved = t.deliveredAt != place--;
        next = moved || t.state != Transaction.State.DELIVERED ? null : t;
      }
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Transaction next() {
      Transaction current = next;
      if (current == null) {
        throw new NoSuchElementException();
      }
      advance();
      return current;
    }
  }

  /** Saves the transactions in order, with the stale places of those that moved. */
  public void save(GraphWriter out) {
    out.out.number(first);
    out.out.count(stale);
    out.window(new WindowCut(states()));
  }

  /** What has become of each transaction, in order. */
  List<TransactionState> states() {
    noteChanged();
    return states.cut(first, first + transactions.size());
  }

  /** Takes back what {@link #save} saved; {@link #loaded} must follow. */
  public void load(GraphReader in) {
    first = in.in.number();
    stale = in.in.count();
    for (int n = in.in.count(); n > 0; n--) {
      Transaction t = in.transaction();
      transactions.add(t);
      if (in.in.flag()) {
        in.state(t);
      }
      uncaptured += t.uncaptured() ? 1 : 0;
    }
  }

  /** All transactions are loaded. */
  public void loaded() {
    long place = first;
    for (Transaction t : transactions) {
      if (t.deliveredAt == place) {
        t.window = this;
      }
      states.set(place, new TransactionState(t, place));
      place++;
    }
  }
}
