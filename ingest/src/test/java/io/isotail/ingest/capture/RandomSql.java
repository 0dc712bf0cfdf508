package io.isotail.ingest.capture;

import java.util.List;
import java.util.Random;

/**
 * Statements of a dialect, put together at random by a grammar, in which every literal holds one of
 * two markers. A name never does.
 */
final class RandomSql {
  /** In each text. */
  static final String TEXT_MARKER = "Zqxv";

  /** In each number. */
  static final String NUMBER_MARKER = "9876598765";

  private static final String OBSERVED = "orders";

  private final Random random;
  private final String database;
  private final boolean postgresql;
  private final boolean mysql;

  /** Whether the database would understand the statement. */
  private boolean valid;

  /**
   * A grammar.
   *
   * @param database as URLs name it
   */
  RandomSql(String database, Random random) {
    this.random = random;
    this.database = database;
    this.postgresql = database.equals("postgresql");
    this.mysql = database.equals("mysql") || database.equals("mariadb");
  }

  /**
   * A statement.
   *
   * @param writes whether it certainly writes the observed table, if it succeeds and wrote rows
   */
  record Sql(String text, boolean writes) {}

  Sql next() {
    valid = true;
    boolean writes = random.nextInt(3) > 0;
    String core = writes ? write() : other();
    String text = decorated(core);
    if (random.nextInt(12) == 0) {
      valid = false;
      text = broken(text);
    }
    return new Sql(text, writes && valid);
  }

  private String write() {
    return switch (random.nextInt(8)) {
      case 0 -> "UPDATE " + table() + " SET " + sets() + where();
      case 1 -> "update " + table() + " set rev = " + number() + " WHERE id = " + value();
      case 2 -> "DELETE FROM " + table() + where();
      case 3 -> "INSERT INTO " + table() + " (id, rev, name) VALUES " + rows();
      case 4 -> "INSERT INTO " + table() + " (id, name) SELECT id, " + value() + " FROM customers";
      case 5 -> upsert();
      case 6 ->
          postgresql
              ? "WITH c AS (SELECT "
                  + value()
                  + " AS x) UPDATE "
                  + table()
                  + " SET name = 1"
                  + where()
              : "UPDATE " + table() + " SET name = " + value() + where();
      default -> "SELECT " + value() + "; UPDATE " + table() + " SET name = " + value();
    };
  }

  private String upsert() {
    String insert =
        "INSERT INTO " + table() + " (id, rev) VALUES (" + value() + ", " + value() + ")";
    if (mysql) {
      return random.nextBoolean()
          ? insert + " ON DUPLICATE KEY UPDATE name = " + value()
          : insert.replaceFirst("INSERT", random.nextBoolean() ? "REPLACE" : "INSERT IGNORE");
    }
    return postgresql || database.equals("sqlite")
        ? insert + " ON CONFLICT (id) DO UPDATE SET rev = " + value() + " WHERE name <> " + value()
        : "MERGE INTO "
            + table()
            + " o USING c ON o.id = "
            + value()
            + " WHEN MATCHED THEN UPDATE SET name = "
            + value();
  }

  private String other() {
    return switch (random.nextInt(13)) {
      case 0 -> "SELECT id, rev FROM " + table() + where();
      case 1 ->
          "SELECT count(*) FROM " + table() + " o JOIN customers c ON c.id = " + value() + where();
      case 2 ->
          "WITH c AS (SELECT id, rev FROM " + table() + where() + ") SELECT * FROM c" + where();
      case 3 -> "SELECT f(" + value() + ", " + value() + ")";
      case 4 -> "UPDATE customers SET name = " + value() + where();
      case 5 -> "SET " + pick("app.user", "@x", "time_zone", "x.y") + pick(" = ", "=") + value();
      case 6 -> "SET " + pick("app.owner", "SESSION x", "LOCAL y.z") + " = " + TEXT_MARKER + "Word";
      case 7 -> "CALL book(" + value() + ")";
      case 8 -> "ALTER USER shop " + pick("PASSWORD ", "IDENTIFIED BY ") + text();
      case 9 -> "SELECT name FROM " + table() + " WHERE data " + json() + " AND id = " + number();
      case 10 -> "SELECT CAST(" + value() + " AS " + type() + ") FROM " + table() + where();
      case 11 -> "SELECT id FROM " + table() + where() + " UNION SELECT " + value();
      default -> "CREATE VIEW v AS SELECT " + value() + " AS a FROM " + table();
    };
  }

  private String json() {
    return pick("->> ", "-> ", "@> ", "#>> ").replace("#", postgresql ? "#" : "->") + text();
  }

  private String type() {
    return pick("varchar(10)", "numeric(8, 2)", "char(" + number() + ")", "integer");
  }

  private String table() {
    String name = random.nextInt(4) > 0 ? OBSERVED : pick("Orders", "ORDERS");
    int quoting = random.nextInt(4);
    if (quoting == 1 && (mysql || database.equals("sqlite"))) {
      return "`" + name + "`";
    }
    if (quoting == 2) {
      return "\"" + OBSERVED + "\"";
    }
    return quoting == 3 && database.equals("sqlserver") ? "[" + name + "]" : name;
  }

  private String sets() {
    return "name = " + value() + (random.nextBoolean() ? ", rev = " + value() : "");
  }

  private String rows() {
    StringBuilder rows = new StringBuilder();
    for (int i = random.nextInt(3); i >= 0; i--) {
      rows.append('(').append(value()).append(", ").append(value()).append(", ").append(value());
      rows.append(i == 0 ? ")" : "), ");
    }
    return rows.toString();
  }

  private String where() {
    return switch (random.nextInt(6)) {
      case 0 -> "";
      case 1 -> " WHERE id = " + value();
      case 2 -> " WHERE id IN (" + value() + ", " + value() + ") AND name LIKE " + text();
      case 3 -> " WHERE name = " + text() + " OR id > " + number();
      case 4 -> " WHERE id BETWEEN -" + number() + " AND " + number();
      default -> " WHERE " + text() + "=name AND rev=" + number();
    };
  }

  private String value() {
    return random.nextInt(3) == 0 ? number() : random.nextInt(5) == 0 ? "?" : text();
  }

  private String number() {
    String digits = random.nextInt(100) + NUMBER_MARKER + random.nextInt(10);
    return switch (random.nextInt(7)) {
      case 0 -> digits + ".5";
      case 1 -> digits + "e3";
      case 2 -> "." + digits;
      case 3 -> "0x" + digits;
      default -> digits;
    };
  }

  /** A literal of text in one of the forms of the dialect. */
  private String text() {
    if (postgresql) {
      return switch (random.nextInt(8)) {
        case 0 -> "E'" + inner("\\'", "''", "\\\\") + "'";
        case 1 -> "$$" + inner("'", "\"", "$") + "$$";
        case 2 -> "$t1$" + inner("'", "$$", "--") + "$t1$";
        case 3 -> pick("B'", "X'", "N'", "n'") + inner("''", "") + "'";
        case 4 -> "U&'" + inner("\\0041", "''") + "'";
        default -> plain();
      };
    }
    if (mysql) {
      return switch (random.nextInt(6)) {
        case 0 -> "\"" + inner("\"\"", "'", "--", "/*") + "\"";
        case 1 -> "\"" + inner("\\\"", "\\\\") + "\"";
        case 2 -> "'" + inner("\\'", "\\n", "\\\\") + "'";
        case 3 -> pick("N'", "x'", "_utf8mb4'", "_binary '") + inner("''", "") + "'";
        default -> plain();
      };
    }
    return switch (random.nextInt(7)) {
      case 0 -> pick("q'[", "nq'[", "Q'[") + inner("'", "\"") + "]'";
      case 1 -> "q'{" + inner("'", "''") + "}'";
      case 2 -> "$$" + inner("'", "\"") + "$$";
      case 3 -> "'" + inner("\\'", "\\\\", "''") + "'";
      case 4 -> database.equals("sqlite") ? "\"" + inner("\"\"", "'") + "\"" : plain();
      case 5 -> pick("N'", "X'", "e'", "r'") + inner("''", "") + "'";
      default -> plain();
    };
  }

  private String plain() {
    return "'" + inner("''", "\"", "--", "/*", "*/", "`", ";", "#", " ", "\n") + "'";
  }

  /** Markers with signs between them that end a literal in another dialect, or seem to. */
  private String inner(String... signs) {
    StringBuilder text = new StringBuilder(pick("", "it is ")).append(TEXT_MARKER);
    for (int i = random.nextInt(3); i > 0; i--) {
      text.append(pick(signs)).append(pick("", " ")).append(TEXT_MARKER).append(NUMBER_MARKER);
    }
    return text.toString();
  }

  /** The statement with comments and hints around it and in it. */
  private String decorated(String core) {
    String text = core;
    if (random.nextInt(4) == 0) {
      text = text.replaceFirst(" ", " " + blockComment() + " ");
    }
    if (random.nextInt(4) == 0) {
      text += lineComment() + pick("", "\n", "\n;", "\r\n");
    }
    return switch (random.nextInt(6)) {
      case 0 -> blockComment() + text;
      case 1 -> text + "/*route='%2Forders%2F" + NUMBER_MARKER + "',user='" + TEXT_MARKER + "'*/";
      case 2 -> lineComment() + "\n" + text;
      case 3 -> text + pick(";", " ; ", ";;");
      default -> text;
    };
  }

  private String blockComment() {
    String text = TEXT_MARKER + pick("", "'", "\"", "`", " UPDATE x ");
    return switch (random.nextInt(4)) {
      case 0 -> "/*+ INDEX(" + text.replace("'", "") + ") */";
      case 1 ->
          mysql
              ? "/* " + text + " /* */"
              : "/* " + text + " /* " + TEXT_MARKER + " */ " + text + " */";
      default -> "/* " + text + NUMBER_MARKER + " */";
    };
  }

  private String lineComment() {
    String text = TEXT_MARKER + pick("", "'", "\"", "/*", "`") + NUMBER_MARKER;
    return (mysql && random.nextBoolean() ? " # " : " -- ") + text;
  }

  /** A text that no database understands: cut, or with an end too many. */
  private String broken(String text) {
    return switch (random.nextInt(3)) {
      case 0 -> text.substring(0, 1 + random.nextInt(text.length()));
      case 1 -> text + " AND x = '" + TEXT_MARKER;
      default -> text + " AND x = " + (postgresql ? "$q$" : "'") + TEXT_MARKER;
    };
  }

  private String pick(String... of) {
    return List.of(of).get(random.nextInt(of.length));
  }
}
