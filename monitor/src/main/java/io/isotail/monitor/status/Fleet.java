package io.isotail.monitor.status;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The instances of the group, as one of them sees it.
 *
 * @param self name of this instance
 * @param peers the others that are alive, the latest report first
 * @param problem why nothing is known of the others, null when all is well
 */
public record Fleet(String self, List<Peer> peers, @Nullable String problem) {
  /** An instance that knows of no other. */
  public static final Fleet NONE = new Fleet("self", List.of(), null);

  /** Copies the list. */
  public Fleet {
    peers = List.copyOf(peers);
  }
}
