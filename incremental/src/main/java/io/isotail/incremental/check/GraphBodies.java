package io.isotail.incremental.check;

import io.isotail.incremental.polygraph.LevelGraph;
import io.isotail.incremental.snapshot.Helpers;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The greater part of what the strong levels save: the bodies of their graphs, which other threads
 * may write at the same time.
 */
public final class GraphBodies implements AutoCloseable {
  private final List<StateWriter> bodies = new ArrayList<>();

  /** The last one first: that is the first which this thread can take over. */
  private final ArrayDeque<Runnable> ends = new ArrayDeque<>();

  void begin(LevelGraph graph, Helpers helpers) {
    StateWriter body = StateWriter.part();
    bodies.add(body);
    ends.push(helpers.begin(() -> graph.saveBody(body)));
  }

  /** Adds all of it to the snapshot once it is there. */
  public void append(StateWriter out) {
    close();
    bodies.forEach(out::later);
  }

  /** Waits until nobody writes any more; throws what one of them has thrown. */
  @Override
  public void close() {
    Runnable end = ends.poll();
    if (end != null) {
      try {
        end.run();
      } finally {
        close();
      }
    }
  }
}
