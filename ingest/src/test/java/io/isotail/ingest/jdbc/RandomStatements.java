package io.isotail.ingest.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes statements over the schema of {@link ComparedStatements}: most of them run, some are
 * refused. A query with a limit orders by all that it shows, so that it has one answer.
 */
final class RandomStatements {
  private enum Type {
    NUMBER,
    TEXT,
    OTHER
  }

  private record Column(String name, Type type) {}

  /** A table or a subquery in scope. */
  private record Source(String name, List<Column> columns, List<String> key, String oneKey) {
    String column(Column column) {
      return name + "." + column.name();
    }
  }

  private static final List<Source> TABLES =
      List.of(
          table("acc", "k", "1", number("k"), number("v"), text("w")),
          table("acc", "k", "3", number("k"), number("v"), text("w")),
          table("uniq", "k", "1", number("k"), number("v")),
          table("part", "k", "150", number("k"), number("v")),
          table("included", "k", "1", number("k"), number("v")),
          table("\"Odd Table\"", "\"Id\"", "1", number("\"Id\""), text("\"from\"")),
          table("doc2", "id", "'00000000-0000-0000-0000-000000000001'", other("id"), other("j")),
          table("serialised", "id", "2", number("id"), text("t")),
          new Source(
              "pair2", List.of(number("a"), text("b"), number("n")), List.of("a", "b"), "1, 'x'"),
          new Source(
              "maybe", List.of(number("a"), text("b"), number("v")), List.of("a", "b"), "1, 'x'"),
          table("keyless", "k", "1", number("k"), number("v")),
          table("seen", "k", "1", number("k"), number("v")),
          table("base", "k", "1", number("k"), number("v")));

  private final Random random;
  private final List<Source> common = new ArrayList<>();
  private int names;

  RandomStatements(Random random) {
    this.random = random;
  }

  private static Column number(String name) {
    return new Column(name, Type.NUMBER);
  }

  private static Column text(String name) {
    return new Column(name, Type.TEXT);
  }

  private static Column other(String name) {
    return new Column(name, Type.OTHER);
  }

  private static Source table(String name, String key, String oneKey, Column... columns) {
    return new Source(name, List.of(columns), List.of(key), oneKey);
  }

  /** A statement; the names in it are its own. */
  String next() {
    names = 0;
    common.clear();
    StringBuilder with = new StringBuilder();
    if (chance(25)) {
      for (int i = 0; i <= random.nextInt(2); i++) {
        String name = name("c");
        String query = chance(10) ? returningWrite() : query(2, columns());
        with.append(i == 0 ? "WITH " : ", ").append(name);
        with.append(chance(20) ? " (x1)" : "");
        with.append(" AS ").append(pick("", "", "MATERIALIZED ")).append("(").append(query);
        with.append(") ");
        common.add(new Source(name, List.of(number("x1")), List.of("x1"), "1"));
      }
    }
    String statement = chance(25) ? write() : query(3, columns());
    return with + statement + pick("", "", ";", " -- end");
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  @SafeVarargs
  private <T> T pick(T... of) {
    return of[random.nextInt(of.length)];
  }

  private <T> T pick(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String name(String prefix) {
    names++;
    return chance(15) ? "\"" + prefix + " " + names + "\"" : prefix + names;
  }

  /** The types of a result: its first column is a number. */
  private List<Type> columns() {
    List<Type> types = new ArrayList<>(List.of(Type.NUMBER));
    while (chance(40)) {
      types.add(pick(Type.NUMBER, Type.TEXT));
    }
    return types;
  }

  private String query(int depth, List<Type> types) {
    if (depth > 1 && chance(15)) {
      String operator = pick("UNION ALL", "UNION ALL", "UNION ALL", "UNION", "EXCEPT");
      String first = select(depth - 1, types, false);
      String second = select(depth - 1, types, false);
      String whole =
          (chance(30) || first.contains(" LIMIT ") || first.contains(" FOR ")
                  ? "(" + first + ")"
                  : first)
              + " "
              + operator
              + " ("
              + second
              + ")";
      return whole + (chance(20) ? ordered(types.size()) : "");
    }
    return select(depth, types, chance(depth == 3 ? 25 : 5));
  }

  private String ordered(int columns) {
    StringBuilder order = new StringBuilder(" ORDER BY 1");
    for (int i = 2; i <= columns; i++) {
      order.append(", ").append(i);
    }
    return order + " LIMIT " + random.nextInt(4);
  }

  private String select(int depth, List<Type> types, boolean stars) {
    List<Source> sources = new ArrayList<>();
    StringBuilder from = new StringBuilder();
    int count = pick(1, 1, 1, 2, 2, 3);
    for (int i = 0; i < count; i++) {
      from(depth, sources, from);
    }
    String where = chance(65) ? " WHERE " + conditions(sources, depth) : "";
    if (stars) {
      String list = pick("*", "*", pick(sources).name() + ".*", "*, 1", "1, *");
      return "SELECT " + list + " FROM " + from + where + locking(sources, false);
    }
    int kind = random.nextInt(100);
    boolean groups = kind < 25;
    boolean grouped = kind < 8;
    Source keyed = pick(sources);
    String group =
        !grouped ? "" : chance(50) ? number(sources) : keyed.name() + "." + keyed.key().get(0);
    StringBuilder list = new StringBuilder(kind > 92 ? "DISTINCT " : "");
    for (int i = 0; i < types.size(); i++) {
      list.append(i == 0 ? "" : ", ");
      list.append(groups ? aggregate(sources, types.get(i)) : value(sources, types.get(i), depth));
      list.append(" AS ").append(i == 0 ? "x1" : pick("y" + i, "z" + i, "\"from " + i + "\""));
    }
    boolean limited = chance(25);
    return "SELECT "
        + list
        + " FROM "
        + from
        + where
        + (grouped ? " GROUP BY " + group : "")
        + (groups && chance(15) ? " HAVING count(*) > 0" : "")
        + (limited ? ordered(types.size()) : "")
        + locking(sources, groups);
  }

  private String locking(List<Source> sources, boolean groups) {
    if (groups || !chance(12)) {
      return "";
    }
    return pick(" FOR UPDATE", " FOR SHARE", " FOR NO KEY UPDATE")
        + (chance(40) ? " OF " + pick(sources).name() : "")
        + (chance(20) ? " SKIP LOCKED" : "");
  }

  private void from(int depth, List<Source> sources, StringBuilder from) {
    Source source;
    String written;
    int kind = random.nextInt(100);
    if (!common.isEmpty() && kind < 35) {
      Source named = pick(common);
      String alias = chance(40) ? name("t") : named.name();
      written = named.name() + (alias.equals(named.name()) ? "" : " " + alias);
      source = new Source(alias, named.columns(), named.key(), "1");
    } else if (depth > 1 && kind < 60) {
      List<Type> types = columns();
      String query = query(depth - 1, types);
      String alias = name("s");
      boolean renames = chance(15);
      boolean lateral = !sources.isEmpty() && chance(20);
      written =
          (lateral ? "LATERAL (" : "(")
              + query
              + pick(") ", ") AS ")
              + alias
              + (renames ? " (x1)" : "");
      source = new Source(alias, List.of(number("x1")), List.of("x1"), "1");
    } else {
      Source table = pick(chance(20) ? TABLES : TABLES.subList(0, 9));
      String alias = chance(50) || taken(sources, table.name()) ? name("t") : table.name();
      written = table.name() + (alias.equals(table.name()) ? "" : pick(" ", " AS ") + alias);
      source = new Source(alias, table.columns(), table.key(), table.oneKey());
    }
    if (!sources.isEmpty()) {
      Source other = pick(sources);
      String join = pick(", ", " JOIN ", " JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN ");
      if (join.equals(", ")) {
        join = pick(", ", " CROSS JOIN ", " NATURAL JOIN ");
        from.append(join).append(written);
      } else {
        from.append(join).append(written).append(" ON ");
        // Two tables, so that their columns are qualified.
        from.append(number(List.of(source, source))).append(" = ");
        from.append(number(List.of(other, other)));
        from.append(chance(20) ? " AND " + number(List.of(source, source)) + " > 0" : "");
      }
    } else {
      from.append(written);
    }
    sources.add(source);
  }

  private static boolean taken(List<Source> sources, String name) {
    return sources.stream().anyMatch(source -> source.name().equals(name));
  }

  private String column(List<Source> sources, Type type) {
    Source source = pick(sources);
    List<Column> fitting = source.columns().stream().filter(c -> c.type() == type).toList();
    if (fitting.isEmpty()) {
      return type == Type.NUMBER ? "7" : "'text'";
    }
    Column column = pick(fitting);
    return sources.size() == 1 && chance(40) ? column.name() : source.column(column);
  }

  private String number(List<Source> sources) {
    return column(sources, Type.NUMBER);
  }

  private String value(List<Source> sources, Type type, int depth) {
    int kind = random.nextInt(100);
    if (kind < 6) {
      String whole = pick(sources).name();
      return type == Type.TEXT ? whole + "::text" : "length(" + whole + "::text)";
    }
    if (kind < 12 && depth > 1) {
      return type == Type.NUMBER
          ? "(SELECT max(x1) FROM (" + query(1, List.of(type)) + ") q)"
          : "''";
    }
    if (kind < 20 && type == Type.NUMBER) {
      return pick("row_number()", "sum(" + number(sources) + ")", "count(*)")
          + " OVER (PARTITION BY "
          + number(sources)
          + ")";
    }
    return kind < 40
        ? pick("coalesce(%s, NULL)", "(%s)").formatted(column(sources, type))
        : column(sources, type);
  }

  private String aggregate(List<Source> sources, Type type) {
    if (type == Type.TEXT) {
      return pick("max(%s)", "min(%s)", "string_agg(DISTINCT %s, ',')")
          .formatted(column(sources, type));
    }
    return pick("sum(%s)", "max(%s)", "count(%s)", "count(DISTINCT %s)", "count(*)")
            .replace("%s", number(sources))
        + (chance(10) ? " FILTER (WHERE " + number(sources) + " > 1)" : "");
  }

  private String conditions(List<Source> sources, int depth) {
    StringBuilder all = new StringBuilder();
    int count = pick(1, 1, 2, 3);
    for (int i = 0; i < count; i++) {
      all.append(i == 0 ? "" : chance(90) ? " AND " : " OR ").append(condition(sources, depth));
    }
    return all.toString();
  }

  private String condition(List<Source> sources, int depth) {
    Source source = pick(sources);
    StringBuilder key = new StringBuilder();
    for (String column : source.key()) {
      key.append(key.length() == 0 ? "" : ", ").append(source.name()).append(".").append(column);
    }
    int kind = random.nextInt(100);
    if (kind < 30) {
      return "(" + key + ") = (" + source.oneKey() + ")";
    }
    if (kind < 45) {
      return "(" + key + ") IN ((" + source.oneKey() + "), (" + source.oneKey() + "))";
    }
    if (kind < 55 && source.key().size() == 1) {
      return key + " = " + source.oneKey();
    }
    if (kind < 65 && depth > 1) {
      return pick("%s IN (%s)", "%s NOT IN (%s)")
          .formatted(number(sources), query(1, List.of(Type.NUMBER)));
    }
    if (kind < 70 && depth > 1) {
      return "EXISTS (" + query(1, List.of(Type.NUMBER)) + ")";
    }
    return pick("%s > 1", "%s < 100", "%s IS NOT NULL", "%s = 1", "%s <> 20")
        .formatted(number(sources));
  }

  private String write() {
    Source table = pick(TABLES.subList(0, 5));
    String returning = chance(30) ? " RETURNING " + pick("*", "v", "k, v + 1 AS w2") : "";
    List<Source> own = List.of(table);
    switch (random.nextInt(4)) {
      case 0 -> {
        String values = 500 + random.nextInt(400) + ", " + random.nextInt(50);
        String rows =
            chance(50) ? "VALUES (" + values + ")" : query(2, List.of(Type.NUMBER, Type.NUMBER));
        String conflict = chance(50) ? " ON CONFLICT DO NOTHING" : "";
        return "INSERT INTO " + table.name() + " (k, v) " + rows + conflict + returning;
      }
      case 1 -> {
        String using = chance(30) ? " USING " + usable() : "";
        return "DELETE FROM " + table.name() + using + " WHERE " + conditions(own, 2) + returning;
      }
      default -> {
        String other = chance(30) ? " FROM " + usable() : "";
        return "UPDATE "
            + table.name()
            + " SET v = "
            + pick("v + 1", "7", "(SELECT max(x1) FROM (" + query(1, List.of(Type.NUMBER)) + ") q)")
            + other
            + " WHERE "
            + conditions(own, 2)
            + returning;
      }
    }
  }

  private String usable() {
    return !common.isEmpty() && chance(60) ? pick(common).name() : "serialised sx";
  }

  private String returningWrite() {
    return pick(
        "UPDATE acc SET v = v + 1 WHERE k = 1 RETURNING k AS x1",
        "DELETE FROM uniq RETURNING k AS x1",
        "INSERT INTO acc (k) VALUES (900) RETURNING k AS x1");
  }
}
