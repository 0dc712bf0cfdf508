package io.isotail.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.postgresql.ds.PGSimpleDataSource;

/** Tests of an application on a real PostgreSQL, run as JUnit runs them. */
final class CheckIsolationIT {
  private static final String REPORT = "report-%d.json".formatted(ProcessHandle.current().pid());

  @TempDir private static Path reports;
  private static EmbeddedDatabase server;

  /** Without isotail: what sets the database up. */
  private static DataSource plain;

  private static DataSource database;
  private static Accounts accounts;

  @BeforeAll
  static void start() throws Exception {
    System.setProperty("isotail.reports", reports.toString());
    server = EmbeddedDatabase.start();
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(server.jdbcUrl());
    plain = source;
    Accounts.create(plain);
    database = CheckedDataSource.of(plain);
    accounts = new Accounts(database);
  }

  @AfterAll
  static void stop() throws Exception {
    System.clearProperty("isotail.reports");
    server.close();
  }

  @CheckIsolation
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  static class Deposits {
    @Test
    @Order(1)
    void oneAfterTheOther() throws SQLException {
      accounts.deposit(1, 10);
      accounts.deposit(1, 20);
    }

    @Test
    @Order(2)
    void twoAtOnce() throws SQLException {
      accounts.depositTwiceAtOnce(2);
    }

    @Test
    @Order(3)
    void oneOfTwoRollsBack() throws SQLException {
      Accounts.Deposit first = accounts.begin(2);
      Accounts.Deposit second = accounts.begin(2);
      first.commit(10);
      second.rollBack();
    }

    @Test
    @Order(4)
    void theDatabaseIsMadeAnewByOthers() throws SQLException {
      accounts.deposit(1, 10);
      Accounts.create(plain);
      accounts.deposit(1, 10);
      new Accounts(plain).deposit(1, 10);
      accounts.deposit(1, 10);
    }

    @Test
    @Order(5)
    @CheckIsolation(promise = IsolationLevel.READ_COMMITTED)
    void twoAtOnceWhereLessIsPromised() throws SQLException {
      accounts.depositTwiceAtOnce(3);
    }

    @Nested
    class Within {
      @Test
      void twoAtOnce() throws SQLException {
        accounts.depositTwiceAtOnce(4);
      }
    }
  }

  @Test
  void aTestFailsForWhatHappenedInItAlone() throws Exception {
    EngineExecutionResults results = run(Deposits.class);
    assertThat(failed(results)).containsExactly("twoAtOnce()", "twoAtOnce()");
    assertThat(message(results, 0))
        .startsWith("An update was lost on accounts")
        .contains("serializable promised; 1 such violation of snapshot-isolation in this test")
        .contains("SELECT amount FROM accounts WHERE id = ?")
        .contains("UPDATE accounts SET amount = ? WHERE id = ?")
        .contains("accounts[2]")
        .containsPattern(
            "It can have gone so:\n\n.*\n +read .*\n +read .*\n +wrote .*\n +commit\n +wrote ")
        .contains("in Accounts.read(Accounts.java:")
        .contains("these transactions ran at postgresql:read-committed, which allows this")
        .contains("add FOR UPDATE to `SELECT amount FROM accounts WHERE id = ?`")
        .doesNotContain("accounts[4]");
    try (Stream<Path> files = Files.list(reports)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains(REPORT)
          .anyMatch(file -> file.startsWith("lost-update-"));
    }
    assertThat(Files.readString(reports.resolve(REPORT)))
        .contains("\"test\" : \"Deposits.oneAfterTheOther\"")
        .contains("\"anomaly\" : \"lost-update\"");
    assertThat(Files.readString(reports.resolve(REPORT.replace("json", "html"))))
        .contains("An update was lost on accounts", "<svg", "Deposits.oneAfterTheOther")
        .endsWith("</body></html>\n");
  }

  @CheckIsolation(failOnUndecided = true)
  static class PoolOfConnections {
    @Test
    void isAsGood() throws SQLException {
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(server.jdbcUrl());
      config.setMaximumPoolSize(3);
      try (HikariDataSource pool = new HikariDataSource(config)) {
        Accounts pooled = new Accounts(CheckedDataSource.of(pool));
        for (int i = 0; i < 20; i++) {
          pooled.deposit(5, 1);
        }
        pooled.depositTwiceAtOnce(5);
      }
    }

    @Test
    void allWasDecided() throws SQLException {
      new Accounts(CheckedDataSource.of(plain)).deposit(6, 1);
    }
  }

  @Test
  void aDataSourceThatATestMakesIsChecked() {
    EngineExecutionResults results = run(PoolOfConnections.class);
    assertThat(failed(results)).containsExactly("isAsGood()");
    assertThat(message(results, 0)).startsWith("An update was lost");
  }

  @CheckIsolation
  static class AnotherDatabase {
    @Test
    void isNotCaptured() throws SQLException {
      JdbcDataSource h2 = new JdbcDataSource();
      h2.setUrl("jdbc:h2:mem:other;DB_CLOSE_DELAY=-1");
      Accounts.create(h2);
      try (Connection c = CheckedDataSource.of(h2).getConnection()) {
        assertThat(Accounts.read(c, 1)).isEqualTo(100);
        assertThat(c.getClass().getName()).startsWith("org.h2");
      }
    }
  }

  @Test
  void whatIsNotCapturedIsTold() {
    EngineExecutionResults results = run(AnotherDatabase.class);
    assertThat(failed(results)).isEmpty();
    assertThat(told(results))
        .anyMatch(line -> line.contains("found H2 without isotail.tables; expected PostgreSQL"));
  }

  @CheckIsolation(failOnUndecided = true)
  static class Nothing {
    @Test
    void isDone() {}
  }

  @Test
  void aTestThatMustBeDecidedMustDoSomething() {
    EngineExecutionResults results = run(Nothing.class);
    assertThat(failed(results)).containsExactly("isDone()");
    assertThat(message(results, 0))
        .startsWith("nothing was captured: no transaction on a table that is observed");
  }

  @CheckIsolation
  @Execution(ExecutionMode.CONCURRENT)
  static class Parallel {
    private static final CyclicBarrier BOTH = new CyclicBarrier(2);

    @Test
    void one() throws Exception {
      BOTH.await();
      accounts.depositTwiceAtOnce(7);
      BOTH.await();
    }

    @Test
    void other() throws Exception {
      BOTH.await();
      accounts.deposit(8, 1);
      BOTH.await();
    }
  }

  @Test
  void testsBesideEachOtherNameEachOther() {
    EngineExecutionResults results = run(Parallel.class);
    assertThat(failed(results)).contains("one()");
    assertThat(message(results, 0)).contains("Ran beside it on the same data source: Parallel.");
  }

  @CheckIsolation
  @Execution(ExecutionMode.CONCURRENT)
  static class ParallelOnTheirOwn {
    private static final CyclicBarrier BOTH = new CyclicBarrier(2);

    @Test
    void one() throws Exception {
      Accounts own = new Accounts(CheckedDataSource.of(plain));
      BOTH.await();
      own.depositTwiceAtOnce(7);
      BOTH.await();
    }

    @Test
    void other() throws Exception {
      Accounts own = new Accounts(CheckedDataSource.of(plain));
      BOTH.await();
      own.deposit(8, 1);
      BOTH.await();
    }
  }

  @Test
  void testsOnDataSourcesOfTheirOwnFailAlone() {
    EngineExecutionResults results = run(ParallelOnTheirOwn.class);
    assertThat(failed(results)).containsExactly("one()");
    assertThat(message(results, 0)).doesNotContain("Ran beside it");
  }

  /** As Spring ends the transaction of a test, after the test's own methods. */
  static final class EndsItLate implements AfterEachCallback {
    static Accounts.Deposit open;

    @Override
    public void afterEach(ExtensionContext context) throws SQLException {
      open.commit(1);
    }
  }

  @ExtendWith(EndsItLate.class)
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  static class EndedByAnotherExtension {
    @Test
    @Order(1)
    @CheckIsolation
    void isOfTheTest() throws SQLException {
      EndsItLate.open = accounts.begin(1);
      accounts.deposit(1, 1);
    }

    @Test
    @Order(2)
    @CheckIsolation(failOnUndecided = true)
    void andNotOfTheNext() throws SQLException {
      EndsItLate.open = accounts.begin(3);
    }
  }

  @Test
  void whatOtherExtensionsDoAtTheEndBelongsToTheTest() throws SQLException {
    accounts.deposit(3, 1);
    assertThat(failed(run(EndedByAnotherExtension.class))).containsExactly("isOfTheTest()");
  }

  abstract static class Base {
    @Nested
    class Inner {
      @Test
      void twoAtOnce() throws SQLException {
        accounts.depositTwiceAtOnce(2);
      }
    }
  }

  @CheckIsolation(promise = IsolationLevel.READ_COMMITTED)
  static class Derived extends Base {}

  @Test
  void theClassThatIsRunSaysWhatIsPromised() {
    assertThat(failed(run(Derived.class))).isEmpty();
  }

  @CheckIsolation
  static class Often {
    @RepeatedTest(9)
    void twoAtOnce(RepetitionInfo repetition) throws SQLException {
      accounts.depositTwiceAtOnce(repetition.getCurrentRepetition());
    }
  }

  @Test
  void eachTestShowsWhatHappenedInIt() throws SQLException {
    Accounts.create(plain);
    EngineExecutionResults results = run(Often.class);
    assertThat(failed(results)).hasSize(9);
    for (int i = 0; i < 9; i++) {
      assertThat(message(results, i)).contains("accounts[%d]".formatted(i + 1));
    }
  }

  @CheckIsolation
  static class OneRow {
    @RepeatedTest(6)
    void isFoughtOverInEachTest() throws SQLException {
      accounts.depositTwiceAtOnce(7);
    }
  }

  @Test
  void eachTestFailsThatLosesAnUpdateOfOneRow() throws SQLException {
    Accounts.create(plain);
    assertThat(failed(run(OneRow.class))).hasSize(6);
  }

  /** The statement that made them does not tell which they are. */
  @Test
  void rowsOfTheVeryFirstStatementCount() throws SQLException {
    Accounts.create(plain);
    CheckedDataSource own = CheckedDataSource.of(plain);
    try (Connection c = own.getConnection();
        java.sql.Statement s = c.createStatement()) {
      s.execute("TRUNCATE accounts");
      s.execute("INSERT INTO accounts SELECT i, 100 FROM generate_series(1, 9) i");
    }
    new Accounts(own).depositTwiceAtOnce(4);
    assertThatThrownBy(() -> own.requireSatisfied(IsolationLevel.SERIALIZABLE))
        .hasMessageStartingWith("An update was lost on accounts");
  }

  @Test
  void byHand() throws SQLException {
    CheckedDataSource own = CheckedDataSource.of(plain);
    Accounts of = new Accounts(own);
    of.deposit(9, 1);
    own.requireSatisfied(IsolationLevel.SERIALIZABLE);
    of.depositTwiceAtOnce(9);
    assertThatThrownBy(() -> own.requireSatisfied(IsolationLevel.SERIALIZABLE))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("An update was lost on accounts");
    own.requireSatisfied(IsolationLevel.SERIALIZABLE);
    own.requireSatisfied(IsolationLevel.READ_COMMITTED);
    assertThatThrownBy(() -> own.requireSatisfied(IsolationLevel.SNAPSHOT_ISOLATION))
        .hasMessageContaining("An update was lost on accounts");
  }

  private static EngineExecutionResults run(Class<?> tests) {
    return EngineTestKit.engine("junit-jupiter")
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
        .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
        .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "2")
        .selectors(selectClass(tests))
        .execute();
  }

  private static Stream<String> failed(EngineExecutionResults results) {
    return results.testEvents().failed().stream()
        .map(Event::getTestDescriptor)
        .map(test -> test.getDisplayName());
  }

  private static String message(EngineExecutionResults results, int number) {
    String message =
        results.testEvents().failed().stream()
            .skip(number)
            .findFirst()
            .orElseThrow()
            .getPayload(org.junit.platform.engine.TestExecutionResult.class)
            .orElseThrow()
            .getThrowable()
            .orElseThrow()
            .getMessage();
    System.out.println(message);
    return message;
  }

  private static Stream<String> told(EngineExecutionResults results) {
    return results.allEvents().reportingEntryPublished().stream()
        .map(event -> event.getPayload().orElseThrow().toString());
  }
}
