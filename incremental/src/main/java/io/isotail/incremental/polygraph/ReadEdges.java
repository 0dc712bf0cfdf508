package io.isotail.incremental.polygraph;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

/**
 * The reads of one transaction. Each knows its place, so that one is taken out without a search;
 * the last one moves to where it was.
 */
final class ReadEdges extends AbstractList<ReadEdge> {
  private final List<ReadEdge> all;

  ReadEdges(int expected) {
    all = new ArrayList<>(expected);
  }

  @Override
  public ReadEdge get(int i) {
    return all.get(i);
  }

  @Override
  public int size() {
    return all.size();
  }

  @Override
  public boolean add(ReadEdge edge) {
    edge.place = all.size();
    return all.add(edge);
  }

  /** Takes out one of these. */
  void takeOut(ReadEdge edge) {
    ReadEdge last = all.remove(all.size() - 1);
    if (last != edge) {
      all.set(edge.place, last);
      last.place = edge.place;
    }
  }
}
