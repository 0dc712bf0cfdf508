package io.isotail.ingest.shop;

import io.isotail.ingest.workload.KeyDistribution;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/**
 * Sends requests to the endpoints of a service that are right, some items more often than others.
 */
final class CustomerSession extends ShopSession {
  private static final KeyDistribution.Keys POPULAR =
      KeyDistribution.ofLabel("zipf").over(ShopTables.ROWS);

  private final List<ShopEndpoint> endpoints;
  private long nextNs = System.nanoTime();

  CustomerSession(int number, ShopService service, ShopWorkload shop) {
    super(number, service, shop);
    this.endpoints =
        ShopEndpoints.RIGHT.stream().filter(each -> each.service() == service).toList();
  }

  @Override
  void next(Connection connection) throws SQLException {
    long intervalNs = shop().intervalNs();
    // What was missed is made up for, of the last intervals.
    nextNs = Math.max(nextNs + intervalNs, System.nanoTime() - 10 * intervalNs);
    long waitNs = nextNs - System.nanoTime();
    if (waitNs > 0) {
      shop().sleep(waitNs);
    }
    if (!shop().isStopping()) {
      ShopEndpoint endpoint = endpoints.get(random.nextInt(endpoints.size()));
      // In order, so that nobody waits in a circle.
      long[] ids =
          Arrays.stream(POPULAR.distinct(endpoint.ids(), random)).sorted().asLongStream().toArray();
      answer(connection, endpoint, ids, () -> {});
    }
  }
}
