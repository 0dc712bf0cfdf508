package io.isotail.junit.shop;

import io.isotail.ingest.sandbox.EmbeddedDatabase;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The shop's database, and the application on it; one at a time. */
final class ShopServer {
  private static EmbeddedDatabase database;

  private ShopServer() {}

  /** Begins, with the tables of the shop. */
  static void start() throws Exception {
    database = EmbeddedDatabase.start();
    ShopSchema.create(source());
  }

  /** Without isotail: what sets the database up. */
  static DataSource source() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(database.jdbcUrl());
    return source;
  }

  /** What the application declares. */
  @Configuration
  @EnableAutoConfiguration
  @Import({Shop.class, SafeShop.class})
  static class Application {
    @Bean
    DataSource database() {
      return source();
    }
  }

  /** The application begins. */
  static ConfigurableApplicationContext run() {
    SpringApplication application = new SpringApplication(Application.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    return application.run();
  }

  static void stop() throws Exception {
    database.close();
  }
}
