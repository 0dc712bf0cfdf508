package io.isotail.monitor.databases;

import java.nio.file.Path;
import java.util.List;

/**
 * A database, of one release and set up in one way, that can be started here.
 *
 * @param name what a cell calls it
 * @param onConnect statements for each new connection
 * @param start starts it, with the folder of PostgreSQL's releases
 */
record DatabaseSystem(String name, List<String> onConnect, Start start) {
  private static final String SQLITE = "jdbc:sqlite:%s?busy_timeout=2000";

  /** Starts it. */
  interface Start {
    DatabaseServer with(Path releases) throws Exception;
  }

  /** All of them, in the order of a table. */
  static List<DatabaseSystem> all() {
    return List.of(
        released("11.7"),
        released("12.3"),
        released("12.6"),
        new DatabaseSystem("postgresql-15", List.of(), r -> PostgresServer.installed("15")),
        released("17.6"),
        released("18.6"),
        mariaDb("mariadb", "OFF", r -> MariaDbServer.single()),
        mariaDb("mariadb-snapshot", "ON", r -> MariaDbServer.single()),
        mariaDb("galera", "OFF", r -> MariaDbServer.cluster(3)),
        mariaDb("galera-snapshot", "ON", r -> MariaDbServer.cluster(3)),
        inProcess("h2", "jdbc:h2:%s", List.of()),
        inProcess(
            "h2-snapshot",
            "jdbc:h2:%s",
            List.of("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SNAPSHOT")),
        inProcess("hsqldb-locks", "jdbc:hsqldb:file:%s;hsqldb.tx=locks;shutdown=true", List.of()),
        inProcess(
            "hsqldb-mvlocks", "jdbc:hsqldb:file:%s;hsqldb.tx=mvlocks;shutdown=true", List.of()),
        inProcess("hsqldb-mvcc", "jdbc:hsqldb:file:%s;hsqldb.tx=mvcc;shutdown=true", List.of()),
        inProcess("derby", "jdbc:derby:%s;create=true", List.of()),
        inProcess("sqlite-wal", SQLITE + "&journal_mode=WAL", List.of()),
        inProcess("sqlite-rollback", SQLITE + "&journal_mode=DELETE", List.of()),
        inProcess("duckdb", "jdbc:duckdb:%s", List.of()),
        new DatabaseSystem("firebird", List.of(), r -> new FirebirdServer()));
  }

  /**
   * That of a name.
   *
   * @throws IllegalArgumentException naming those that exist
   */
  static DatabaseSystem named(String name) {
    return all().stream()
        .filter(system -> system.name.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'%s' is no database here; expected one of %s"
                        .formatted(name, all().stream().map(DatabaseSystem::name).toList())));
  }

  private static DatabaseSystem released(String version) {
    return new DatabaseSystem(
        "postgresql-" + version,
        List.of(),
        releases -> PostgresServer.released(version + ".0", releases));
  }

  private static DatabaseSystem mariaDb(String name, String snapshots, Start start) {
    return new DatabaseSystem(name, List.of("SET innodb_snapshot_isolation = " + snapshots), start);
  }

  private static DatabaseSystem inProcess(String name, String url, List<String> onConnect) {
    return new DatabaseSystem(name, onConnect, releases -> new InProcessDatabase(url));
  }
}
