package io.isotail.ingest.cost;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs the same transactions through two URLs, in turns of a second: plain, isotail, isotail,
 * plain, and so on. What the machine does besides then falls on both.
 */
final class Comparison implements AutoCloseable {
  /** Serialization failures and deadlocks: the transaction is tried again, and counts once. */
  private static final String RETRIED = "40";

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final Side plain;
  private final Side isotail;

  /**
   * A turn of one side.
   *
   * @param transactions that were committed
   * @param retries transactions that the server refused and that were run again
   * @param nanos how long it took
   * @param cpuNanos processor time of this process, with its threads of all kinds
   */
  record Turn(long transactions, long retries, long nanos, long cpuNanos) {
    double perSecond() {
      return transactions * 1e9 / nanos;
    }

    double cpuMicros() {
      return cpuNanos / 1e3 / transactions;
    }
  }

  /**
   * Two neighbouring turns.
   *
   * @param plain without isotail
   * @param isotail with it
   */
  record Pair(Turn plain, Turn isotail) {
    double throughput() {
      return isotail.perSecond() / plain.perSecond();
    }

    double cpu() {
      return isotail.cpuMicros() / plain.cpuMicros();
    }
  }

  private static final class Side implements AutoCloseable {
    private final List<Connection> connections = new ArrayList<>();
    private final List<Workload.Client> clients = new ArrayList<>();
    private final ExecutorService threads;

    Side(String url, Properties properties, Workload workload, int level, int count)
        throws SQLException {
      threads = Executors.newFixedThreadPool(count);
      for (int i = 0; i < count; i++) {
        Connection connection = DriverManager.getConnection(url, properties);
        connections.add(connection);
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(level);
        clients.add(workload.client(connection, new Random(i)));
      }
    }

    Turn turn(long nanos) throws InterruptedException, ExecutionException {
      long began = System.nanoTime();
      long cpu = PROCESS.getProcessCpuTime();
      List<Callable<long[]>> work = new ArrayList<>();
      for (int i = 0; i < clients.size(); i++) {
        Workload.Client client = clients.get(i);
        Connection connection = connections.get(i);
        work.add(() -> run(client, connection, began + nanos));
      }
      long done = 0;
      long retries = 0;
      for (Future<long[]> one : threads.invokeAll(work)) {
        done += one.get()[0];
        retries += one.get()[1];
      }
      return new Turn(done, retries, System.nanoTime() - began, PROCESS.getProcessCpuTime() - cpu);
    }

    private static long[] run(Workload.Client client, Connection connection, long until)
        throws SQLException {
      long done = 0;
      long retries = 0;
      while (System.nanoTime() < until) {
        try {
          client.transaction();
          done++;
        } catch (SQLException e) {
          connection.rollback();
          if (e.getSQLState() == null || !e.getSQLState().startsWith(RETRIED)) {
            throw e;
          }
          retries++;
        }
      }
      return new long[] {done, retries};
    }

    @Override
    public void close() throws SQLException {
      threads.shutdownNow();
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  /**
   * Connects both sides.
   *
   * @param level of {@link Connection}
   * @param threads clients of each side, of which one side's run at a time
   */
  Comparison(
      String plainUrl,
      String isotailUrl,
      Properties properties,
      Workload workload,
      int level,
      int threads)
      throws SQLException {
    plain = new Side(plainUrl, properties, workload, level, threads);
    isotail = new Side(isotailUrl, properties, workload, level, threads);
  }

  /** Runs pairs of turns, with the other side first in every second one. */
  List<Pair> run(int pairs, long turnNanos) throws InterruptedException, ExecutionException {
    List<Pair> all = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      boolean plainFirst = i % 2 == 0;
      Turn first = (plainFirst ? plain : isotail).turn(turnNanos);
      Turn second = (plainFirst ? isotail : plain).turn(turnNanos);
      all.add(plainFirst ? new Pair(first, second) : new Pair(second, first));
    }
    return all;
  }

  @Override
  public void close() throws SQLException {
    plain.close();
    isotail.close();
  }
}
