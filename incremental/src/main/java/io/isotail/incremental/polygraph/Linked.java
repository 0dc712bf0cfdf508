package io.isotail.incremental.polygraph;

import io.isotail.incremental.snapshot.Numbered;
import org.jspecify.annotations.Nullable;

/** What can be part of one {@link LinkedItems} at a time. */
abstract class Linked<T extends Linked<T>> extends Numbered {
  @Nullable T linkedBefore;
  @Nullable T linkedAfter;
}
