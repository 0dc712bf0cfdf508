package io.isotail.incremental.explore.language;

import io.isotail.incremental.explore.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the statements on tables: each is compiled to reads and writes of rows, which are variables
 * that may be absent. So two transactions conflict if they have a row in common, as in databases.
 *
 * <p>Of a {@code set table} it is compiled to reads and writes of one more variable, the set of the
 * table's keys ([1] Section 7.2). Then all that insert or delete conflict.
 */
final class TableStatements {
  private final Tokens tokens;
  private final Declarations declared;
  private final Scope scope;
  private final Supplier<Expression> expression;
  private final List<Instruction> out;

  /**
   * Statements among others.
   *
   * @param expression reads the expression that comes next
   * @param out where their instructions go
   */
  TableStatements(
      Tokens tokens,
      Declarations declared,
      Scope scope,
      Supplier<Expression> expression,
      List<Instruction> out) {
    this.tokens = tokens;
    this.declared = declared;
    this.scope = scope;
    this.expression = expression;
    this.out = out;
  }

  /**
   * {@code insert t[key] (column = value, …)}, with {@code or abort} if no such row may be there.
   */
  void insert() {
    Token table = tokens.expectName("a table");
    Declarations.Table of = declared.table(table);
    int key = scope.hidden();
    out.add(new Instruction.Assign(key, index()));
    Assignments set = assignments(of.columns());
    if (set.names.size() != of.columns().size()) {
      throw table.error("expected a value for each of " + of.columns());
    }
    RowKeys possible = of.keys();
    Integer keys = possible == null ? readKeys(table) : null;
    if (possible != null) {
      out.add(new Instruction.ExpectKey(possible, local(table, key)));
    }
    if (tokens.accept("or")) {
      tokens.expect("abort");
      Expression there = keys == null ? readsRow(table, key) : contains(table, keys, key);
      int jump = Statements.hold(out);
      out.add(new Instruction.Abort());
      out.set(jump, new Instruction.JumpUnless(there, out.size()));
    }
    if (keys != null) {
      out.add(
          new Instruction.WriteVariable(
              new Instruction.Variable(table.text(), null),
              new Expression.Call(
                  word(table, "add"), List.of(local(table, keys), local(table, key)))));
    }
    out.add(
        new Instruction.WriteVariable(
            new Instruction.Variable(table.text(), local(table, key)),
            new Expression.RowOf(table, local(table, key), set.names, set.values)));
  }

  /** Whether there is a row of that key, which is read. */
  private Expression readsRow(Token table, int key) {
    int row = scope.hidden();
    out.add(
        new Instruction.ReadVariable(
            row, new Instruction.Variable(table.text(), local(table, key))));
    return isThere(table, row);
  }

  /** Whether the row in a local is one. */
  private static Expression isThere(Token table, int row) {
    return Expression.Chain.of(
        word(table, "!="), local(table, row), new Expression.Constant(table, Program.ABSENT));
  }

  /** {@code select t where condition}, into a local. */
  void select(Token into) {
    Token table = tokens.expectName("a table");
    int rows = scope.hidden();
    Expression none = new Expression.Constant(table, List.of());
    out.add(new Instruction.Assign(rows, none));
    scan(
        table,
        null,
        row ->
            out.add(
                new Instruction.Assign(
                    rows, new Expression.Longer(table, local(table, rows), local(table, row)))));
    out.add(new Instruction.Assign(scope.slot(into.text()), local(table, rows)));
  }

  /** {@code update t set column = value, … where condition}. */
  void update() {
    Token table = tokens.expectName("a table");
    List<String> columns = declared.table(table).columns();
    tokens.expect("set");
    int row = scope.slot("row");
    Assignments set = new Assignments();
    do {
      assignment(columns, set);
    } while (tokens.accept(","));
    scan(
        table,
        row,
        found ->
            out.add(
                new Instruction.WriteVariable(
                    new Instruction.Variable(table.text(), key(table, local(table, found))),
                    new Expression.Changed(table, local(table, found), set.names, set.values))));
  }

  /** {@code delete t where condition}: the rows are absent then. */
  void delete() {
    Token table = tokens.expectName("a table");
    if (declared.table(table).keys() == null) {
      deleteFromSet(table);
      return;
    }
    scan(
        table,
        null,
        row ->
            out.add(
                new Instruction.WriteVariable(
                    new Instruction.Variable(table.text(), key(table, local(table, row))),
                    new Expression.Constant(table, Program.ABSENT))));
  }

  /** The keys of the rows go out of the set. */
  private void deleteFromSet(Token table) {
    int gone = scope.hidden();
    out.add(new Instruction.Assign(gone, new Expression.Constant(table, List.of())));
    int keys =
        scan(
            table,
            null,
            row -> {
              Expression key = key(table, local(table, row));
              out.add(
                  new Instruction.Assign(
                      gone, new Expression.Longer(table, local(table, gone), key)));
            });
    Expression any =
        Expression.Chain.of(
            word(table, ">"),
            new Expression.Call(word(table, "count"), List.of(local(table, gone))),
            new Expression.Constant(table, 0L));
    int jump = Statements.hold(out);
    out.add(
        new Instruction.WriteVariable(
            new Instruction.Variable(table.text(), null),
            new Expression.Without(table, local(table, keys), local(table, gone))));
    out.set(jump, new Instruction.JumpUnless(any, out.size()));
  }

  /**
   * Reads the rows that fulfil the condition that follows, if there is one; of a {@code set table}
   * its keys before. Where the condition says which key a row has, no other row is read.
   *
   * @param slot the local that each row is in; null for one of its own
   * @return the local that the keys are in: those of the set, or all that there can be
   */
  private int scan(Token table, @Nullable Integer slot, Consumer<Integer> body) {
    RowKeys possible = declared.table(table).keys();
    int row = slot == null ? scope.slot("row") : slot;
    @Nullable Expression condition = tokens.accept("where") ? expression.get() : null;
    int keys = possible == null ? readKeys(table) : allKeys(table, possible);
    Expression named = condition == null ? null : keyIn(condition, row);
    int key = scope.hidden();
    if (named != null) {
      out.add(new Instruction.Assign(key, named));
      if (possible != null) {
        oneRow(table, row, key, condition, body);
        return keys;
      }
      Expression contains = contains(table, keys, key);
      int jump = Statements.hold(out);
      oneRow(table, row, key, condition, body);
      out.set(jump, new Instruction.JumpUnless(contains, out.size()));
      return keys;
    }
    int place = scope.hidden();
    out.add(new Instruction.Assign(place, new Expression.Constant(table, 0L)));
    int start = out.size();
    Expression more =
        Expression.Chain.of(
            word(table, "<"),
            local(table, place),
            new Expression.Call(word(table, "count"), List.of(local(table, keys))));
    int jump = Statements.hold(out);
    out.add(
        new Instruction.Assign(
            key, new Expression.Member(table, local(table, keys), local(table, place))));
    out.add(
        new Instruction.Assign(
            place,
            Expression.Chain.of(
                word(table, "+"), local(table, place), new Expression.Constant(table, 1L))));
    oneRow(table, row, key, condition, body);
    out.add(new Instruction.Jump(start));
    out.set(jump, new Instruction.JumpUnless(more, out.size()));
    return keys;
  }

  /** A row that is there and fulfils the condition. */
  private void oneRow(
      Token table, int row, int key, @Nullable Expression condition, Consumer<Integer> body) {
    out.add(
        new Instruction.ReadVariable(
            row, new Instruction.Variable(table.text(), local(table, key))));
    Expression there = isThere(table, row);
    Expression wanted =
        condition == null ? there : Expression.Chain.of(word(table, "&&"), there, condition);
    int jump = Statements.hold(out);
    body.accept(row);
    out.set(jump, new Instruction.JumpUnless(wanted, out.size()));
  }

  /** The value of {@code row.key == value} in a condition that demands it. */
  private static @Nullable Expression keyIn(Expression condition, int row) {
    if (!(condition instanceof Expression.Chain chain)) {
      return null;
    }
    if (chain.at().is("&&")) {
      for (Expression part : chain.parts()) {
        Expression key = keyIn(part, row);
        if (key != null) {
          return key;
        }
      }
      return null;
    }
    if (!chain.at().is("==") || chain.rest().size() > 1) {
      return null;
    }
    Expression left = chain.first();
    Expression right = chain.rest().get(0).value();
    if (isKey(left, row) && !right.mentions(row)) {
      return right;
    }
    return isKey(right, row) && !left.mentions(row) ? left : null;
  }

  private static boolean isKey(Expression expression, int row) {
    return expression instanceof Expression.Column column
        && column.names().size() == 1
        && column.at().is("key")
        && column.of() instanceof Expression.Local local
        && local.slot() == row;
  }

  private int allKeys(Token table, RowKeys possible) {
    int keys = scope.hidden();
    out.add(new Instruction.Assign(keys, new Expression.AllKeys(table, possible)));
    return keys;
  }

  private int readKeys(Token table) {
    int keys = scope.hidden();
    out.add(new Instruction.ReadVariable(keys, new Instruction.Variable(table.text(), null)));
    return keys;
  }

  private static final class Assignments {
    private final List<String> names = new ArrayList<>();
    private final List<Expression> values = new ArrayList<>();
  }

  /** {@code (column = value, …)}. */
  private Assignments assignments(List<String> columns) {
    Assignments set = new Assignments();
    tokens.expect("(");
    if (!tokens.accept(")")) {
      do {
        assignment(columns, set);
      } while (tokens.accept(","));
      tokens.expect(")");
    }
    return set;
  }

  private void assignment(List<String> columns, Assignments set) {
    Token column = tokens.expectName("a column");
    if (!columns.contains(column.text())) {
      throw column.error("there is no column '" + column.text() + "'; expected one of " + columns);
    }
    if (set.names.contains(column.text())) {
      throw column.error("the column '" + column.text() + "' is set twice");
    }
    tokens.expect("=");
    set.names.add(column.text());
    set.values.add(expression.get());
  }

  /** {@code [expression]}. */
  Expression index() {
    tokens.expect("[");
    Expression index = expression.get();
    tokens.expect("]");
    return index;
  }

  private static Expression contains(Token table, int keys, int key) {
    return new Expression.Call(
        word(table, "contains"), List.of(local(table, keys), local(table, key)));
  }

  /** The key of a row. */
  private static Expression key(Token at, Expression row) {
    return new Expression.Column(row, List.of(word(at, "key")));
  }

  private static Expression local(Token at, int slot) {
    return new Expression.Local(at, slot);
  }

  private static Token word(Token at, String text) {
    return new Token(Token.Kind.SIGN, text, at.line(), at.column());
  }
}
