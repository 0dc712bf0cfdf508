package io.isotail.incremental.digraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The order on random graphs, compared with a search that knows no order. */
final class TopologicalListTest {
  private static final int RUNS = 2_000;

  private static final class Point extends ListedNode<Point, Link<Point>> {
    final List<Point> to = new ArrayList<>();
    final List<Point> from = new ArrayList<>();
    @Nullable Point via;
    boolean noted;

    boolean reaches(Point end, Set<Point> seen) {
      return this == end || (seen.add(this) && to.stream().anyMatch(n -> n.reaches(end, seen)));
    }
  }

  private static final class Order extends TopologicalList<Point, Link<Point>> {
    /** Whether a node is known to lead to what is sought, if it does. */
    private final Predicate<Point> known;

    private @Nullable Point sought;
    private @Nullable Point from;

    /** Nodes along the path that closed a cycle, from its end back. */
    final List<Point> path = new ArrayList<>();

    Order(Predicate<Point> known) {
      super(new SearchMarks());
      this.known = known;
    }

    boolean add(Point start, Point end) {
      sought = start;
      from = null;
      path.clear();
      boolean ordered = insert(start, end);
      if (!ordered) {
        for (Point p = start; p != end && p != null; p = p.via) {
          path.add(p);
        }
        endSearch();
        return false;
      }
      start.to.add(end);
      end.from.add(start);
      return true;
    }

    @Override
    protected void visit(Point node) {
      node.noted = true;
      node.via = from;
    }

    @Override
    protected boolean reachSuccessors(Point node) {
      for (Point next : node.to) {
        from = node;
        if (reach(next)) {
          return true;
        }
      }
      from = null;
      return false;
    }

    @Override
    protected boolean leadsToTarget(Point node) {
      from = node;
      return known.test(node) && node.reaches(sought, new HashSet<>()) && reach(sought);
    }

    @Override
    protected boolean reachPredecessors(Point node) {
      return node.from.stream().anyMatch(this::reach);
    }

    @Override
    protected void forget(Point node) {
      node.noted = false;
      node.via = null;
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
  }

  @Test
  void whatMustComeFarEarlierCostsWhatLeadsToItAlone() {
    Order order = new Order(node -> false);
    List<Point> nodes = Stream.generate(Point::new).limit(1_000).toList();
    nodes.forEach(order::append);
    for (int i = 1; i < nodes.size(); i++) {
      order.add(nodes.get(i - 1), nodes.get(i));
    }
    Point late = new Point();
    order.append(late);
    assertThat(order.add(late, nodes.get(1))).isTrue();
    assertThat(order.visited()).isLessThan(4);
    Point early = new Point();
    order.append(early);
    order.move(early, nodes.get(0));
    assertThat(order.add(nodes.get(998), early)).isTrue();
    assertThat(order.visited()).isLessThan(8);
    assertThat(order.add(early, nodes.get(0))).isFalse();
  }

  private static void runs(Predicate<Point> known) {
    int refused = 0;
    for (int seed = 0; seed < RUNS; seed++) {
      Random random = new Random(seed);
      Order order = new Order(known);
      List<Point> nodes = new ArrayList<>();
      for (int n = 0; n < 60; n++) {
        String step = "seed %d, step %d".formatted(seed, n);
        if (nodes.size() < 2 || random.nextInt(4) == 0) {
          addOrMove(random, order, nodes);
          continue;
        }
        Point from = nodes.get(random.nextInt(nodes.size()));
        Point to = nodes.get(random.nextInt(nodes.size()));
        boolean closes = to.reaches(from, new HashSet<>());
        List<Long> before = nodes.stream().map(node -> node.position).toList();
        assertThat(order.add(from, to)).as(step).isEqualTo(!closes);
        if (closes) {
          refused++;
          assertThat(nodes.stream().map(node -> node.position)).containsExactlyElementsOf(before);
          assertThat(from == to || leads(order.path, to)).as(step).isTrue();
        }
        assertThat(nodes).as(step).noneMatch(node -> node.noted).allMatch(p -> inOrder(p));
      }
      assertThat(nodes.stream().map(node -> node.position)).doesNotHaveDuplicates();
    }
    assertThat(refused).isGreaterThan(RUNS);
  }

  /** A node comes in, or one that has no edges goes or moves. */
  private static void addOrMove(Random random, Order order, List<Point> nodes) {
    Point free =
        nodes.stream().filter(p -> p.to.isEmpty() && p.from.isEmpty()).findAny().orElse(null);
    if (free == null || random.nextBoolean()) {
      Point made = new Point();
      nodes.add(made);
      order.append(made);
    } else if (random.nextInt(3) == 0) {
      nodes.remove(free);
      order.remove(free);
    } else {
      int place = random.nextInt(nodes.size() + 1);
      order.move(free, place == nodes.size() ? null : nodes.get(place));
    }
  }

  /**
   * Whether a path told backward leads on to each node by an edge, or one that is known to lead.
   */
  private static boolean leads(List<Point> backward, Point start) {
    Point later = null;
    for (Point p : backward) {
      if (later != null && !p.reaches(later, new HashSet<>())) {
        return false;
      }
      later = p;
    }
    return later != null && start.reaches(later, new HashSet<>());
  }

  private static boolean inOrder(Point node) {
    return node.to.stream().allMatch(next -> node.position < next.position);
  }
}
