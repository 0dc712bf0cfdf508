package io.isotail.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.zaxxer.hikari.HikariDataSource;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** A Spring Boot application that does nothing for isotail. */
final class SpringIT {
  private static EmbeddedDatabase server;

  @BeforeAll
  static void start() throws Exception {
    server = EmbeddedDatabase.start();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  /** What an application declares. */
  @Configuration
  @EnableAutoConfiguration
  static class Application {
    @Bean
    DataSource database() {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(server.jdbcUrl());
      return source;
    }
  }

  /** As Spring Boot makes a pool. */
  @Configuration
  @EnableAutoConfiguration
  static class Pooled {
    @Bean
    HikariDataSource pool() {
      HikariDataSource pool = new HikariDataSource();
      pool.setJdbcUrl(server.jdbcUrl());
      pool.setMaximumPoolSize(2);
      return pool;
    }
  }

  private static ConfigurableApplicationContext run(String... arguments) {
    return run(Application.class, arguments);
  }

  private static ConfigurableApplicationContext run(Class<?> configuration, String... arguments) {
    SpringApplication application = new SpringApplication(configuration);
    application.setWebApplicationType(WebApplicationType.NONE);
    return application.run(arguments);
  }

  @Test
  void theDataSourceIsChecked() throws Exception {
    try (ConfigurableApplicationContext context = run()) {
      DataSource database = context.getBean(DataSource.class);
      Accounts.create(database);
      new Accounts(database).depositTwiceAtOnce(1);
      CheckedDataSource checked = (CheckedDataSource) database;
      assertThatThrownBy(() -> checked.requireSatisfied(IsolationLevel.SERIALIZABLE))
          .hasMessageStartingWith("An update was lost on accounts");
    }
  }

  @Test
  void aPoolStaysWhatItIs() throws Exception {
    try (ConfigurableApplicationContext context = run(Pooled.class)) {
      HikariDataSource pool = context.getBean(HikariDataSource.class);
      Accounts.create(pool);
      new Accounts(pool).depositTwiceAtOnce(1);
      CheckedDataSource checked = (CheckedDataSource) pool.getDataSource();
      assertThatThrownBy(() -> checked.requireSatisfied(IsolationLevel.SERIALIZABLE))
          .hasMessageStartingWith("An update was lost on accounts");
    }
  }

  @Test
  void unlessItIsSwitchedOff() {
    try (ConfigurableApplicationContext context = run("--isotail.junit.enabled=false")) {
      assertThat(context.getBean(DataSource.class)).isInstanceOf(PGSimpleDataSource.class);
    }
  }

  /** A slice takes none of the configurations that an application takes, but for its own. */
  @JdbcTest
  @AutoConfigureTestDatabase(replace = AutoConfigureTestDatabase.Replace.NONE)
  @ContextConfiguration(classes = Application.class)
  @Transactional(propagation = Propagation.NOT_SUPPORTED)
  @CheckIsolation
  static class Slice {
    @Autowired private DataSource database;

    @Test
    void loses() throws Exception {
      Accounts.create(database);
      new Accounts(database).depositTwiceAtOnce(1);
    }
  }

  @Test
  void aSliceOfAnApplicationIsChecked() {
    assertThat(
            EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(Slice.class))
                .execute()
                .testEvents()
                .failed()
                .stream()
                .map(e -> e.getRequiredPayload(TestExecutionResult.class).getThrowable())
                .map(failure -> failure.orElseThrow().getMessage()))
        .singleElement()
        .asString()
        .startsWith("An update was lost on accounts");
  }
}
