package shop;

import io.isotail.junit.CheckIsolation;
import io.isotail.junit.CheckedDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Clerks who count what is there: they read a number, and write what it is to be. */
@CheckIsolation
class StocktakeTest {
  private static DataSource database;

  @BeforeAll
  static void connect() throws SQLException {
    PGSimpleDataSource real = new PGSimpleDataSource();
    real.setUrl(System.getenv("DATABASE_URL"));
    database = CheckedDataSource.of(real);
    try (Connection c = database.getConnection();
        Statement s = c.createStatement()) {
      s.execute("CREATE TABLE stock (item text PRIMARY KEY, amount int NOT NULL)");
      s.execute("INSERT INTO stock VALUES ('bolt', 1), ('nut', 1)");
    }
  }

  @Test
  void oneClerk() throws Exception {
    count("nut", 1, null);
    count("nut", 1, null);
  }

  @Test
  void twoClerksCountTheSameItem() throws Exception {
    CyclicBarrier bothHaveRead = new CyclicBarrier(2);
    ExecutorService clerks = Executors.newFixedThreadPool(2);
    Future<Void> one = clerks.submit(() -> count("bolt", 1, bothHaveRead));
    Future<Void> other = clerks.submit(() -> count("bolt", 2, bothHaveRead));
    one.get();
    other.get();
    clerks.shutdown();
  }

  private static Void count(String item, int more, CyclicBarrier bothHaveRead) throws Exception {
    try (Connection c = database.getConnection()) {
      c.setAutoCommit(false);
      int amount;
      try (PreparedStatement read =
          c.prepareStatement("SELECT amount FROM stock WHERE item = ?")) {
        read.setString(1, item);
        try (ResultSet row = read.executeQuery()) {
          row.next();
          amount = row.getInt(1);
        }
      }
      if (bothHaveRead != null) {
        bothHaveRead.await();
      }
      try (PreparedStatement write =
          c.prepareStatement("UPDATE stock SET amount = ? WHERE item = ?")) {
        write.setInt(1, amount + more);
        write.setString(2, item);
        write.executeUpdate();
      }
      c.commit();
    }
    return null;
  }
}
