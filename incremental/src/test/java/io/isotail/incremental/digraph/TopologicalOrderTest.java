package io.isotail.incremental.digraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The order on random graphs, compared with a search that knows no order. */
final class TopologicalOrderTest {
  private static final int RUNS = 2_000;

  private static final class Node {
    final List<Node> to = new ArrayList<>();
    final List<Node> from = new ArrayList<>();
    long position;
    long mark;
    boolean noted;

    /** Walks without recursion: a path may be longer than the stack is deep. */
    boolean reaches(Node end, Set<Node> seen) {
      ArrayDeque<Node> open = new ArrayDeque<>(List.of(this));
      while (!open.isEmpty()) {
        Node node = open.pop();
        if (node == end) {
          return true;
        }
        if (seen.add(node)) {
          node.to.forEach(open::push);
        }
      }
      return false;
    }
  }

  private static final class Order extends TopologicalOrder<Node> {
    /** Whether a node is known to lead to what is sought, if it does. */
    private final Predicate<Node> known;

    private Node sought;
    private long next;

    Order(Predicate<Node> known) {
      super(new SearchMarks());
      this.known = known;
    }

    void append(Node node) {
      move(node, next++);
    }

    boolean add(Node from, Node to) {
      sought = from;
      boolean ordered = insert(from, to);
      if (!ordered) {
        endSearch();
        return false;
      }
      from.to.add(to);
      to.from.add(from);
      return true;
    }

    @Override
    protected long position(Node node) {
      return node.position;
    }

    @Override
    protected void move(Node node, long position) {
      node.position = position;
    }

    @Override
    protected boolean mark(Node node, long searchMark) {
      boolean fresh = node.mark != searchMark;
      node.mark = searchMark;
      node.noted |= fresh;
      return fresh;
    }

    @Override
    protected boolean reachSuccessors(Node node) {
      for (Node next : node.to) {
        if (reach(next)) {
          return true;
        }
      }
      return false;
    }

    @Override
    protected boolean leadsToTarget(Node node) {
      return known.test(node) && node.reaches(sought, new HashSet<>()) && reach(sought);
    }

    @Override
    protected void reachPredecessors(Node node) {
      node.from.forEach(this::reach);
    }

    @Override
    protected void forget(Node node) {
      node.noted = false;
    }
  }

  @Test
  void anEdgeIsRefusedIfAndOnlyIfItClosesACycle() {
    runs(node -> false);
  }

  @Test
  void aPathThatIsKnownNeedNotBeWalked() {
    Random random = new Random(1);
    runs(node -> random.nextBoolean());
    Order order = new Order(node -> true);
    List<Node> nodes = Stream.generate(Node::new).limit(1_000).toList();
    nodes.forEach(order::append);
    for (int i = 1; i < nodes.size(); i++) {
      assertThat(order.add(nodes.get(i - 1), nodes.get(i))).isTrue();
    }
    assertThat(order.add(nodes.get(999), nodes.get(0))).isFalse();
    assertThat(order.visited()).isEqualTo(2);
  }

  private static void runs(Predicate<Node> known) {
    int refused = 0;
    for (int seed = 0; seed < RUNS; seed++) {
      Random random = new Random(seed);
      Order order = new Order(known);
      List<Node> nodes = new ArrayList<>();
      for (int n = 0; n < 60; n++) {
        if (nodes.size() < 2 || random.nextInt(4) == 0) {
          nodes.add(new Node());
          order.append(nodes.get(nodes.size() - 1));
          continue;
        }
        Node from = nodes.get(random.nextInt(nodes.size()));
        Node to = nodes.get(random.nextInt(nodes.size()));
        boolean closes = to.reaches(from, new HashSet<>());
        List<Long> before = nodes.stream().map(node -> node.position).toList();
        assertThat(order.add(from, to)).as("seed %d, step %d", seed, n).isEqualTo(!closes);
        if (closes) {
          refused++;
          assertThat(nodes.stream().map(node -> node.position)).containsExactlyElementsOf(before);
        }
        assertThat(nodes).noneMatch(node -> node.noted).allMatch(TopologicalOrderTest::inOrder);
      }
      assertThat(nodes.stream().map(node -> node.position)).doesNotHaveDuplicates();
    }
    assertThat(refused).isGreaterThan(RUNS);
  }

  private static boolean inOrder(Node node) {
    return node.to.stream().allMatch(next -> node.position < next.position);
  }
}
