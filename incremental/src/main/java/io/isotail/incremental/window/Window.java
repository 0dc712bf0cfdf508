package io.isotail.incremental.window;

import java.util.ArrayDeque;
import java.util.ArrayList;
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
  private long first;
  private int stale;
  private int uncaptured;

  /** Adds a transaction; one that was passive before moves to the end. */
  public void add(Transaction t) {
    if (t.deliveredAt >= first) {
      stale++;
    }
    uncaptured += t.uncaptured() ? 1 : 0;
    t.deliveredAt = first + transactions.size();
    transactions.add(t);
  }

  /** Place of the transaction that was added last, -1 if none ever was. */
  public long lastPlace() {
    return first + transactions.size() - 1;
  }

  /** Place of the oldest transaction, or after the last one. */
  public long oldestPlace() {
    return first;
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
      if (t.deliveredAt != index) {
        stale--;
      } else if (t.state == Transaction.State.PENDING) {
        t.deliveredAt = -1;
        return null;
      } else {
        uncaptured -= t.uncaptured() ? 1 : 0;
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
    out.wholes(transactions);
    out.out.number(first);
    out.out.count(stale);
  }

  /** Takes back what {@link #save} saved. */
  public void load(GraphReader in) {
    transactions.addAll(in.wholes());
    first = in.in.number();
    stale = in.in.count();
    for (Transaction t : transactions) {
      uncaptured += t.uncaptured() ? 1 : 0;
    }
  }
}
