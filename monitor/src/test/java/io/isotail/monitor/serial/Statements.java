package io.isotail.monitor.serial;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random statements on the tables, for captured connections and for those past isotail. */
final class Statements {
  private final Random random;
  private final Versions versions;
  private final Sql sql;

  private final boolean wild;

  Statements(Random random, Versions versions, boolean wild) {
    this.wild = wild;
    this.random = random;
    this.versions = versions;
    this.sql = new Sql(random);
  }

  /** Runs one statement, or a few that belong together. */
  void any(Connection connection) throws SQLException {
    String table = SerialDatabase.TABLES.get(random.nextInt(SerialDatabase.TABLES.size()));
    long key = key();
    int kind = random.nextInt(100);
    if (kind < 40) {
      read(connection, table, key);
    } else if (kind < 70) {
      update(connection, table, key);
    } else if (kind < 82) {
      insert(connection, table, key);
    } else if (kind < 92) {
      delete(connection, table, key);
    } else {
      rare(connection, table, key);
    }
  }

  private long key() {
    return 1 + random.nextInt(SerialDatabase.KEYS);
  }

  private void read(Connection c, String table, long key) throws SQLException {
    switch (random.nextInt(10)) {
      case 0 -> sql.run(c, "SELECT k, v FROM " + table + " ORDER BY k");
      case 1 -> sql.run(c, "SELECT k, v FROM " + table + " WHERE k IN (?, ?)", key, key());
      case 2 -> sql.run(c, "SELECT * FROM " + table + " WHERE k = ? FOR UPDATE", key);
      case 3 -> sql.run(c, "SELECT 1 FROM " + table + " WHERE k = ?", key);
      case 4 -> sql.run(c, "SELECT k, v FROM " + table + " WHERE v >= ?", versions.ofUpdate());
      case 5 ->
          sql.run(c, "SELECT t.k, t.v FROM " + table + " t WHERE t.k BETWEEN ? AND ?", key, key());
      default -> sql.run(c, "SELECT v FROM " + table + " WHERE k = ?", key);
    }
  }

  private void update(Connection c, String table, long key) throws SQLException {
    String head = "UPDATE " + table + " SET v = ";
    String relative = versions.relative(table);
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> {
        Long seen = seen(c, table, key);
        if (seen != null) {
          long next = versions.after(table, seen);
          sql.run(c, head + "?, w = w + 1 WHERE k = ? AND v = ?", next, key, seen);
        }
      }
      case 3, 4 -> {
        if (versions.counts(table)) {
          Long seen = seen(c, table, key);
          if (seen != null) {
            // The second one is stale, and hits nothing.
            sql.run(c, head + "v + 1 WHERE k = ? AND v = ?", key, seen);
            sql.run(c, head + "v + 1 WHERE k = ? AND v = ?", key, seen);
          }
        } else {
          sql.run(c, head + "? WHERE k = ?", versions.ofUpdate(), key);
        }
      }
      case 5 -> sql.run(c, head + relative + " WHERE k = ?", key);
      case 6 -> sql.run(c, head + relative + " WHERE k = ? RETURNING k, v", key);
      case 7 -> sql.run(c, head + relative + " WHERE k IN (?, ?)" + returning(), key, key());
      case 8 -> {
        if (versions.counts(table)) {
          sql.batch(c, head + "v + 1 WHERE k = ?", new long[] {key}, new long[] {key()});
        } else {
          sql.batch(
              c,
              head + "? WHERE k = ?",
              new long[] {versions.ofUpdate(), key},
              new long[] {versions.ofUpdate(), key()});
        }
      }
      default -> {
        if (versions.counts(table)) {
          sql.run(c, head + "v + 1 WHERE w > ?" + returning(), random.nextInt(3));
        } else {
          sql.run(c, head + "? WHERE k IN (?, ?)", versions.ofUpdate(), key, key());
        }
      }
    }
  }

  /** The version that the row has, as the connection sees it; null if there is no row. */
  private @Nullable Long seen(Connection c, String table, long key) throws SQLException {
    return sql.run(c, "SELECT k, v FROM " + table + " WHERE k = ?", key);
  }

  private String returning() {
    return random.nextBoolean() ? " RETURNING k, v" : "";
  }

  private void insert(Connection c, String table, long key) throws SQLException {
    String head = "INSERT INTO " + table + " (k, v) VALUES (?, ?)";
    long version = versions.ofInsert(table, key);
    switch (random.nextInt(8)) {
      case 0, 1 -> sql.run(c, head, key, version);
      case 2, 3 -> sql.run(c, head + " ON CONFLICT DO NOTHING", key, version);
      case 4 ->
          sql.run(
              c,
              head + " ON CONFLICT (k) DO UPDATE SET v = EXCLUDED.v" + returning(),
              key,
              version);
      case 5 -> {
        String relative = versions.relative(table).replace("v +", table + ".v +");
        String conflict = " ON CONFLICT (k) DO UPDATE SET v = " + relative;
        sql.run(c, head + conflict + returning(), key, version);
      }
      case 6 -> {
        long other = key % SerialDatabase.KEYS + 1;
        sql.run(
            c,
            head + ", (?, ?) ON CONFLICT DO NOTHING" + returning(),
            key,
            version,
            other,
            versions.ofInsert(table, other));
      }
      default -> {
        if (table.equals("child")) {
          sql.run(c, "INSERT INTO child (k, v, parent) VALUES (?, ?, ?)", key, version, key());
        } else {
          sql.run(
              c,
              "INSERT INTO %s (k, v) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM %s WHERE k = ?)"
                  .formatted(table, table),
              key,
              version,
              key);
        }
      }
    }
  }

  private void delete(Connection c, String table, long key) throws SQLException {
    String head = "DELETE FROM " + table + " WHERE ";
    switch (random.nextInt(6)) {
      case 0 -> sql.run(c, head + "k = ? RETURNING k, v", key);
      case 1 -> sql.run(c, head + "k IN (?, ?)", key, key());
      case 2 -> {
        Long seen = seen(c, table, key);
        if (seen != null) {
          sql.run(c, head + "k = ? AND v = ?", key, seen);
        }
      }
      case 3 -> {
        sql.run(c, head + "k = ?", key);
        sql.run(
            c,
            "INSERT INTO " + table + " (k, v) VALUES (?, ?)",
            key,
            versions.ofInsert(table, key));
      }
      default -> sql.run(c, head + "k = ?", key);
    }
  }

  /**
   * Statements that isotail does not understand, or that do not change what it takes for version.
   */
  private void rare(Connection c, String table, long key) throws SQLException {
    String relative = versions.relative(table);
    boolean counts = versions.counts(table);
    switch (random.nextInt(wild ? 9 : 7)) {
      case 0 -> sql.run(c, "TRUNCATE " + table + (table.equals("plain") ? " CASCADE" : ""));
      case 1 -> sql.run(c, "UPDATE " + table + " SET v = " + relative);
      case 2 -> sql.run(c, "DELETE FROM " + table + " WHERE w = 0");
      case 3 ->
          sql.run(
              c,
              "WITH x AS (UPDATE %s SET v = %s WHERE k = ? RETURNING k, v) SELECT k, v FROM x"
                  .formatted(table, relative),
              key);
      case 4 ->
          sql.run(
              c,
              "MERGE INTO %s t USING (SELECT %d AS k) s ON t.k = s.k WHEN MATCHED THEN UPDATE SET v = %s"
                  .formatted(table, key, relative.replace("v +", "t.v +")));
      case 5 -> {
        if (!versions.unique() && !counts) {
          sql.run(c, "UPDATE " + table + " SET w = w + 1 WHERE k = ?", key);
        }
      }
      case 6 -> {
        if (!versions.unique() && !counts) {
          sql.run(c, "UPDATE " + table + " SET k = k % 4 + 1 WHERE k = ?", key);
        }
      }
      case 7 ->
          sql.runText(
              c,
              "DO $$ BEGIN UPDATE %s SET v = %s WHERE k = ?; END $$".formatted(table, relative),
              key);
      default ->
          sql.runText(
              c,
              "UPDATE %s SET v = %s WHERE k = ?; UPDATE plain SET v = %s WHERE k = ?"
                  .formatted(table, relative, versions.relative("plain")),
              key,
              key());
    }
  }
}
