package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.RowIdentities;
import io.isotail.ingest.jdbc.JdbcCatalog;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.Identities;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which values MariaDB takes for one key, and isotail with it. */
final class MariaDbKeysIT {
  @Test
  void aTextIsAKeyOnlyWhereTheServerComparesBytes() throws Exception {
    try (DatabaseServer server = MariaDbServer.single();
        Connection c = DriverManager.getConnection(server.urls().get(0), server.credentials());
        Statement s = c.createStatement()) {
      s.execute(
          """
          CREATE TABLE people (
            ci varchar(40) COLLATE utf8mb4_general_ci,
            bin varchar(40) COLLATE utf8mb4_bin,
            nopad varchar(40) COLLATE utf8mb4_nopad_bin,
            fixed char(40) COLLATE utf8mb4_bin,
            id bigint,
            version int,
            PRIMARY KEY (ci, bin, nopad, fixed, id))
          """);
      s.execute("INSERT INTO people VALUES ('Alice', 'b ', 'n', 'f', 1, 1)");
      // What the server says: one row under both spellings of the first two.
      assertThat(found(s, "ci = 'aLICE'")).isTrue();
      assertThat(found(s, "bin = 'b'")).isTrue();
      assertThat(found(s, "bin = 'B '")).isFalse();
      assertThat(found(s, "nopad = 'n '")).isFalse();

      ObservedTables tables = ObservedTables.parse("people(ci, bin, nopad, fixed, id; version)");
      RowIdentities identities = new RowIdentities(tables.all(), Identities.ofHistory("h"));
      identities.readTypes(new JdbcCatalog(c));
      ObservedTable people = tables.all().get(0);
      List<ColumnType> types =
          people.key().stream().map(column -> identities.type(people, column)).toList();
      assertThat(types)
          .containsExactly(
              ColumnType.UNSUPPORTED,
              ColumnType.PADDED_TEXT,
              ColumnType.TEXT,
              ColumnType.PADDED_TEXT,
              ColumnType.INTEGER);
      assertThat(Map.of("version", identities.type(people, people.version())))
          .containsEntry("version", ColumnType.INTEGER);
    }
  }

  private static boolean found(Statement s, String condition) throws Exception {
    return s.executeQuery("SELECT 1 FROM people WHERE " + condition).next();
  }
}
