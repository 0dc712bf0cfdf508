package io.isotail.incremental.polygraph;

import io.isotail.incremental.snapshot.StateReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** By which numbers the parts of a graph that is saved refer to each other. */
final class GraphNumbers {
  /** Refers to nothing. */
  static final int NONE = -1;

  private GraphNumbers() {}

  static int number(@Nullable TransactionNode node) {
    return node == null ? NONE : node.saved;
  }

  /** The one with the number that was saved, or null. */
  static <T> @Nullable T numbered(List<T> all, StateReader in) {
    int number = in.smallNumber();
    return number < 0 ? null : all.get(number);
  }
}
