package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sql.Uninterpreted;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions that come with the server hide nothing; whatever else is called may have written. */
class BuiltInFunctionsIT extends DatabaseScenario {
  /** A value of each type that a function is called with; a function with others is not called. */
  private static final Map<String, String> VALUES =
      Map.ofEntries(
          Map.entry("text", "'a'::text"),
          Map.entry("name", "'a'::name"),
          Map.entry("int4", "1"),
          Map.entry("int8", "1::int8"),
          Map.entry("int2", "1::int2"),
          Map.entry("float8", "1.0::float8"),
          Map.entry("numeric", "1.0"),
          Map.entry("bool", "true"),
          Map.entry("oid", "1::oid"),
          Map.entry("timestamptz", "'2026-01-01'::timestamptz"),
          Map.entry("timestamp", "'2026-01-01'::timestamp"),
          Map.entry("date", "'2026-01-01'::date"),
          Map.entry("interval", "'0.001 s'::interval"),
          Map.entry("jsonb", "'{}'::jsonb"),
          Map.entry("bytea", "'a'::bytea"),
          Map.entry("uuid", "'00000000-0000-0000-0000-000000000001'::uuid"));

  /** They end other sessions, this one, or the server's own work, or wait. */
  private static final Set<String> NOT_CALLED =
      Set.of(
          "pg_terminate_backend",
          "pg_cancel_backend",
          "pg_sleep",
          "pg_sleep_for",
          "pg_sleep_until",
          "pg_promote",
          "pg_reload_conf",
          "pg_advisory_lock",
          "pg_backup_start",
          "pg_backup_stop",
          "pg_wal_replay_wait",
          "pg_create_restore_point");

  private record Call(String name, String sql) {}

  private static List<Call> calls() throws SQLException {
    List<Call> calls = new ArrayList<>();
    try (Connection c = DriverManager.getConnection(database.jdbcUrl());
        Statement s = c.createStatement();
        ResultSet rows =
            s.executeQuery(
                "SELECT p.proname, array_to_string(ARRAY(SELECT t.typname FROM"
                    + " unnest(p.proargtypes::oid[]) WITH ORDINALITY u(type, place)"
                    + " JOIN pg_type t ON t.oid = u.type ORDER BY u.place), ',')"
                    + " FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace"
                    + " AND p.oid < 16384 AND p.prokind = 'f' ORDER BY p.oid")) {
      while (rows.next()) {
        String name = rows.getString(1);
        String types = rows.getString(2);
        List<String> arguments = new ArrayList<>();
        for (String type : types.isEmpty() ? new String[0] : types.split(",")) {
          arguments.add(VALUES.get(type));
        }
        // A name with a capital must be quoted; those are triggers.
        boolean plain = name.equals(name.toLowerCase(Locale.ROOT));
        if (plain && !arguments.contains(null) && !NOT_CALLED.contains(name)) {
          calls.add(new Call(name, "SELECT " + name + "(" + String.join(", ", arguments) + ")"));
        }
      }
    }
    return calls;
  }

  /** In each transaction a function, a read and a write; what the function does may fail. */
  @Test
  void none_that_is_trusted_hides_what_is_read_after_it() throws Exception {
    List<Call> trusted = trusted();
    assertThat(trusted).hasSizeGreaterThan(800);
    Set<String> hiding = new TreeSet<>();
    connection.setAutoCommit(false);
    for (Call call : trusted) {
      sink.clear();
      try (Statement s = connection.createStatement()) {
        s.execute("SAVEPOINT before");
        try {
          run(call.sql());
        } catch (SQLException e) {
          s.execute("ROLLBACK TO before");
        }
      }
      run("SELECT k, v FROM reg WHERE k = 1");
      run("UPDATE reg SET v = 11 WHERE k = 2");
      connection.commit();
      run("SELECT k, v FROM reg WHERE k = 2");
      connection.commit();
      if (!sink.described().equals(List.of("committed: r1=10 w2=11", "committed: r2=11"))) {
        hiding.add(call.name());
      }
    }
    assertThat(hiding).isEmpty();
  }

  @Test
  void those_that_may_run_what_they_are_given_are_not_trusted() throws Exception {
    Set<String> others = new TreeSet<>();
    calls().forEach(call -> others.add(call.name()));
    trusted().forEach(call -> others.remove(call.name()));
    assertThat(others)
        .contains("set_config", "query_to_xml", "ts_stat", "lo_put", "pg_input_is_valid")
        .hasSizeLessThan(100);
  }

  /** What is trusted is held against what the server says after each call. */
  @Test
  void none_that_is_trusted_changes_what_statements_mean() throws Exception {
    try (Connection c = DriverManager.getConnection(database.jdbcUrl())) {
      Map<String, String> before = state(c);
      for (Call call : trusted()) {
        try {
          run(c, call.sql());
        } catch (SQLException e) {
          // It refused what it was given.
        }
        assertThat(state(c)).as(call.sql()).isEqualTo(before);
      }
    }
  }

  /** Those that a connection of its own is not in doubt about. */
  private List<Call> trusted() throws SQLException {
    List<Call> trusted = new ArrayList<>();
    try (Connection c = open()) {
      for (Call call : calls()) {
        long before = opaque();
        try {
          // It makes no row, so that nothing is called but what the planner computes beforehand.
          run(c, call.sql() + " WHERE false");
        } catch (SQLException e) {
          // It was analysed before.
        }
        if (opaque() == before) {
          trusted.add(call);
        }
      }
    }
    return trusted;
  }

  private long opaque() {
    return wrapper.stats().of(Uninterpreted.UNKNOWN_FUNCTION);
  }

  /** Level, path, role, tables of its own, and the rows. */
  private static Map<String, String> state(Connection c) throws SQLException {
    Map<String, String> state = new TreeMap<>();
    for (String each :
        List.of(
            "SHOW default_transaction_isolation",
            "SHOW search_path",
            "SHOW session_replication_role",
            "SHOW row_security",
            "SELECT current_user",
            "SELECT count(*) FROM pg_class WHERE oid >= 16384 AND relkind = 'r'",
            "SELECT string_agg(reg::text, ' ' ORDER BY k) FROM reg")) {
      try (Statement s = c.createStatement();
          ResultSet row = s.executeQuery(each)) {
        row.next();
        state.put(each, Objects.toString(row.getString(1)));
      }
    }
    return state;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT timezone('utc', now())",
        "SELECT pg_notify('jobs', '1')",
        "SELECT to_regtype('uuid')",
        "SELECT pg_catalog.has_schema_privilege('public', 'usage')",
        "SELECT xmlagg(x) FROM (SELECT '<a/>'::xml) s(x)",
        "SELECT scale(1.0), pg_size_bytes('1 kB'), trim_scale(1.0)",
      })
  void what_applications_call_hides_nothing(String sql) throws Exception {
    connection.setAutoCommit(false);
    for (int i = 0; i < 3; i++) {
      sink.clear();
      run(sql);
      run("SELECT k, v FROM reg WHERE k = 1");
      run("UPDATE reg SET v = 11 WHERE k = 2");
      connection.commit();
      expect("committed: r1=10 w2=11");
    }
  }

  /** A lookup beside such a value is still read. */
  @Test
  void a_value_of_such_a_function_stands_beside_what_is_read() throws Exception {
    run("SELECT v, timezone('utc', now()), scale(1.0) FROM reg WHERE k = 1");
    expect("committed: r1=10");
  }

  @Test
  void functions_of_extensions_are_trusted_unless_they_may_run_statements() throws Exception {
    direct(
        "CREATE SCHEMA ext",
        "CREATE EXTENSION pg_trgm SCHEMA ext",
        "CREATE EXTENSION pgcrypto SCHEMA ext",
        "CREATE EXTENSION tablefunc SCHEMA ext",
        "CREATE EXTENSION hstore SCHEMA ext",
        "CREATE EXTENSION cube SCHEMA ext",
        "CREATE EXTENSION earthdistance SCHEMA ext",
        "CREATE FUNCTION ext.own(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1'");
    try (Connection c = open("&currentSchema=public,ext")) {
      run(c, "SELECT similarity('a', 'b'), ext.word_similarity('a', 'b')");
      run(c, "SELECT gen_salt('bf'), encode(ext.gen_random_bytes(4), 'hex')");
      run(c, "SELECT latitude(ll_to_earth(1, 2))");
      assertThat(opaque()).isZero();
      run(c, "SELECT * FROM crosstab('SELECT ''a''::text, ''b''::text, 1') AS x(a text, b int)");
      assertThat(opaque()).as("what runs a statement").isOne();
      run(c, "SELECT populate_record(NULL::reg, hstore('k', '1'))");
      assertThat(opaque()).as("what may check a domain").isEqualTo(2);
      run(c, "SELECT own('a')");
      assertThat(opaque()).as("what is of no extension").isEqualTo(3);
      run("CREATE FUNCTION public.similarity(int) RETURNS int LANGUAGE sql AS 'SELECT 1'");
      run(c, "SELECT ext.similarity('a', 'b')");
      assertThat(opaque()).as("a name that somebody else's function has").isEqualTo(4);
    } finally {
      direct(
          "DROP EXTENSION earthdistance, hstore, cube, tablefunc, pgcrypto, pg_trgm",
          "DROP FUNCTION IF EXISTS public.similarity(int)",
          "DROP SCHEMA ext CASCADE");
    }
  }

  /** The server takes whichever fits the argument better. */
  @ParameterizedTest
  @ValueSource(strings = {"scale", "log"})
  void a_function_of_a_built_in_name_is_not_trusted(String name) throws Exception {
    run("SELECT %s(1.0)".formatted(name));
    assertThat(opaque()).isZero();
    String make =
        "CREATE FUNCTION public.%s(text) RETURNS int LANGUAGE sql AS 'UPDATE reg SET w = w; SELECT 1'";
    run(make.formatted(name));
    try (Connection other = open()) {
      run("SELECT %s('a'::text)".formatted(name));
      assertThat(opaque()).as("the session that made it").isOne();
      run(other, "SELECT %s('a'::text)".formatted(name));
      assertThat(opaque()).as("another one").isEqualTo(2);
      run(other, "SELECT pg_size_bytes('1 kB')");
      assertThat(opaque()).as("what has no such name").isEqualTo(2);
    } finally {
      direct("DROP FUNCTION public.%s(text)".formatted(name));
    }
  }
}
