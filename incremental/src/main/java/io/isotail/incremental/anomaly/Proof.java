package io.isotail.incremental.anomaly;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Why a capsule violates its level: a bad read, a cycle, or a case for each order of two writers
 * and a proof in either case.
 *
 * <p>Transactions are told by their place in the capsule, operations by their place in the
 * transaction, both from 0. Everything that a proof says can be looked up in the capsule, in time
 * that grows with the size of the proof: nothing has to be searched. Immutable.
 */
public sealed interface Proof {
  /** In place of a transaction: the initial one, which wrote the first version of every key. */
  int INITIAL = -1;

  /** In place of a transaction or an operation: there is none. */
  int NONE = -2;

  /**
   * A read that breaks an axiom of read consistency whatever else happened.
   *
   * @param reader the transaction that read
   * @param operation its read
   * @param ownWrite the operation by which it had written the key itself, or {@link #NONE}
   * @param writer a transaction that wrote what was read; {@link #NONE} where the initial version
   *     was read, or an element of a list in the place of an own one
   */
  record BadRead(int reader, int operation, int ownWrite, int writer) implements Proof {}

  /**
   * Each comes before the next, and the last before the first.
   *
   * @param edges in order, at least one
   */
  record Cycle(List<Edge> edges) implements Proof {
    /** Copies the list. */
    public Cycle {
      edges = List.copyOf(edges);
    }
  }

  /**
   * Two transactions wrote a key, so one of them is first; either way there is a contradiction.
   *
   * @param a one of the two
   * @param b the other
   * @param key that both wrote
   * @param ifFirst if the version by {@code a} precedes that by {@code b}
   * @param ifSecond if the version by {@code b} precedes that by {@code a}
   */
  record Split(int a, int b, long key, Proof ifFirst, Proof ifSecond) implements Proof {}

  /**
   * Why one transaction must come before another.
   *
   * <table>
   * <caption>What justifies an edge</caption>
   * <tr><th>kind</th><th>operation of reader</th><th>source</th><th>because</th></tr>
   * <tr><td>so, rt</td><td>none</td><td>none</td><td></td></tr>
   * <tr><td>wr</td><td>the read, by {@code to}</td><td>none</td><td></td></tr>
   * <tr><td>ww, assumed by a {@link Split}</td><td>none</td><td>none</td><td></td></tr>
   * <tr><td>ww, listed</td><td>shows the version by {@code to} right behind that by {@code
   * from}</td><td>none</td><td></td></tr>
   * <tr><td>ww, listed</td><td>shows the version by {@code from} right behind that by {@code
   * source}</td><td>the writer, or the initial transaction</td><td>{@code source} precedes {@code
   * to}</td></tr>
   * <tr><td>rw</td><td>the read, by {@code from}</td><td>who wrote what was read, or the initial
   * transaction</td><td>{@code source} precedes {@code to}</td></tr>
   * <tr><td>rw, of an outsider's version</td><td>the read, by {@code from}</td><td>none</td><td>nothing:
   * {@code to} has read the same version</td></tr>
   * <tr><td>co</td><td>the read of the version by {@code to}</td><td>none</td><td>{@code from}
   * precedes {@code reader}, which has so observed it</td></tr>
   * </table>
   *
   * @param from comes first; {@link #INITIAL} only up to {@code causal}
   * @param to comes later; {@link #INITIAL} only for co
   * @param kind of the edge
   * @param key that it is about; 0 for so and rt
   * @param reader the transaction whose operation shows it, or {@link #NONE}
   * @param operation that shows it, or {@link #NONE}
   * @param source see the table, or {@link #NONE}
   * @param because a path; empty where the table asks for none, or from {@link #INITIAL}
   */
  record Edge(
      int from,
      int to,
      EdgeKind kind,
      long key,
      int reader,
      int operation,
      int source,
      List<Edge> because) {
    /** Copies the list. */
    public Edge {
      because = List.copyOf(because);
    }

    /** Session order or real time. */
    public static Edge plain(int from, int to, EdgeKind kind) {
      return new Edge(from, to, kind, 0, NONE, NONE, NONE, List.of());
    }

    /** {@code to} read a version by {@code from}. */
    public static Edge read(int from, int to, long key, int operation) {
      return new Edge(from, to, EdgeKind.WR, key, to, operation, NONE, List.of());
    }

    /** A case assumes that the version by {@code from} comes first. */
    public static Edge assumed(int from, int to, long key) {
      return new Edge(from, to, EdgeKind.WW, key, NONE, NONE, NONE, List.of());
    }

    /** Whether it holds in a case of a {@link Split} only, apart from {@link #because}. */
    public boolean isAssumed() {
      return kind == EdgeKind.WW && reader == NONE;
    }
  }

  /** The cycles of all cases, each once, in the order of the cases; none for a bad read. */
  default List<Cycle> cycles() {
    List<Cycle> cycles = new ArrayList<>();
    forEachCycle(
        cycle -> {
          if (!cycles.contains(cycle)) {
            cycles.add(cycle);
          }
        });
    return cycles;
  }

  private void forEachCycle(Consumer<Cycle> action) {
    if (this instanceof Cycle cycle) {
      action.accept(cycle);
    } else if (this instanceof Split split) {
      split.ifFirst.forEachCycle(action);
      split.ifSecond.forEachCycle(action);
    }
  }
}
