package io.isotail.incremental.check;

import io.isotail.incremental.polygraph.LevelGraph;
import io.isotail.incremental.snapshot.Helpers;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;

/** Saves and loads what the strong levels remember. */
final class StrongLevelsState {
  private StrongLevelsState() {}

  /** Saves all but what is returned, which is to follow. */
  static GraphBodies save(StrongLevels levels, GraphWriter graph, Helpers helpers) {
    graph.out.section("strong levels");
    graph.out.number(levels.lost);
    graph.out.count(levels.committed);
    levels.searches.save(graph.out);
    graph.out.count(levels.strongest);
    levels.forEachBesideOutsiders(each -> each.save(graph));
    for (int i = StrongLevels.WEAKEST; i <= levels.configured; i++) {
      levels.leftOut.save(graph, i);
      LevelGraph saved = levels.graphs[i];
      graph.out.flag(saved != null);
      if (saved != null) {
        saved.saveHead(graph);
      }
    }
    levels.leftOutUpdates.save(graph);
    GraphBodies bodies = new GraphBodies();
    for (LevelGraph each : levels.graphs) {
      if (each != null) {
        bodies.begin(each, helpers);
      }
    }
    return bodies;
  }

  static void load(StrongLevels levels, GraphReader graph) {
    graph.in.section("strong levels");
    levels.lost = graph.in.number();
    levels.committed = graph.in.count();
    levels.searches.load(graph.in);
    levels.strongest = graph.in.count();
    levels.forEachBesideOutsiders(each -> each.load(graph));
    levels.graphs[levels.configured] = null;
    for (int i = StrongLevels.WEAKEST; i <= levels.configured; i++) {
      levels.leftOut.load(graph, i);
      if (graph.in.flag()) {
        LevelGraph loaded = levels.newGraph(i);
        loaded.loadHead(graph);
        levels.graphs[i] = loaded;
      }
    }
    levels.leftOutUpdates.load(graph);
  }
}
