package io.isotail.ingest.shop;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/** Counts a shelf each second, one of those that sell best, which takes a moment. */
final class ClerkSession extends ShopSession {
  private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long COUNTING_NS = TimeUnit.MILLISECONDS.toNanos(200);

  /** The first items sell best. */
  private static final int BEST = 3;

  private long nextNs = System.nanoTime();

  ClerkSession(int number, ShopWorkload shop) {
    super(number, ShopService.WAREHOUSE, shop);
  }

  @Override
  void next(Connection connection) throws SQLException {
    nextNs = Math.max(nextNs + EVERY_NS, System.nanoTime());
    shop().sleep(nextNs - System.nanoTime());
    if (!shop().isStopping()) {
      long[] shelf = {random.nextInt(BEST)};
      answer(connection, ShopEndpoints.STOCKTAKE, shelf, () -> shop().sleep(COUNTING_NS));
    }
  }
}
