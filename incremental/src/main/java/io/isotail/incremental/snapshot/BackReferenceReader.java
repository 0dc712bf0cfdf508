package io.isotail.incremental.snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The counterpart of {@link BackReferenceWriter}: the things that have been read, by their numbers.
 */
public final class BackReferenceReader<T> {
  private final Supplier<T> definition;
  private final List<T> inOrder = new ArrayList<>();

  /**
   * Nothing read yet.
   *
   * @param definition reads what a thing is; must not refer to others of the same kind
   * @param known things that are not read
   */
  public BackReferenceReader(Supplier<T> definition, List<T> known) {
    this.definition = definition;
    inOrder.addAll(known);
  }

  /** The thing that is meant, or null. */
  public @Nullable T refer(StateReader in) {
    int number = in.count();
    if (number == 0) {
      return null;
    }
    if (number > inOrder.size()) {
      in.require(number == inOrder.size() + 1, "reference " + number + " to what is unknown");
      inOrder.add(definition.get());
    }
    return inOrder.get(number - 1);
  }

  /** Takes a thing that is mentioned later. */
  public void add(T thing) {
    inOrder.add(thing);
  }

  /** Number of things mentioned, known ones included. */
  public int size() {
    return inOrder.size();
  }

  /** The {@code i}-th thing mentioned. */
  public T get(int i) {
    return inOrder.get(i);
  }
}
