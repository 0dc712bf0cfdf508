package io.isotail.incremental.window;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.ints.IntArrayList;

/**
 * Hands out the slots of the vector clocks: those that have a number there to the sessions that are
 * captured, as long as there are any, and the others to those that are not.
 */
public final class Slots {
  /** So many slots have a number each in a vector clock. */
  public static final int NUMBERED = 8_192;

  /** Slots that were given back, and the last number of each slot that was ever taken. */
  private static final class Range {
    final IntArrayList free = new IntArrayList();
    final IntArrayList lastNumber = new IntArrayList();

    /** One that is free, last given back first out, else one that was never taken. */
    int take() {
      if (!free.isEmpty()) {
        return free.popInt();
      }
      lastNumber.add(0);
      return lastNumber.size() - 1;
    }

    void save(StateWriter out) {
      out.numbers(free.toIntArray());
      out.numbers(lastNumber.toIntArray());
    }

    void load(StateReader in) {
      lastNumber.clear();
      free.addElements(0, in.smallNumbers());
      lastNumber.addElements(0, in.smallNumbers());
    }
  }

  private final Range numbered = new Range();

  /** From slot {@link #NUMBERED} on. */
  private final Range further = new Range();

  private int live;

  /** All slots are free. */
  public Slots() {
    this(0);
  }

  /** The first so many slots are left out. */
  public Slots(int leftOut) {
    numbered.lastNumber.size(leftOut);
  }

  /** Whether the last number seen of a slot tells which of its transactions were seen. */
  public static boolean isNumbered(int slot) {
    return slot < NUMBERED;
  }

  /** Number of the next transaction of {@code session}, which is given a slot if it holds none. */
  public int next(SessionState session) {
    if (session.slot < 0) {
      session.slot = take();
    } else if (lastNumber(session.slot) == Integer.MAX_VALUE) {
      // The numbers of the slot are used up; the session moves on to another one.
      live--;
      session.slot = take();
    }
    return count(session);
  }

  /** Number of the one transaction of a session that nobody captured, which is given a slot. */
  public int nextUncaptured(SessionState session) {
    live++;
    session.slot = NUMBERED + further.take();
    return count(session);
  }

  private int count(SessionState session) {
    int number = lastNumber(session.slot) + 1;
    range(session.slot).lastNumber.set(index(session.slot), number);
    session.held++;
    return number;
  }

  /** A transaction of the session has left the window. */
  public void release(SessionState session) {
    session.held--;
    if (session.held == 0) {
      // A slot that is nearly used up is retired: its numbers must not wrap.
      if (lastNumber(session.slot) < Integer.MAX_VALUE / 2) {
        range(session.slot).free.add(index(session.slot));
      }
      session.slot = -1;
      live--;
    }
  }

  /** Sessions that hold a slot. */
  public int live() {
    return live;
  }

  private int take() {
    live++;
    boolean full = numbered.free.isEmpty() && numbered.lastNumber.size() >= NUMBERED;
    return full ? NUMBERED + further.take() : numbered.take();
  }

  private Range range(int slot) {
    return isNumbered(slot) ? numbered : further;
  }

  private static int index(int slot) {
    return isNumbered(slot) ? slot : slot - NUMBERED;
  }

  private int lastNumber(int slot) {
    return range(slot).lastNumber.getInt(index(slot));
  }

  /** Saves which slots are taken and how far each has counted. */
  public void save(StateWriter out) {
    numbered.save(out);
    further.save(out);
    out.count(live);
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    numbered.load(in);
    further.load(in);
    live = in.count();
  }
}
