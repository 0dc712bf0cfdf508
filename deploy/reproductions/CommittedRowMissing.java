import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts transactions that do not see a row although its commit had returned before they began.
 * Nothing is ever deleted. Each transaction reads two rows, and then updates one of them, or inserts
 * it if it is not there; after four writes another row takes the place of a row.
 *
 * <p>{@code java -cp DRIVER.jar CommittedRowMissing.java URL LEVEL SESSIONS SECONDS}, on an empty
 * database; LEVEL is JDBC's number: 2 read committed, 4 repeatable read, 8 serializable.
 */
public class CommittedRowMissing {
  private static final int REGISTERS = 10;

  /** Rows of which the commit of their insert has returned. */
  private static final Set<Long> COMMITTED = ConcurrentHashMap.newKeySet();

  private static final AtomicLongArray WRITES = new AtomicLongArray(REGISTERS);
  private static final AtomicLong VALUES = new AtomicLong();
  private static final AtomicLong DONE = new AtomicLong();
  private static final AtomicLong ROLLED_BACK = new AtomicLong();
  private static final AtomicLong MISSING = new AtomicLong();

  public static void main(String[] args) throws Exception {
    String url = args[0];
    int level = Integer.parseInt(args[1]);
    long endNs = System.nanoTime() + Long.parseLong(args[3]) * 1_000_000_000L;
    try (Connection c = DriverManager.getConnection(url);
        Statement s = c.createStatement()) {
      s.execute("CREATE TABLE r (k bigint NOT NULL PRIMARY KEY, v bigint NOT NULL)");
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        SplittableRandom random = new SplittableRandom(i);
        Thread thread = new Thread(() -> session(url, level, random, endNs));
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    System.out.printf(
        "%,d transactions, %,d rolled back; committed rows that were not seen: %,d%n",
        DONE.get(), ROLLED_BACK.get(), MISSING.get());
  }

  private static long row(int register) {
    return register + REGISTERS * (WRITES.get(register) / 4);
  }

  private static void session(String url, int level, SplittableRandom random, long endNs) {
    try (Connection c = DriverManager.getConnection(url)) {
      c.setTransactionIsolation(level);
      c.setAutoCommit(false);
      try (PreparedStatement select = c.prepareStatement("SELECT v FROM r WHERE k = ?");
          PreparedStatement update = c.prepareStatement("UPDATE r SET v = ? WHERE k = ?");
          PreparedStatement insert = c.prepareStatement("INSERT INTO r (k, v) VALUES (?, ?)")) {
        while (System.nanoTime() - endNs < 0) {
          try {
            transaction(c, select, update, insert, random);
          } catch (SQLException e) {
            c.rollback();
            ROLLED_BACK.incrementAndGet();
          }
        }
      }
    } catch (SQLException e) {
      e.printStackTrace();
    }
  }

  private static void transaction(
      Connection c,
      PreparedStatement select,
      PreparedStatement update,
      PreparedStatement insert,
      SplittableRandom random)
      throws SQLException {
    int one = Math.min(REGISTERS - 1, (int) (-Math.log(1 - random.nextDouble()) * 2));
    int two = (one + 1 + random.nextInt(REGISTERS - 1)) % REGISTERS;
    long[] rows = {row(one), row(two)};
    boolean[] there = {COMMITTED.contains(rows[0]), COMMITTED.contains(rows[1])};
    boolean[] seen = new boolean[2];
    for (int i = 0; i < 2; i++) {
      select.setLong(1, rows[i]);
      try (ResultSet found = select.executeQuery()) {
        seen[i] = found.next();
      }
      LockSupport.parkNanos(random.nextInt(300_000));
    }
    int written = random.nextInt(5) == 0 ? -1 : random.nextInt(2);
    if (written >= 0) {
      update.setLong(1, VALUES.incrementAndGet());
      update.setLong(2, rows[written]);
      if (update.executeUpdate() == 0) {
        insert.setLong(1, rows[written]);
        insert.setLong(2, VALUES.incrementAndGet());
        insert.executeUpdate();
      }
    }
    c.commit();
    DONE.incrementAndGet();
    if (written >= 0) {
      COMMITTED.add(rows[written]);
      WRITES.incrementAndGet(written == 0 ? one : two);
    }
    for (int i = 0; i < 2; i++) {
      if (there[i] && !seen[i] && MISSING.incrementAndGet() <= 5) {
        System.out.printf(
            "row %d was committed before the transaction began, which read %s and saw %s%n",
            rows[i], Arrays.toString(rows), Arrays.toString(seen));
      }
    }
  }
}
