package io.isotail.incremental.explore.language;

import io.isotail.incremental.explore.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the statements of a transaction as instructions. A statement on a table is compiled to
 * reads and writes of its set of keys and of its rows ([1] Section 7.2).
 */
final class Statements {
  private final Tokens tokens;
  private final Declarations declared;
  private final Scope scope;
  private final ExpressionParser expressions;
  private final List<Instruction> out = new ArrayList<>();

  Statements(Tokens tokens, Declarations declared, Scope scope) {
    this.tokens = tokens;
    this.declared = declared;
    this.scope = scope;
    this.expressions = new ExpressionParser(tokens, this::name);
  }

  List<Instruction> instructions() {
    return List.copyOf(out);
  }

  Expression expression() {
    return expressions.parse();
  }

  List<Expression> arguments() {
    return expressions.list(")");
  }

  /** Locals get values that are computed before any of them changes. */
  void assignAll(List<String> locals, List<Expression> values) {
    int before = scope.hiddenInUse();
    List<Integer> hidden = new ArrayList<>();
    for (Expression value : values) {
      int slot = scope.hidden();
      out.add(new Instruction.Assign(slot, value));
      hidden.add(slot);
    }
    for (int i = 0; i < locals.size(); i++) {
      Expression value = new Expression.Local(values.get(i).at(), hidden.get(i));
      out.add(new Instruction.Assign(scope.slot(locals.get(i)), value));
    }
    scope.releaseHidden(before);
  }

  private void assign(String local, Expression value) {
    out.add(new Instruction.Assign(scope.slot(local), value));
  }

  /** Statements up to that word, which is taken. */
  void until(String end) {
    while (!tokens.accept(end)) {
      int hidden = scope.hiddenInUse();
      one();
      scope.releaseHidden(hidden);
    }
  }

  private void one() {
    Token first = tokens.expectName("a statement");
    switch (first.text()) {
      case "write" -> write();
      case "if" -> choice();
      case "abort" -> out.add(new Instruction.Abort());
      case "assert" -> out.add(assertion());
      case "insert" -> insert();
      case "update" -> update();
      case "delete" -> delete();
      default -> assignment(first);
    }
    if (!first.is("if")) {
      tokens.expect(";");
    }
  }

  /** What follows the word assert. */
  Instruction.Assert assertion() {
    Token at = tokens.peek();
    Expression condition = expression();
    String otherwise =
        tokens.accept(",") ? string() : "the assertion in line " + at.line() + " does not hold";
    return new Instruction.Assert(condition, otherwise);
  }

  private String string() {
    Token text = tokens.take();
    if (text.kind() != Token.Kind.STRING) {
      throw text.error("found " + text.shown() + "; expected a text in quotes");
    }
    return text.text();
  }

  private void assignment(Token local) {
    if (declared.isVariable(local.text()) || declared.parameters.containsKey(local.text())) {
      throw local.error(
          "'%s' is no local; to write a variable: write(%s, …);"
              .formatted(local.text(), local.text()));
    }
    tokens.expect(":=");
    if (tokens.peek().is("read")) {
      tokens.take();
      tokens.expect("(");
      Instruction.Variable variable = variable();
      tokens.expect(")");
      out.add(new Instruction.ReadVariable(scope.slot(local.text()), variable));
    } else if (tokens.accept("select")) {
      select(local);
    } else {
      Expression value = expression();
      assign(local.text(), value);
    }
  }

  private void write() {
    tokens.expect("(");
    Instruction.Variable variable = variable();
    tokens.expect(",");
    out.add(new Instruction.WriteVariable(variable, expression()));
    tokens.expect(")");
  }

  private Instruction.Variable variable() {
    Token name = tokens.expectName("a variable");
    if (declared.tables.containsKey(name.text())) {
      throw name.error(
          "'" + name.text() + "' is a table; expected insert, select, update or delete");
    }
    if (!declared.isVariable(name.text())) {
      throw name.error("there is no variable '" + name.text() + "'; declare it: var name = value;");
    }
    return new Instruction.Variable(name.text(), tokens.peek().is("[") ? index() : null);
  }

  private Expression index() {
    tokens.expect("[");
    Expression index = expression();
    tokens.expect("]");
    return index;
  }

  private void choice() {
    Expression condition = expression();
    int jump = hold();
    tokens.expect("{");
    until("}");
    if (!tokens.accept("else")) {
      out.set(jump, new Instruction.JumpUnless(condition, out.size()));
      return;
    }
    int over = hold();
    out.set(jump, new Instruction.JumpUnless(condition, out.size()));
    if (tokens.peek().is("if")) {
      one();
    } else {
      tokens.expect("{");
      until("}");
    }
    out.set(over, new Instruction.Jump(out.size()));
  }

  /** A place for a jump whose target is not known yet. */
  private int hold() {
    out.add(new Instruction.Jump(out.size() + 1));
    return out.size() - 1;
  }

  private void insert() {
    Token table = tokens.expectName("a table");
    List<String> columns = declared.columns(table);
    int key = scope.hidden();
    out.add(new Instruction.Assign(key, index()));
    Assignments set = assignments(table, columns);
    if (set.names.size() != columns.size()) {
      throw table.error("expected a value for each of " + columns);
    }
    int keys = readKeys(table);
    out.add(
        new Instruction.WriteVariable(
            new Instruction.Variable(table.text(), null),
            new Expression.Call(
                word(table, "add"), List.of(local(table, keys), local(table, key)))));
    out.add(
        new Instruction.WriteVariable(
            new Instruction.Variable(table.text(), local(table, key)),
            new Expression.RowOf(table, local(table, key), set.names, set.values)));
  }

  private void select(Token into) {
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

  private void update() {
    Token table = tokens.expectName("a table");
    List<String> columns = declared.columns(table);
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
                    new Instruction.Variable(
                        table.text(),
                        new Expression.Column(word(table, "key"), local(table, found))),
                    new Expression.Changed(table, local(table, found), set.names, set.values))));
  }

  /** The keys of the rows go out of the set. */
  private void delete() {
    Token table = tokens.expectName("a table");
    declared.columns(table);
    int gone = scope.hidden();
    out.add(new Instruction.Assign(gone, new Expression.Constant(table, List.of())));
    int keys =
        scan(
            table,
            null,
            row -> {
              Expression key = new Expression.Column(word(table, "key"), local(table, row));
              out.add(
                  new Instruction.Assign(
                      gone, new Expression.Longer(table, local(table, gone), key)));
            });
    Expression any =
        new Expression.Binary(
            word(table, ">"),
            new Expression.Call(word(table, "count"), List.of(local(table, gone))),
            new Expression.Constant(table, 0L));
    int jump = hold();
    out.add(
        new Instruction.WriteVariable(
            new Instruction.Variable(table.text(), null),
            new Expression.Without(table, local(table, keys), local(table, gone))));
    out.set(jump, new Instruction.JumpUnless(any, out.size()));
  }

  /**
   * Reads the keys of a table and the rows that fulfil the condition that follows, if there is one.
   * Where it says which key a row has, no other row is read.
   *
   * @param slot the local that each row is in; null for one of its own
   * @return the local that the keys are in
   */
  private int scan(Token table, @Nullable Integer slot, Consumer<Integer> body) {
    declared.columns(table);
    int row = slot == null ? scope.slot("row") : slot;
    @Nullable Expression condition = tokens.accept("where") ? expression() : null;
    int keys = readKeys(table);
    Expression named = condition == null ? null : keyIn(condition, row);
    int key = scope.hidden();
    if (named != null) {
      out.add(new Instruction.Assign(key, named));
      Expression contains =
          new Expression.Call(
              word(table, "contains"), List.of(local(table, keys), local(table, key)));
      int jump = hold();
      oneRow(table, row, key, condition, body);
      out.set(jump, new Instruction.JumpUnless(contains, out.size()));
      return keys;
    }
    int place = scope.hidden();
    out.add(new Instruction.Assign(place, new Expression.Constant(table, 0L)));
    int start = out.size();
    Expression more =
        new Expression.Binary(
            word(table, "<"),
            local(table, place),
            new Expression.Call(word(table, "count"), List.of(local(table, keys))));
    int jump = hold();
    out.add(
        new Instruction.Assign(
            key, new Expression.Member(table, local(table, keys), local(table, place))));
    out.add(
        new Instruction.Assign(
            place,
            new Expression.Binary(
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
    Expression there =
        new Expression.Binary(
            word(table, "!="), local(table, row), new Expression.Constant(table, Program.ABSENT));
    Expression wanted =
        condition == null ? there : new Expression.Binary(word(table, "&&"), there, condition);
    int jump = hold();
    body.accept(row);
    out.set(jump, new Instruction.JumpUnless(wanted, out.size()));
  }

  /** The value of {@code row.key == value} in a condition that demands it. */
  private static @Nullable Expression keyIn(Expression condition, int row) {
    if (!(condition instanceof Expression.Binary binary)) {
      return null;
    }
    if (binary.at().is("&&")) {
      Expression left = keyIn(binary.left(), row);
      return left != null ? left : keyIn(binary.right(), row);
    }
    if (!binary.at().is("==")) {
      return null;
    }
    if (isKey(binary.left(), row) && !binary.right().mentions(row)) {
      return binary.right();
    }
    return isKey(binary.right(), row) && !binary.left().mentions(row) ? binary.left() : null;
  }

  private static boolean isKey(Expression expression, int row) {
    return expression instanceof Expression.Column column
        && column.at().is("key")
        && column.of() instanceof Expression.Local local
        && local.slot() == row;
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
  private Assignments assignments(Token table, List<String> columns) {
    Assignments set = new Assignments();
    tokens.expect("(");
    if (!tokens.accept(")")) {
      do {
        assignment(columns, set);
      } while (tokens.accept(","));
      tokens.expect(")");
    }
    if (set.names.stream().distinct().count() != set.names.size()) {
      throw table.error("a column is set twice");
    }
    return set;
  }

  private void assignment(List<String> columns, Assignments set) {
    Token column = tokens.expectName("a column");
    if (!columns.contains(column.text())) {
      throw column.error("there is no column '" + column.text() + "'; expected one of " + columns);
    }
    tokens.expect("=");
    set.names.add(column.text());
    set.values.add(expression());
  }

  private static Expression local(Token at, int slot) {
    return new Expression.Local(at, slot);
  }

  private static Token word(Token at, String text) {
    return new Token(Token.Kind.SIGN, text, at.line(), at.column());
  }

  private Expression name(Token name) {
    Object constant =
        switch (name.text()) {
          case "true" -> true;
          case "false" -> false;
          case "absent" -> Program.ABSENT;
          default -> scope.has(name.text()) ? null : declared.parameters.get(name.text());
        };
    if (constant != null) {
      return new Expression.Constant(name, constant);
    }
    if (declared.isVariable(name.text()) && !scope.has(name.text())) {
      throw name.error(
          "'%s' is a variable; read it first: %s_ := read(%s);"
              .formatted(name.text(), name.text(), name.text()));
    }
    if (!scope.has(name.text())) {
      throw name.error("there is no local and no parameter '" + name.text() + "'");
    }
    return new Expression.Local(name, scope.slot(name.text()));
  }
}
