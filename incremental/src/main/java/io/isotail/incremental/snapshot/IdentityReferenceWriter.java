package io.isotail.incremental.snapshot;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers things that carry their own number, unlike {@link BackReferenceWriter}. A number is held
 * against the thing that it stands for here: one that an earlier snapshot has left behind means
 * nothing.
 */
public final class IdentityReferenceWriter<T extends Numbered> {
  private final List<T> inOrder = new ArrayList<>();

  /**
   * Nothing written yet.
   *
   * @param known things that the reader has already, in the same order
   */
  public IdentityReferenceWriter(List<T> known) {
    known.forEach(this::add);
  }

  /**
   * Writes which thing is meant, or that none is.
   *
   * @return whether it is mentioned for the first time, so that what it is has to follow at once
   */
  public boolean refer(StateWriter out, @Nullable T thing) {
    if (thing == null) {
      out.count(0);
      return false;
    }
    boolean first = add(thing);
    out.count(thing.saved);
    return first;
  }

  /** Gives a thing the next number, unless it has one; returns whether it had none. */
  public boolean add(T thing) {
    int number = thing.saved;
    if (number > 0 && number <= inOrder.size() && inOrder.get(number - 1) == thing) {
      return false;
    }
    inOrder.add(thing);
    thing.saved = inOrder.size();
    return true;
  }

  /** Number of things mentioned, known ones included. */
  public int size() {
    return inOrder.size();
  }

  /** The {@code i}-th thing mentioned. */
  public T get(int i) {
    return inOrder.get(i);
  }
}
