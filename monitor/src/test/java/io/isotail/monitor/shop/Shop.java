package io.isotail.monitor.shop;

import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.shop.ShopEndpoint;
import io.isotail.ingest.shop.ShopService;
import io.isotail.ingest.shop.ShopTables;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/** The three services over tables of their own, and how a request of one is interrupted. */
final class Shop implements AutoCloseable {
  private static final int CONNECTIONS = 8;
  private static final long LOOK_MS = 5;

  private final DataSource direct;
  private final Map<ShopService, Service> services = new EnumMap<>(ShopService.class);

  /**
   * A shop that is open.
   *
   * @param direct the database past isotail
   * @param schema of the tables, which are made
   * @param url through isotail's driver, to which service and schema are added
   */
  Shop(DataSource direct, String schema, String url) throws SQLException {
    this.direct = direct;
    try (Connection connection = direct.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA " + schema);
      statement.execute("SET search_path = " + schema);
      ShopTables.create(connection);
      connection.setAutoCommit(false);
      ShopTables.fill(connection);
    }
    for (ShopService name : ShopService.values()) {
      services.put(
          name,
          new Service(
              url + "&currentSchema=" + schema + "&isotail.service=" + name.label(), CONNECTIONS));
    }
  }

  /** The service of an endpoint. */
  Service of(ShopEndpoint endpoint) {
    Service service = services.get(endpoint.service());
    if (service == null) {
      throw new IllegalArgumentException(endpoint.service().label());
    }
    return service;
  }

  /** Answers a request that nothing interrupts at its own place. */
  void answer(ShopEndpoint endpoint, long... ids) throws SQLException {
    of(endpoint).answer(endpoint, ids);
  }

  /** Transactions that committed. */
  long committed() {
    return services.values().stream().mapToLong(Service::committed).sum();
  }

  /** Transactions that the database refused. */
  long refused() {
    return services.values().stream().mapToLong(Service::refused).sum();
  }

  /**
   * A request, and those that are answered in its middle, one after the other.
   *
   * @param endpoint what it asks for
   * @param ids what it is about
   * @param meanwhile those that come in between; none interrupts nothing
   */
  record Interrupted(ShopEndpoint endpoint, long[] ids, List<Interrupted> meanwhile) {
    static Interrupted of(ShopEndpoint endpoint, long[] ids, Interrupted... meanwhile) {
      return new Interrupted(endpoint, ids, List.of(meanwhile));
    }
  }

  /**
   * Answers a request that others interrupt, each on a connection that it has had from the
   * beginning. It goes on when the others are answered, or wait for its locks.
   */
  void answer(Interrupted request) throws Exception {
    List<Connection> connections = new ArrayList<>();
    try {
      Prepared prepared = prepare(request, connections);
      Queue<CompletableFuture<Void>> all = new ConcurrentLinkedQueue<>();
      prepared.answer(all);
      for (CompletableFuture<Void> each = all.poll(); each != null; each = all.poll()) {
        each.join();
      }
    } finally {
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  private Prepared prepare(Interrupted request, List<Connection> connections) throws SQLException {
    Connection connection = of(request.endpoint()).connection();
    connections.add(connection);
    List<Prepared> meanwhile = new ArrayList<>();
    for (Interrupted each : request.meanwhile()) {
      meanwhile.add(prepare(each, connections));
    }
    return new Prepared(request, connection, meanwhile);
  }

  /** A request with its connection. */
  private final class Prepared {
    private final Interrupted request;
    private final Connection connection;
    private final List<Prepared> meanwhile;

    Prepared(Interrupted request, Connection connection, List<Prepared> meanwhile) {
      this.request = request;
      this.connection = connection;
      this.meanwhile = meanwhile;
    }

    void answer(Queue<CompletableFuture<Void>> all) throws SQLException {
      ShopEndpoint endpoint = request.endpoint();
      of(endpoint).answer(connection, endpoint, request.ids(), () -> letIn(all));
    }

    private void letIn(Queue<CompletableFuture<Void>> all) {
      for (Prepared each : meanwhile) {
        CompletableFuture<Void> answered =
            CompletableFuture.runAsync(
                () -> {
                  try {
                    each.answer(all);
                  } catch (SQLException e) {
                    throw new IllegalStateException(e);
                  }
                },
                task -> new Thread(task, "meanwhile").start());
        all.add(answered);
        awaitAnsweredOrBlocked(answered, each.connection);
      }
    }
  }

  private void awaitAnsweredOrBlocked(CompletableFuture<Void> answered, Connection connection) {
    boolean over = false;
    while (!over) {
      try {
        answered.get(LOOK_MS, TimeUnit.MILLISECONDS);
        over = true;
      } catch (TimeoutException e) {
        over = waitsForLock(connection);
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private boolean waitsForLock(Connection waiting) {
    try (Connection connection = direct.getConnection();
        Statement statement = connection.createStatement();
        ResultSet blocking =
            statement.executeQuery(
                "SELECT cardinality(pg_blocking_pids(" + Service.backend(waiting) + ")) > 0")) {
      return blocking.next() && blocking.getBoolean(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Closes all connections and tells the monitor so. */
  @Override
  public void close() {
    services.values().forEach(Service::close);
    IsotailDriver.shutDown();
  }
}
