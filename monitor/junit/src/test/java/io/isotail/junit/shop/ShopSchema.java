package io.isotail.junit.shop;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** The tables of {@link Shop}, and those of {@link SafeShop}, with the same rows. */
final class ShopSchema {
  private static final String TABLES =
      """
      CREATE TABLE %1$sstock (item int PRIMARY KEY, left_over int NOT NULL);
      CREATE TABLE %1$sorders (id serial PRIMARY KEY, item int NOT NULL, count int NOT NULL);
      CREATE TABLE %1$scoupons (code text PRIMARY KEY, used boolean NOT NULL, used_by int, version int);
      CREATE TABLE %1$srota (doctor text PRIMARY KEY, on_call boolean NOT NULL);
      CREATE TABLE %1$saccounts (payer int, kind text, amount int NOT NULL, PRIMARY KEY (payer, kind));
      CREATE TABLE %1$sparcels (id int PRIMARY KEY, state text NOT NULL, carrier text);
      CREATE TABLE %1$sbaskets (id int PRIMARY KEY, total int NOT NULL);
      CREATE TABLE %1$sbasket_lines (basket int, line int, price int NOT NULL, PRIMARY KEY (basket, line));
      """;
  private static final String ROWS =
      """
      TRUNCATE %1$sstock, %1$sorders, %1$scoupons, %1$srota, %1$saccounts, %1$sparcels, %1$sbaskets, %1$sbasket_lines;
      INSERT INTO %1$sstock VALUES (1, 10), (2, 10);
      INSERT INTO %1$scoupons VALUES ('SPRING', false, NULL, 1);
      INSERT INTO %1$srota VALUES ('alice', true), ('bob', true);
      INSERT INTO %1$saccounts VALUES (1, 'giro', 100), (1, 'credit', 100);
      INSERT INTO %1$sparcels VALUES (1, 'new', NULL);
      INSERT INTO %1$sbaskets VALUES (1, 30);
      INSERT INTO %1$sbasket_lines VALUES (1, 1, 10), (1, 2, 20);
      """;

  private ShopSchema() {}

  static void create(DataSource database) throws SQLException {
    run(database, TABLES);
  }

  /** As it is before each test. */
  static void fill(DataSource database) throws SQLException {
    run(database, ROWS);
  }

  private static void run(DataSource database, String sql) throws SQLException {
    try (Connection c = database.getConnection();
        Statement s = c.createStatement()) {
      for (String prefix : List.of("", "safe_")) {
        s.execute(sql.formatted(prefix));
      }
    }
  }
}
