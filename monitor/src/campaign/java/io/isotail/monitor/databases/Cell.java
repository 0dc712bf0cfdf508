package io.isotail.monitor.databases;

import java.util.ArrayList;
import java.util.List;

/**
 * A cell of the campaign: one database at one level, and the transactions that run on it.
 *
 * @param system name of the database
 * @param isolation the level that is asked for, as {@code verify-database} names it; several with
 *     commas between, the strongest first
 * @param promise the level that it is held to; empty for what its manual says
 * @param workload the kind of transactions
 */
record Cell(String system, String isolation, String promise, String workload) {
  /** What names it in a file and on the command line. */
  String name() {
    return String.join(
        "_",
        promise.isEmpty()
            ? List.of(system, isolation, workload)
            : List.of(system, isolation, promise, workload));
  }

  /** The strongest level that is asked for. */
  String strongest() {
    return isolation.split(",", 2)[0];
  }

  /** All cells, in the order of the table. */
  static List<Cell> all() {
    List<Cell> cells = new ArrayList<>();
    for (String postgres : List.of("11.7", "12.3", "12.6", "15", "17.6", "18.6")) {
      String name = "postgresql-" + postgres;
      cells.add(documented(name, "read-committed", "named"));
      cells.add(documented(name, "repeatable-read", "named"));
      cells.add(documented(name, "serializable", "write-skew"));
    }
    cells.add(documented("postgresql-17.6", "serializable", "general"));
    cells.add(documented("postgresql-18.6", "serializable", "mini"));
    cells.add(documented("postgresql-12.3", "serializable", "predicate-insert"));
    cells.add(documented("postgresql-18.6", "serializable", "predicate-insert"));
    cells.add(documented("postgresql-18.6", "serializable", "list-append"));
    cells.add(documented("postgresql-18.6", "serializable,read-committed", "mini"));
    cells.add(documented("mariadb", "read-committed", "named"));
    cells.add(documented("mariadb", "repeatable-read", "named"));
    cells.add(new Cell("mariadb", "repeatable-read", "snapshot-isolation", "read-modify-write"));
    cells.add(documented("mariadb", "serializable", "mini"));
    cells.add(documented("mariadb", "serializable", "predicate-insert"));
    cells.add(documented("mariadb", "repeatable-read", "list-append"));
    cells.add(documented("mariadb", "serializable,read-committed", "mini"));
    cells.add(documented("mariadb-snapshot", "repeatable-read", "named"));
    cells.add(documented("mariadb-snapshot", "repeatable-read", "read-modify-write"));
    cells.add(documented("galera", "read-committed", "named"));
    cells.add(documented("galera", "repeatable-read", "named"));
    cells.add(new Cell("galera", "repeatable-read", "snapshot-isolation", "read-modify-write"));
    cells.add(new Cell("galera", "serializable", "serializable", "mini"));
    cells.add(documented("galera-snapshot", "repeatable-read", "named"));
    cells.add(documented("galera-snapshot", "repeatable-read", "read-modify-write"));
    for (String workload : List.of("named", "write-skew")) {
      cells.add(documented("h2", "serializable", workload));
    }
    cells.add(documented("h2", "serializable", "list-append"));
    cells.add(documented("h2", "read-committed", "named"));
    cells.add(documented("h2", "repeatable-read", "named"));
    cells.add(new Cell("h2", "repeatable-read", "snapshot-isolation", "mini"));
    cells.add(new Cell("h2", "serializable", "serializable", "write-skew"));
    cells.add(new Cell("h2-snapshot", "default", "snapshot-isolation", "read-modify-write"));
    for (String mode : List.of("hsqldb-locks", "hsqldb-mvlocks", "hsqldb-mvcc")) {
      cells.add(documented(mode, "read-committed", "named"));
      cells.add(documented(mode, "serializable", "mini"));
    }
    for (String level : List.of("read-committed", "repeatable-read", "serializable")) {
      cells.add(documented("derby", level, level.equals("serializable") ? "mini" : "named"));
    }
    for (String journal : List.of("sqlite-wal", "sqlite-rollback")) {
      cells.add(documented(journal, "serializable", "named"));
      cells.add(documented(journal, "serializable", "write-skew"));
    }
    cells.add(documented("sqlite-wal", "serializable", "list-append"));
    cells.add(documented("duckdb", "default", "named"));
    cells.add(documented("firebird", "read-committed", "named"));
    cells.add(documented("firebird", "repeatable-read", "mini"));
    cells.add(documented("firebird", "serializable", "mini"));
    return cells;
  }

  private static Cell documented(String system, String isolation, String workload) {
    return new Cell(system, isolation, "", workload);
  }

  /** What {@code verify-database} is told of it, but for where the database is. */
  List<String> arguments(int seconds, long seed) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--isolation=" + isolation,
                "--workload=" + workload,
                "--duration=" + seconds + "s",
                "--seed=" + seed));
    if (!promise.isEmpty()) {
      arguments.add("--promise=" + promise);
    }
    if (system.equals("derby") && !isolation.equals("read-committed")) {
      // By default it looks for a deadlock after 20 s, and waits for a lock 60 s.
      arguments.add(derbyProperty("deadlockTimeout", 1));
      arguments.add(derbyProperty("waitTimeout", 2));
    }
    if (workload.equals("predicate-insert")) {
      arguments.addAll(
          List.of("--distribution=exponential", "--keys=12", "--sessions=16", "--rate=0"));
    }
    if (workload.equals("write-skew")) {
      // Rows that are missing and few registers, in no order: what PostgreSQL 12.3 gets wrong.
      arguments.addAll(
          List.of(
              "--fresh-rows",
              "--distribution=exponential",
              "--keys=10",
              "--sessions=16",
              "--rate=0"));
    }
    return arguments;
  }

  private static String derbyProperty(String lock, int seconds) {
    return "--on-connect=CALL SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('derby.locks.%s', '%d')"
        .formatted(lock, seconds);
  }
}
