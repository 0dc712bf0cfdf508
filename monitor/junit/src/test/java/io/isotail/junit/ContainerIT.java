package io.isotail.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.postgresql.ds.PGSimpleDataSource;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.JdbcDatabaseContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** Tests on a database of Testcontainers: where Docker is, in a container of its own. */
final class ContainerIT {
  private static final String IMAGE = "postgres:17";

  @TempDir private Path reports;

  @BeforeEach
  void begin() {
    System.setProperty("isotail.reports", reports.toString());
  }

  @AfterEach
  void end() {
    System.clearProperty("isotail.reports");
  }

  /** An application's test class. */
  @CheckIsolation(promise = IsolationLevel.SERIALIZABLE)
  static class DepositsTest {
    private static final JdbcDatabaseContainer<?> DATABASE = database();
    private static Accounts accounts;

    @BeforeAll
    static void start() throws SQLException {
      DATABASE.start();
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(DATABASE.getJdbcUrl());
      source.setUser(DATABASE.getUsername());
      source.setPassword(DATABASE.getPassword());
      Accounts.create(source);
      accounts = new Accounts(CheckedDataSource.of(source));
    }

    @AfterAll
    static void stop() {
      DATABASE.stop();
    }

    @Test
    void twoDepositsAtOnce() throws SQLException {
      accounts.depositTwiceAtOnce(1);
    }

    @Test
    void oneDeposit() throws SQLException {
      accounts.begin(2).commit(1);
    }
  }

  private static JdbcDatabaseContainer<?> database() {
    return DockerClientFactory.instance().isDockerAvailable()
        ? new PostgreSQLContainer(DockerImageName.parse(IMAGE))
        : new WithoutDocker();
  }

  /** Is used as a container is, and starts a server of this machine. */
  private static final class WithoutDocker extends JdbcDatabaseContainer<WithoutDocker> {
    private @Nullable EmbeddedDatabase server;

    WithoutDocker() {
      super(DockerImageName.parse(IMAGE));
    }

    @Override
    public void start() {
      try {
        server = EmbeddedDatabase.start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void stop() {
      try {
        if (server != null) {
          server.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public String getJdbcUrl() {
      return server == null ? "" : server.jdbcUrl();
    }

    @Override
    public String getUsername() {
      return "postgres";
    }

    @Override
    public String getPassword() {
      return "";
    }

    @Override
    public String getDriverClassName() {
      return org.postgresql.Driver.class.getName();
    }

    @Override
    protected String getTestQueryString() {
      return "SELECT 1";
    }
  }

  @Test
  void aLostUpdateInAContainerFailsItsTest() {
    Events tests =
        EngineTestKit.engine("junit-jupiter")
            .selectors(selectClass(DepositsTest.class))
            .execute()
            .testEvents();
    assertThat(tests.succeeded().stream().map(e -> e.getTestDescriptor().getDisplayName()))
        .containsExactly("oneDeposit()");
    assertThat(
            tests.failed().stream()
                .map(e -> String.valueOf(e.getRequiredPayload(TestExecutionResult.class))))
        .singleElement()
        .asString()
        .contains("An update was lost on accounts");
  }
}
