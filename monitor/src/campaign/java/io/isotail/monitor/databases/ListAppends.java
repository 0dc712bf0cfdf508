package io.isotail.monitor.databases;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Elle's list-append transactions [1] over SQL, recorded by the clients themselves as a history in
 * Elle's format: what isotail's own workloads are compared with. A list is a text of numbers. A
 * transaction has one to four operations, each of which appends to a list or reads it, and a list
 * is replaced after 32 appends.
 *
 * <p>[1] Kingsbury, Alvaro, Elle: Inferring Isolation Anomalies from Experimental Observations,
 * VLDB 2020, section 7.
 */
final class ListAppends {
  private static final int APPENDS_OF_A_LIST = 32;
  private static final int MOST_OPERATIONS = 4;
  private static final int THINK_NS = 300_000;

  private final ReproductionRun.Sessions connections;
  private final int lists;
  private final long seed;
  private final AtomicLong elements = new AtomicLong();
  private final AtomicLong appends = new AtomicLong();
  private final AtomicInteger index = new AtomicInteger();
  private final AtomicLong committed = new AtomicLong();
  private final long startNs = System.nanoTime();

  /**
   * Transactions on so many lists at a time.
   *
   * @param connections without autocommit, at the level that is tried
   */
  ListAppends(ReproductionRun.Sessions connections, int lists, long seed) {
    this.connections = connections;
    this.lists = lists;
    this.seed = seed;
  }

  /** Runs so many sessions for a time; returns how many transactions were committed. */
  long run(int sessions, int seconds, Path history) throws Exception {
    try (Connection c = connections.open();
        Statement s = c.createStatement()) {
      s.execute("CREATE TABLE isotail_l (k bigint NOT NULL PRIMARY KEY, l varchar(2000) NOT NULL)");
      c.commit();
    }
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    List<Thread> threads = new ArrayList<>();
    try (BufferedWriter out = Files.newBufferedWriter(history)) {
      for (int i = 0; i < sessions; i++) {
        int process = i;
        Thread thread = new Thread(() -> session(process, endNs, out), "list-append-" + i);
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    try (Connection c = connections.open();
        Statement s = c.createStatement()) {
      s.execute("DROP TABLE isotail_l");
      c.commit();
    }
    return committed.get();
  }

  private void session(int process, long endNs, BufferedWriter out) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + process);
    while (System.nanoTime() - endNs < 0) {
      try (Connection c = connections.open();
          PreparedStatement read = c.prepareStatement("SELECT l FROM isotail_l WHERE k = ?");
          PreparedStatement append =
              c.prepareStatement("UPDATE isotail_l SET l = concat(l, ?) WHERE k = ?");
          PreparedStatement make =
              c.prepareStatement("INSERT INTO isotail_l (k, l) VALUES (?, ?)")) {
        while (System.nanoTime() - endNs < 0) {
          transaction(process, random, c, read, append, make, out);
        }
      } catch (SQLException | IOException e) {
        System.out.println("databases: list-append session " + process + ": " + e);
        LockSupport.parkNanos(THINK_NS);
      }
    }
  }

  /** An operation: an append of a number, or a read of a list. */
  private record Operation(long list, long element) {
    String invoked() {
      return element == 0
          ? "[:r %d nil]".formatted(list)
          : "[:append %d %d]".formatted(list, element);
    }
  }

  private List<Operation> plan(SplittableRandom random) {
    List<Operation> plan = new ArrayList<>();
    for (int left = random.nextInt(1, MOST_OPERATIONS + 1); left > 0; left--) {
      // Lists change as appends go on, so that none grows without end.
      long generation = appends.get() / ((long) lists * APPENDS_OF_A_LIST);
      long list = generation * lists + random.nextInt(lists);
      boolean appends = random.nextBoolean();
      plan.add(new Operation(list, appends ? elements.incrementAndGet() : 0));
    }
    return plan;
  }

  private void transaction(
      int process,
      SplittableRandom random,
      Connection c,
      PreparedStatement read,
      PreparedStatement append,
      PreparedStatement make,
      BufferedWriter out)
      throws SQLException, IOException {
    List<Operation> plan = plan(random);
    record(out, process, "invoke", plan.stream().map(Operation::invoked).toList());
    List<String> done = new ArrayList<>();
    try {
      for (Operation operation : plan) {
        if (operation.element() == 0) {
          done.add("[:r %d %s]".formatted(operation.list(), list(read, operation.list())));
          LockSupport.parkNanos(random.nextInt(THINK_NS));
        } else {
          append(append, make, operation);
          done.add(operation.invoked());
        }
      }
      c.commit();
    } catch (SQLException e) {
      List<String> planned = plan.stream().map(Operation::invoked).toList();
      if (!c.isValid(5)) {
        record(out, process, "info", planned); // Whether it was committed is not known.
        throw e;
      }
      c.rollback();
      record(out, process, "fail", planned);
      return;
    }
    committed.incrementAndGet();
    appends.addAndGet(plan.stream().filter(o -> o.element() != 0).count());
    record(out, process, "ok", done);
  }

  private static String list(PreparedStatement read, long list) throws SQLException {
    read.setLong(1, list);
    try (ResultSet rows = read.executeQuery()) {
      return rows.next() ? "[" + rows.getString(1).strip() + "]" : "nil";
    }
  }

  private static void append(PreparedStatement append, PreparedStatement make, Operation operation)
      throws SQLException {
    append.setString(1, " " + operation.element());
    append.setLong(2, operation.list());
    if (append.executeUpdate() == 0) {
      make.setLong(1, operation.list());
      make.setString(2, " " + operation.element());
      make.executeUpdate();
    }
  }

  private void record(BufferedWriter out, int process, String type, List<String> operations)
      throws IOException {
    synchronized (out) {
      out.write(
          "{:index %d, :time %d, :process %d, :type :%s, :f :txn, :value [%s]}%n"
              .formatted(
                  index.getAndIncrement(),
                  System.nanoTime() - startNs,
                  process,
                  type,
                  String.join(" ", operations)));
    }
  }
}
