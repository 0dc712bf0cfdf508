package io.isotail.incremental.polygraph;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;

/**
 * The reads of one transaction. Each knows its place, so that one is taken out without a search;
 * the last one moves to where it was.
 */
final class ReadEdges extends AbstractList<ReadEdge> {
  private static final ReadEdge[] NONE = {};

  private ReadEdge[] all = NONE;
  private int size;

  @Override
  public ReadEdge get(int i) {
    Objects.checkIndex(i, size);
    return all[i];
  }

  @Override
  public int size() {
    return size;
  }

  /** Makes room for as many more. */
  void expect(int more) {
    if (all.length < size + more) {
      all = Arrays.copyOf(all, size + more);
    }
  }

  @Override
  public boolean add(ReadEdge edge) {
    if (size == all.length) {
      all = Arrays.copyOf(all, Math.max(2, 2 * size));
    }
    edge.place = size;
    all[size++] = edge;
    return true;
  }

  /** Takes out one of these. */
  void takeOut(ReadEdge edge) {
    ReadEdge last = all[--size];
    all[edge.place] = last;
    last.place = edge.place;
    all[size] = null;
    if (size == 0) {
      all = NONE;
    }
  }
}
