package io.isotail.monitor.explore.sql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compiles {@code SELECT … [INTO :local, …] FROM table [WHERE …]}: the rows are read, and each
 * local gets a column of the one row or what is computed of all.
 */
final class Selects {
  /** What can be computed of all rows. */
  private enum Of {
    COLUMN,
    COUNT,
    SUM,
    MIN,
    MAX
  }

  private static final Map<String, Of> FUNCTIONS =
      Map.of("count", Of.COUNT, "sum", Of.SUM, "min", Of.MIN, "max", Of.MAX);

  /**
   * What is selected.
   *
   * @param table the name in front of the column, null if there is none
   * @param column null for {@code *}
   * @param otherwise what COALESCE gives where there is nothing, null without it
   */
  private record Item(
      SqlToken at,
      Of of,
      @Nullable SqlToken table,
      @Nullable SqlToken column,
      @Nullable Term otherwise) {}

  private final SqlTokens tokens;
  private final Schema schema;
  private final Locals locals;
  private final Target out;

  Selects(SqlTokens tokens, Schema schema, Locals locals, Target out) {
    this.tokens = tokens;
    this.schema = schema;
    this.locals = locals;
    this.out = out;
  }

  /** What follows {@code SELECT}. */
  void select(SqlToken at) {
    List<Item> items = new ArrayList<>();
    do {
      items.add(item());
    } while (tokens.accept(","));
    List<SqlToken> into = new ArrayList<>();
    if (tokens.accept("into")) {
      do {
        into.add(tokens.expectLocal("a local, as :name"));
      } while (tokens.accept(","));
    }
    tokens.expect("from");
    From from = From.read(tokens, schema);
    Table.Rows rows = from.where(tokens, locals);
    items.forEach(item -> check(item, from));
    String found = locals.hidden("rows");
    out.line(at, "%s := select %s%s;".formatted(found, from.table().target(), rows.where()));
    if (!into.isEmpty()) {
      into(at, items, into, from.table(), rows, found);
    }
  }

  private Item item() {
    SqlToken at = tokens.peek();
    if (tokens.accept("*")) {
      return new Item(at, Of.COLUMN, null, null, null);
    }
    if (at.is("coalesce") && tokens.second().is("(")) {
      tokens.take();
      tokens.expect("(");
      if (tokens.peek().is("coalesce") && tokens.second().is("(")) {
        throw tokens.peek().error("found COALESCE in COALESCE; expected one");
      }
      Item inner = item();
      tokens.expect(",");
      Term otherwise = new Expressions(tokens, locals, null, null).any();
      tokens.expect(")");
      return new Item(at, inner.of, inner.table, inner.column, otherwise);
    }
    if (tokens.second().is("(")) {
      return aggregate(at);
    }
    SqlToken name = tokens.expectName("a column, *, COUNT, SUM, MIN, MAX or COALESCE");
    return tokens.accept(".")
        ? new Item(at, Of.COLUMN, name, tokens.expectName("a column"), null)
        : new Item(at, Of.COLUMN, null, name, null);
  }

  private Item aggregate(SqlToken at) {
    Of of = at.kind() == SqlToken.Kind.WORD ? FUNCTIONS.get(at.text()) : null;
    if (of == null) {
      if (at.kind() != SqlToken.Kind.WORD || Refused.isKeyword(at.text())) {
        throw Refused.of(at, "a column");
      }
      throw at.error(
          "found the function %s; expected COUNT, SUM, MIN, MAX or COALESCE".formatted(at.text()));
    }
    tokens.take();
    tokens.expect("(");
    Item item;
    if (of == Of.COUNT && tokens.accept("*")) {
      item = new Item(at, of, null, null, null);
    } else {
      SqlToken name = tokens.expectName("a column");
      item =
          tokens.accept(".")
              ? new Item(at, of, name, tokens.expectName("a column"), null)
              : new Item(at, of, null, name, null);
    }
    tokens.expect(")");
    return item;
  }

  /** The column must be there, and fit. */
  private static void check(Item item, From from) {
    if (item.table != null) {
      Expressions.expectTable(item.table, from.table(), from.alias());
    }
    if (item.column == null) {
      return;
    }
    Type type = from.table().column(item.column);
    if (item.of != Of.COLUMN && item.of != Of.COUNT && type != Type.NUMBER) {
      throw item.at.error("found %s of %s; expected whole numbers".formatted(item.at.text(), type));
    }
    if (item.otherwise != null) {
      item.otherwise.expect(item.of == Of.COLUMN ? type : Type.NUMBER);
    }
  }

  private void into(
      SqlToken at,
      List<Item> items,
      List<SqlToken> into,
      Table table,
      Table.Rows rows,
      String found) {
    if (items.size() != into.size() || items.stream().anyMatch(Selects::isStar)) {
      throw into.get(0)
          .error(
              "found %d locals for what is selected; expected one for each column, and no *"
                  .formatted(into.size()));
    }
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      if (item.of == Of.COLUMN && !rows.oneRow()) {
        throw item.at.error(
            "several rows may be found for the one local :%s; expected a value for each of %s in WHERE, or COUNT, SUM, MIN or MAX"
                .formatted(into.get(i).text(), table.key()));
      }
    }
    List<String> targets = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      boolean mayBeNull = item.of != Of.COUNT && item.otherwise == null;
      targets.add(locals.assign(into.get(i), type(item, table), mayBeNull));
    }
    if (items.stream().noneMatch(item -> mentions(item, targets))) {
      for (int i = 0; i < items.size(); i++) {
        compute(at, items.get(i), targets.get(i), found);
      }
      return;
    }
    // No item sees what another one, or a part of itself, has assigned.
    List<String> values = new ArrayList<>();
    for (Item item : items) {
      String value = locals.hidden("value");
      compute(at, item, value, found);
      values.add(value);
    }
    for (int i = 0; i < items.size(); i++) {
      out.line(at, "%s := %s;".formatted(targets.get(i), values.get(i)));
    }
  }

  private static Type type(Item item, Table table) {
    return item.of == Of.COLUMN && item.column != null ? table.column(item.column) : Type.NUMBER;
  }

  /** Whether what COALESCE gives has one of these words; within a text, it does no harm. */
  private static boolean mentions(Item item, List<String> words) {
    return item.otherwise != null
        && words.stream()
            .anyMatch(Arrays.asList(item.otherwise.text.split("[^\\p{L}\\p{Nd}_]+", -1))::contains);
  }

  private static boolean isStar(Item item) {
    return item.of == Of.COLUMN && item.column == null;
  }

  /** Computes an item into a local of the compiled program. */
  private void compute(SqlToken at, Item item, String target, String found) {
    String otherwise = item.otherwise == null ? "absent" : item.otherwise.text;
    String column = item.column == null ? "" : found + "." + Table.target(item.column.text());
    String value =
        switch (item.of) {
          case COLUMN -> "only(" + column + ")";
          case COUNT -> "count(" + found + ")";
          case SUM -> "sum(" + column + ")";
          case MIN -> "min(" + column + ")";
          case MAX -> "max(" + column + ")";
        };
    boolean coalesce = item.otherwise != null && item.of != Of.COUNT && item.of != Of.SUM;
    out.line(
        at,
        "%s := %s;"
            .formatted(target, coalesce ? "coalesce(" + value + ", " + otherwise + ")" : value));
    if (item.of == Of.SUM && !otherwise.equals("0")) {
      // The sum of no rows is NULL in SQL.
      out.line(at, "if count(%s) == 0 { %s := %s; }".formatted(found, target, otherwise));
    }
  }
}
