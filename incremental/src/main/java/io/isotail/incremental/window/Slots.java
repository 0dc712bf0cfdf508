package io.isotail.incremental.window;

import io.isotail.incremental.state.StateReader;
import io.isotail.incremental.state.StateWriter;
import it.unimi.dsi.fastutil.ints.IntArrayList;

/**
 * Hands out the slots of the vector clocks, smallest free one first in, last given back first out.
 */
public final class Slots {
  private final IntArrayList free = new IntArrayList();
  private final IntArrayList lastNumber = new IntArrayList();
  private int live;

  /** Number of the next transaction of {@code session}, which is given a slot if it holds none. */
  public int next(SessionState session) {
    if (session.slot < 0) {
      session.slot = take();
    } else if (lastNumber.getInt(session.slot) == Integer.MAX_VALUE) {
      // The numbers of the slot are used up; the session moves on to another one.
      live--;
      session.slot = take();
    }
    int number = lastNumber.getInt(session.slot) + 1;
    lastNumber.set(session.slot, number);
    session.held++;
    return number;
  }

  /** A transaction of the session has left the window. */
  public void release(SessionState session) {
    session.held--;
    if (session.held == 0) {
      // A slot that is nearly used up is retired: its numbers must not wrap.
      if (lastNumber.getInt(session.slot) < Integer.MAX_VALUE / 2) {
        free.add(session.slot);
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
    if (!free.isEmpty()) {
      return free.popInt();
    }
    lastNumber.add(0);
    return lastNumber.size() - 1;
  }

  /** Saves which slots are taken and how far each has counted. */
  public void save(StateWriter out) {
    out.numbers(free.toIntArray());
    out.numbers(lastNumber.toIntArray());
    out.count(live);
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    free.addElements(0, in.smallNumbers());
    lastNumber.addElements(0, in.smallNumbers());
    live = in.count();
  }
}
