package io.isotail.monitor.serial;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Strictly serial traffic raises no alarm, whoever writes past isotail and whatever comes back. */
final class SerialIT {
  private static final int RUNS = 9;
  private static final long SEED = Seeds.FRESH;

  private static SerialDatabase database;

  @BeforeAll
  static void start() throws Exception {
    database = SerialDatabase.start();
  }

  @AfterAll
  static void stop() throws Exception {
    database.close();
  }

  @Test
  void serialTrafficRaisesNoAlarm() throws Exception {
    SerialTotals totals = new SerialTotals();
    for (int i = 0; i < RUNS; i++) {
      SerialFigures figures = SerialRun.run(SerialPlan.honest(SEED + i), database);
      totals.add(figures);
      figures.check();
    }
    System.out.printf("serial: %d runs from seed %d on: %s%n", RUNS, SEED, totals.text());
    assertThat(totals.share(TableKind.UNIQUE).decided()).isPositive();
    assertThat(totals.share(TableKind.COUNTING).decided()).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsPlantedAmongItIsFound(Plant plant) throws Exception {
    boolean unique = (SEED + plant.ordinal()) % 2 == 0;
    SerialRun.run(SerialPlan.planted(SEED, plant, unique), database).check();
  }

  @Test
  void aRowFromBeforeCaptureThatGetsItsValueBackIsNoCycle() throws Exception {
    prepare("INSERT INTO plain (k, v) VALUES (1, 100)");
    SerialStream stream = new SerialStream(new Random(SEED));
    try (SerialSession session = new SerialSession(database, stream, 1, 1)) {
      Connection c = session.captured().get(0);
      c.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      run(stream, c, "SELECT v FROM plain WHERE k = 1");
      run(stream, c, "UPDATE plain SET v = 99 WHERE k = 1");
      run(stream, c, "UPDATE plain SET v = 100 WHERE k = 1");
      run(stream, c, "SELECT v FROM plain WHERE k = 1");
    }
    assertThat(new SerialChecks(false, stream.log()).findings()).isEmpty();
  }

  @Test
  void aValueThatSomebodyPastIsotailPutBackIsNoViolation() throws Exception {
    prepare();
    SerialStream stream = new SerialStream(new Random(SEED));
    try (SerialSession session = new SerialSession(database, stream, 1, 1)) {
      Connection c = session.captured().get(0);
      run(stream, c, "INSERT INTO plain (k, v) VALUES (1, 5)");
      run(stream, c, "UPDATE plain SET v = 6 WHERE k = 1");
      run(stream, session.outside(), "UPDATE plain SET v = 5 WHERE k = 1");
      run(stream, c, "SELECT v FROM plain WHERE k = 1");
    }
    assertThat(new SerialChecks(false, stream.log()).findings()).isEmpty();
  }

  @Test
  void aCascadeMayDeleteWhatItsOwnTransactionWrote() throws Exception {
    prepare("INSERT INTO plain (k, v) VALUES (1, 1)");
    SerialStream stream = new SerialStream(new Random(SEED));
    try (SerialSession session = new SerialSession(database, stream, 1, 1)) {
      transaction(
          stream,
          session.captured().get(0),
          "INSERT INTO child (k, v, parent) VALUES (1, 5, 1)",
          "DELETE FROM plain WHERE k = 1",
          "SELECT v FROM child WHERE k = 1");
    }
    assertThat(new SerialChecks(false, stream.log()).findings()).isEmpty();
    assertThat(new SerialChecks(true, stream.log()).findings()).as("unique versions").isEmpty();
  }

  @Test
  void aTriggerMayOverwriteWhatItsOwnTransactionWrote() throws Exception {
    prepare(
        "ALTER TABLE plain ENABLE TRIGGER reflect",
        "INSERT INTO plain (k, v) VALUES (1, 1), (2, 1)",
        "INSERT INTO mirror (k, v) VALUES (1, 1), (2, 1)");
    SerialStream stream = new SerialStream(new Random(SEED));
    try (SerialSession session = new SerialSession(database, stream, 2, 1)) {
      run(stream, session.captured().get(1), "UPDATE mirror SET v = 3 WHERE k = 1");
      // The version of another transaction's write, and one of its own before the last.
      transaction(
          stream,
          session.captured().get(0),
          "UPDATE mirror SET v = 2 WHERE k = 1",
          "UPDATE plain SET v = 3 WHERE k = 1",
          "SELECT v FROM mirror WHERE k = 1",
          "UPDATE mirror SET v = 3 WHERE k = 2",
          "UPDATE mirror SET v = 2 WHERE k = 2",
          "UPDATE plain SET v = 3 WHERE k = 2",
          "SELECT v FROM mirror WHERE k = 2");
      // What the trigger wrote last outlives the transaction.
      run(stream, session.captured().get(1), "SELECT v FROM mirror WHERE k = 2");
    }
    assertThat(new SerialChecks(false, stream.log()).findings()).isEmpty();
  }

  private static void prepare(String... statements) throws SQLException {
    database.execute("TRUNCATE plain, child, mirror, counted, vault CASCADE");
    database.execute("ALTER TABLE plain DISABLE TRIGGER reflect");
    database.execute("ALTER TABLE plain DISABLE TRIGGER reflect_fresh");
    for (String sql : statements) {
      database.execute(sql);
    }
  }

  private static void run(SerialStream stream, Connection connection, String sql)
      throws SQLException {
    new Sql(new Random(0)).run(connection, sql);
    stream.endTurn();
  }

  private static void transaction(SerialStream stream, Connection connection, String... statements)
      throws SQLException {
    connection.setAutoCommit(false);
    for (String sql : statements) {
      new Sql(new Random(0)).run(connection, sql);
    }
    connection.commit();
    connection.setAutoCommit(true);
    stream.endTurn();
  }
}
