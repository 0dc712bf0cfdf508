package io.isotail.incremental.window;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Edges at one end of a transaction. Dead edges are skipped by the reader and swept out in bulk.
 */
public final class EdgeList {
  /** The list without entries; never added to. */
  public static final EdgeList NONE = new EdgeList();

  private @Nullable Edge[] edges = new Edge[2];
  private int size;
  private int dead;

  /** Number of entries, dead ones included. */
  public int size() {
    return size;
  }

  /** Entry {@code i}; may be dead. */
  public Edge get(int i) {
    Edge edge = edges[i];
    if (edge == null) {
      throw new IndexOutOfBoundsException(i);
    }
    return edge;
  }

  /** Adds an edge. */
  public void add(Edge edge) {
    if (size == edges.length) {
      edges = Arrays.copyOf(edges, size * 2);
    }
    edges[size++] = edge;
  }

  /** One of the entries has died. */
  public void noteDead() {
    dead++;
    if (dead > 8 && dead > size / 2) {
      sweep();
    }
  }

  private void sweep() {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      Edge edge = edges[i];
      if (edge != null && !edge.dead) {
        edges[kept++] = edge;
      }
    }
    Arrays.fill(edges, kept, size, null);
    size = kept;
    dead = 0;
  }

  void save(GraphWriter out) {
    out.out.count(this == NONE ? 0 : size + 1);
    if (this == NONE) {
      return;
    }
    out.out.count(dead);
    for (int i = 0; i < size; i++) {
      out.edge(get(i));
    }
  }

  static EdgeList load(GraphReader in) {
    int size = in.in.count() - 1;
    if (size < 0) {
      return NONE;
    }
    EdgeList list = new EdgeList();
    list.dead = in.in.count();
    for (int i = 0; i < size; i++) {
      list.add(in.edge());
    }
    return list;
  }
}
