package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which table a name means: one schema holds the observed table, another one a table of the same
 * name, whose columns stand in another order.
 */
class SchemaScenariosIT extends DatabaseScenario {
  private static final String OBSERVED = "committed: r1=10 w1=11";
  private static final String UNCLEAR = "committed: opaque(shop.item)";

  private ConnectionWrapper shop;

  @BeforeEach
  void createSchemas() throws SQLException {
    direct(
        "CREATE SCHEMA shop",
        "CREATE TABLE shop.item (id bigint PRIMARY KEY, version bigint)",
        "INSERT INTO shop.item VALUES (1, 10)",
        "CREATE SCHEMA tenant",
        "CREATE TABLE tenant.item (version bigint, id text PRIMARY KEY)",
        "INSERT INTO tenant.item VALUES (77, '1')",
        "CREATE SCHEMA empty",
        "CREATE ROLE tenant",
        "GRANT ALL ON SCHEMA shop, tenant TO tenant",
        "GRANT ALL ON shop.item, tenant.item TO tenant");
    shop = observing("shop.item(id bigint; version bigint), reg(k; v)");
  }

  @AfterEach
  void dropSchemas() throws SQLException {
    assertThat(shop.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
    direct(
        "DROP OWNED BY tenant",
        "DROP ROLE tenant",
        "DROP SCHEMA shop, tenant, empty CASCADE",
        "DROP TABLE IF EXISTS public.item");
  }

  private ConnectionWrapper observing(String tables) {
    return IsotailDriver.wrapper(
        CaptureConfig.of("test", ObservedTables.parse(tables)).withClearNames(), sink, "proxy");
  }

  private static Connection open(ConnectionWrapper wrapper, String searchPath) throws SQLException {
    return wrapper.wrap(
        DriverManager.getConnection(database.jdbcUrl() + "&currentSchema=" + searchPath));
  }

  /** Reads and writes a row in one transaction, of which this is to be recorded. */
  private void expectOf(Connection c, String table, String described) throws SQLException {
    direct("UPDATE shop.item SET version = 10");
    sink.clear();
    c.setAutoCommit(false);
    readAndWrite(c, table);
    c.commit();
    c.setAutoCommit(true);
    expect(described);
  }

  private static void readAndWrite(Connection c, String table) throws SQLException {
    run(c, "SELECT id, version FROM " + table + " WHERE id = '1'");
    run(c, "UPDATE " + table + " SET version = 11 WHERE id = '1'");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT * FROM shop.item WHERE id = 1                             | r1=10",
        "SELECT version FROM shop.item AS i WHERE i.id = 2                | r2=-",
        "SELECT version FROM Shop.\"item\" WHERE id = 1 FOR UPDATE        | r1=10",
        "SELECT shop.item.version FROM shop.item WHERE shop.item.id = 1   | r1=10",
        "UPDATE shop.item SET version = 11 WHERE id = 1                   | w1=11",
        "UPDATE shop.item SET version = version + 1 WHERE id = 1 AND version = 10 | r1=10 w1=11",
        "INSERT INTO shop.item VALUES (2, 20)                             | w2=20",
        "INSERT INTO shop.item VALUES (1, 12) ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version | w1=12",
        "DELETE FROM shop.item WHERE id = 1 RETURNING version             | r1=10 d1",
        "UPDATE shop.item SET version = 11                                | opaque(shop.item)",
      })
  void aStatementThatNamesTheSchemaIsReadWhateverTheSearchPath(String sql, String operations)
      throws SQLException {
    try (Connection c = open(shop, "tenant,public")) {
      run(c, sql);
    }
    expect("committed: " + operations);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "shop               | observed",
        "shop,tenant        | observed",
        "empty,absent,shop  | observed",
        "shop,pg_temp       | observed",
        "tenant             | unclear",
        "tenant,shop        | unclear",
        "empty,tenant,shop  | unclear",
      })
  void aBareNameIsTheObservedTableWhereTheSearchPathSaysSo(String searchPath, String expected)
      throws SQLException {
    try (Connection c = open(shop, searchPath)) {
      expectOf(c, "item", expected.equals("observed") ? OBSERVED : UNCLEAR);
      expectOf(c, "shop.item", OBSERVED);
    }
  }

  @Test
  void aTableOfThatNameInANamedOtherSchemaIsNotObserved() throws SQLException {
    try (Connection c = open(shop, "shop");
        Connection publicReg = open(shop, "tenant")) {
      run(c, "CREATE TEMP TABLE item (id bigint, version bigint)");
      sink.clear();
      readAndWrite(c, "tenant.item");
      readAndWrite(c, "pg_temp.item");
      expect();
      run(publicReg, "UPDATE public.reg SET v = 11 WHERE k = 1");
      expect("committed: w1=11");
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "CREATE TEMP TABLE item (id bigint, version bigint)",
        "CREATE TABLE pg_temp.item (id bigint, version bigint)",
        "CREATE TEMP TABLE \"item\" AS SELECT 1 AS id, 10 AS version",
        "CREATE TEMP VIEW item AS SELECT * FROM tenant.item",
        "SELECT 1 AS id, 10 AS version INTO TEMP item",
        "WITH x AS (SELECT 1 AS id, 10 AS version) SELECT * INTO TEMP item FROM x",
        "EXPLAIN ANALYZE CREATE TEMP TABLE item AS SELECT 1 AS id, 10 AS version",
        "CREATE TEMP TABLE item (id bigint, version bigint); SELECT 1",
        "DO $$ BEGIN CREATE TEMP TABLE item (id bigint, version bigint); END $$",
      })
  void aTemporaryTableIsNotTakenForTheObservedOneThatItHides(String sql) throws SQLException {
    try (Connection c = open(shop, "shop");
        Connection other = open(shop, "shop")) {
      expectOf(c, "item", OBSERVED);
      c.setAutoCommit(false);
      run(c, sql);
      sink.clear();
      run(c, "SELECT id, version FROM item WHERE id = '1'");
      run(c, "SELECT id, version FROM shop.item WHERE id = '1'");
      c.setSchema("shop");
      run(c, "SELECT id, version FROM item WHERE id = '1'");
      c.commit();
      assertThat(sink.described()).hasSize(1);
      assertThat(sink.described().get(0)).containsOnlyOnce("r1=");
      c.setAutoCommit(true);
      unclear(c);
      c.setSchema("shop");
      unclear(c);
      expectOf(c, "shop.item", OBSERVED);
      expectOf(other, "item", OBSERVED);
    }
  }

  /** The bare name is not taken for the observed table. Views need not take the write. */
  private void unclear(Connection c) throws SQLException {
    sink.clear();
    run(c, "SELECT id, version FROM item WHERE id = '1'");
    expect();
    run(c, "UPDATE item SET version = 11 WHERE id = '1'");
    expect(UNCLEAR);
  }

  @Test
  void theObservedTableIsFoundAgainWhenNothingHidesIt() throws SQLException {
    try (Connection c = open(shop, "shop")) {
      c.setAutoCommit(false);
      run(c, "CREATE TEMP TABLE item (id bigint, version bigint) ON COMMIT DROP");
      readAndWrite(c, "item");
      c.commit();
      expect(UNCLEAR);
      expectOf(c, "item", OBSERVED);
    }
    try (Connection c = open(shop, "shop,pg_temp")) {
      run(c, "CREATE TEMP TABLE item (id bigint, version bigint)");
      expectOf(c, "item", OBSERVED);
    }
  }

  @Test
  void aSchemaSetThroughTheDriverIsTheSearchPath() throws SQLException {
    try (Connection c = open(shop, "tenant")) {
      c.setSchema("shop");
      expectOf(c, "item", OBSERVED);
      c.setSchema("tenant");
      expectOf(c, "item", UNCLEAR);
      expectOf(c, "shop.item", OBSERVED);
      c.setSchema("shop");
      expectOf(c, "item", OBSERVED);
      c.setSchema(null);
      expectOf(c, "item", UNCLEAR);
    }
    try (Connection c = open(shop, "shop")) {
      c.setSchema("tenant");
      c.setSchema(null);
      expectOf(c, "item", OBSERVED);
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "SET search_path TO tenant, shop",
        "SET \"Search_Path\" TO tenant",
        "SET SCHEMA 'tenant'",
        "SET ROLE tenant",
        "SET SESSION \"role\" = tenant",
        "SET SESSION AUTHORIZATION tenant",
        "SET session_authorization TO tenant",
        "SELECT set_config('search_path', 'tenant', false)",
      })
  void whatChangesTheSearchPathMakesBareNamesUnclearAndNoOthers(String sql) throws SQLException {
    try (Connection c =
        shop.wrap(
            DriverManager.getConnection(
                database.jdbcUrl() + "&options=-c%20search_path=%22$user%22,shop"))) {
      expectOf(c, "item", OBSERVED);
      c.setAutoCommit(false);
      run(c, sql);
      sink.clear();
      run(c, "SELECT id, version FROM item WHERE id = '1'");
      run(c, "SELECT id, version FROM shop.item WHERE id = 1");
      c.commit();
      assertThat(sink.described()).hasSize(1);
      assertThat(sink.described().get(0)).doesNotContain("77").endsWith("r1=11");
      expectOf(c, "item", UNCLEAR);
      expectOf(c, "shop.item", OBSERVED);
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "CREATE TABLE empty.item (id bigint, version bigint)",
        "CREATE TABLE tenant.x (id bigint); ALTER TABLE tenant.item SET SCHEMA empty",
        "CREATE TABLE empty.x (id bigint, version bigint); ALTER TABLE empty.x RENAME TO item",
        "ALTER SCHEMA empty RENAME TO vacated; ALTER SCHEMA tenant RENAME TO empty",
        "CREATE VIEW empty.item AS SELECT id, version FROM tenant.item",
        "DROP TABLE shop.item; CREATE TABLE public.item (id bigint, version bigint)",
      })
  void aNameThatAnotherSessionGivesToAnotherTableBecomesUnclear(String sql) throws SQLException {
    try (Connection c = open(shop, "empty,shop,public");
        Connection ddl = open(shop, "public")) {
      expectOf(c, "item", OBSERVED);
      ddl.setAutoCommit(false);
      for (String statement : sql.split("; ")) {
        run(ddl, statement);
      }
      ddl.commit();
      sink.clear();
      readAndWrite(c, "item");
      expect(UNCLEAR);
    } finally {
      direct("CREATE SCHEMA IF NOT EXISTS tenant");
      direct("DROP SCHEMA IF EXISTS vacated");
    }
  }

  @Test
  void aNameThatFoundNothingIsAskedForAgain() throws SQLException {
    ConnectionWrapper observing = observing("shop.late(id bigint; version bigint), reg(k; v)");
    String create = "CREATE TABLE %s.late (id bigint, version bigint)";
    String insert = "INSERT INTO late (id, version) VALUES (1, 10)";
    try (Connection c = open(observing, "shop,public")) {
      direct(create.formatted("shop"));
      run(c, insert);
      run(c, insert);
      expect("committed: opaque(shop.late)", "committed: w1=10");
    }
    sink.clear();
    direct("DROP TABLE shop.late");
    try (Connection c = open(observing, "shop,public")) {
      direct(create.formatted("public"));
      run(c, insert);
      run(c, insert);
      expect("committed: opaque(shop.late)", "committed: opaque(shop.late)");
    } finally {
      direct("DROP TABLE public.late");
    }
  }

  @Test
  void columnsAreThoseOfTheObservedTableWhoeverAsks() throws SQLException {
    direct("CREATE TABLE public.item (id bigint PRIMARY KEY, version bigint)");
    ConnectionWrapper observing = observing("item(id; version), reg(k; v)");
    try (Connection c = open(observing, "tenant")) {
      run(c, "INSERT INTO public.item VALUES (1, 10)");
      run(c, "SELECT * FROM public.item WHERE id = '01'");
      run(c, "SELECT * FROM item WHERE id = '1'");
    }
    expect("committed: w1=10", "committed: r1=10");
    assertThat(observing.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
  }
}
