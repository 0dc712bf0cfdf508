package io.isotail.ingest.shop;

import io.isotail.ingest.workload.TransientFailures;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection of a service and its requests. Owned by its thread; others may cut it. */
abstract class ShopSession implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ShopSession.class);
  private static final int MAX_ATTEMPTS = 20;
  private static final long RECONNECT_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Behind the numbers of items, so that customers have others. */
  private static final int CUSTOMERS = ShopTables.ROWS;

  private final int number;
  private final ShopService service;
  private final ShopWorkload shop;
  final SplittableRandom random;
  private volatile @Nullable Connection open;
  private volatile boolean cut;
  private int level;

  ShopSession(int number, ShopService service, ShopWorkload shop) {
    this.number = number;
    this.service = service;
    this.shop = shop;
    this.random = new SplittableRandom(shop.plan().seed() * 1_000_003 + number);
  }

  /** Sends the next request when it is time to. */
  abstract void next(Connection connection) throws SQLException;

  final ShopWorkload shop() {
    return shop;
  }

  @Override
  public final void run() {
    while (!shop.isStopping()) {
      try (Connection connection = shop.open(service)) {
        open = connection;
        level = Connection.TRANSACTION_NONE;
        while (!shop.isStopping()) {
          next(connection);
        }
      } catch (SQLException | RuntimeException e) {
        lost(e);
      }
    }
  }

  private void lost(Exception e) {
    open = null;
    if (cut) {
      cut = false;
      shop.counters().cut.increment();
    } else {
      shop.counters().errors.increment();
      LOG.warn("{} lost a connection and opens another: {}", service.label(), e.toString());
      shop.sleep(RECONNECT_PAUSE_NS);
    }
  }

  /** Cuts the connection, as if the network had; returns false if there is none. */
  final boolean cut() throws SQLException {
    Connection connection = open;
    if (connection == null) {
      return false;
    }
    cut = true;
    connection.abort(Runnable::run);
    return true;
  }

  /**
   * Answers a request, again while the database refuses it.
   *
   * @param pause where it may be interrupted
   */
  final void answer(Connection connection, ShopEndpoint endpoint, long[] ids, Runnable pause)
      throws SQLException {
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      try {
        attempt(connection, endpoint, ids, pause);
        return;
      } catch (SQLException e) {
        shop.counters().aborted.increment();
        connection.rollback();
        if (!TransientFailures.isRetryable(e, /* inserts= */ false)) {
          throw e;
        }
        shop.counters().retried.increment();
      } finally {
        shop.conflicts().end(number);
      }
    }
  }

  private void attempt(Connection connection, ShopEndpoint endpoint, long[] ids, Runnable pause)
      throws SQLException {
    int wanted = shop.plan().level();
    runAt(connection, wanted == Connection.TRANSACTION_NONE ? endpoint.level() : wanted);
    boolean writes = ShopEndpoints.WRITERS.contains(endpoint);
    for (long id : ids) {
      int row = (int) id + (endpoint.service() == ShopService.BILLING ? CUSTOMERS : 0);
      shop.conflicts().touch(number, row, writes);
    }
    long request = shop.nextRequest();
    endpoint.work().run(new ShopRequest(connection, endpoint.route(), ids, request, pause));
    connection.commit();
    shop.counters().committed.increment();
    if (writes) {
      shop.counters().wrote.increment();
    }
  }

  /** Each time it is asked for, the driver asks the server. */
  private void runAt(Connection connection, int wanted) throws SQLException {
    if (level != wanted) {
      connection.setTransactionIsolation(wanted);
      level = wanted;
    }
  }
}
