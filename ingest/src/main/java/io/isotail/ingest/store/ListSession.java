package io.isotail.ingest.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session whose registers are lists: what is written is appended, and a read shows all that was
 * ever appended, in its order. So the store itself tells the order of versions.
 */
public interface ListSession extends StoreSession {
  /**
   * What stands in a list as this transaction sees it, in its order.
   *
   * @param register its number, from 0
   * @return empty if nothing was ever appended
   */
  List<Long> list(long register) throws Exception;

  @Override
  default boolean isOfLists() {
    return true;
  }

  /** The last one that stands in the list. */
  @Override
  default @Nullable Long read(long register) throws Exception {
    List<Long> list = list(register);
    return list.isEmpty() ? null : list.get(list.size() - 1);
  }
}
