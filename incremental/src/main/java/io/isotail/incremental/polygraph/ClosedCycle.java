package io.isotail.incremental.polygraph;

import java.util.List;

/**
 * A dependency that did not enter the graph, since it closes a cycle.
 *
 * @param path from its end back to its beginning
 */
record ClosedCycle(Dependency closing, List<Dependency> path) {}
