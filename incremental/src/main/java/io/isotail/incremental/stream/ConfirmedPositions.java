package io.isotail.incremental.stream;

import it.unimi.dsi.fastutil.longs.Long2IntRBTreeMap;

/**
 * The confirmed positions of all live proxies, each as often as proxies have confirmed it. The
 * least one is found without a look at the others, and one is exchanged in a time that grows with
 * the logarithm of their number.
 */
final class ConfirmedPositions {
  private final Long2IntRBTreeMap proxiesAt = new Long2IntRBTreeMap();

  /** One more proxy has confirmed a position. */
  void add(long position) {
    proxiesAt.addTo(position, 1);
  }

  /** A proxy that has confirmed a position is no longer live, or has confirmed another one. */
  void remove(long position) {
    if (proxiesAt.addTo(position, -1) == 1) {
      proxiesAt.remove(position);
    }
  }

  /** The least position, or {@code most} if that is less or there is none. */
  long least(long most) {
    return proxiesAt.isEmpty() ? most : Math.min(most, proxiesAt.firstLongKey());
  }
}
