import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts write skews between two sessions that commit at the same moment, on two nodes of a cluster:
 * both read the same two rows, and each overwrites another of them.
 *
 * <p>{@code java -cp DRIVER.jar WriteSkewOfTwoNodes.java URL-OF-A URL-OF-B LEVEL ROUNDS}; LEVEL is
 * JDBC's number: 4 repeatable read, 8 serializable.
 */
public class WriteSkewOfTwoNodes {
  public static void main(String[] args) throws Exception {
    int rounds = Integer.parseInt(args[3]);
    try (Connection c = DriverManager.getConnection(args[0]);
        Statement s = c.createStatement()) {
      s.execute("CREATE TABLE skew (k bigint NOT NULL PRIMARY KEY, v bigint NOT NULL)");
      for (int k = 0; k < 2 * rounds; k++) {
        s.execute("INSERT INTO skew (k, v) VALUES (" + k + ", 0)");
      }
      TimeUnit.SECONDS.sleep(2); // The other node applies the last of them.
      AtomicLongArray committed = new AtomicLongArray(rounds);
      CyclicBarrier together = new CyclicBarrier(2);
      Thread b = new Thread(() -> session(args[1], args[2], 1, rounds, together, committed));
      b.start();
      session(args[0], args[2], 0, rounds, together, committed);
      b.join();
      long skews = 0;
      for (int i = 0; i < rounds; i++) {
        skews += committed.get(i) == 2 ? 1 : 0;
      }
      System.out.printf(
          "%,d of %,d rounds: both read 0 and 0, each wrote another row, both were committed%n",
          skews, rounds);
      s.execute("DROP TABLE skew");
    }
  }

  private static void session(
      String url, String level, int own, int rounds, CyclicBarrier together, AtomicLongArray done) {
    try (Connection c = DriverManager.getConnection(url);
        Statement s = c.createStatement()) {
      c.setTransactionIsolation(Integer.parseInt(level));
      c.setAutoCommit(false);
      for (int i = 0; i < rounds; i++) {
        together.await();
        boolean zeros = false;
        try {
          zeros = read(s, 2 * i) == 0 && read(s, 2 * i + 1) == 0;
        } catch (SQLException e) {
          c.rollback();
        }
        together.await();
        try {
          s.execute("UPDATE skew SET v = 1 WHERE k = " + (2 * i + own));
        } catch (SQLException e) {
          zeros = false;
          c.rollback();
        }
        together.await();
        try {
          c.commit();
          done.addAndGet(i, zeros ? 1 : 0);
        } catch (SQLException e) {
          c.rollback();
        }
      }
    } catch (Exception e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private static long read(Statement s, int key) throws SQLException {
    try (ResultSet row = s.executeQuery("SELECT v FROM skew WHERE k = " + key)) {
      row.next();
      return row.getLong(1);
    }
  }
}
