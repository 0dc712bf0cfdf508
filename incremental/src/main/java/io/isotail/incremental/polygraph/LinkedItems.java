package io.isotail.incremental.polygraph;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Items in the order in which they were added, linked to one another, so that one is taken out
 * without a search, and an empty list is small. While they are walked through, the item told last
 * may be removed.
 */
final class LinkedItems<T extends Linked<T>> implements Iterable<T> {
  private @Nullable T first;
  private @Nullable T last;
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return first == null;
  }

  /** The item added first of those that are left, or null. */
  @Nullable T first() {
    return first;
  }

  /** The item added last of those that are left, or null. */
  @Nullable T last() {
    return last;
  }

  /** Adds an item that is part of no list. */
  void add(T item) {
    T before = last;
    item.linkedBefore = before;
    if (before == null) {
      first = item;
    } else {
      before.linkedAfter = item;
    }
    last = item;
    size++;
  }

  /** Takes out an item of this list. */
  void remove(T item) {
    T before = item.linkedBefore;
    T after = item.linkedAfter;
    if (before == null) {
      first = after;
    } else {
      before.linkedAfter = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.linkedBefore = before;
    }
    item.linkedBefore = null;
    item.linkedAfter = null;
    size--;
  }

  @Override
  public Iterator<T> iterator() {
    return new Iterator<>() {
      private @Nullable T next = first;

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public T next() {
        T told = next;
        if (told == null) {
          throw new NoSuchElementException();
        }
        next = told.linkedAfter;
        return told;
      }
    };
  }
}
