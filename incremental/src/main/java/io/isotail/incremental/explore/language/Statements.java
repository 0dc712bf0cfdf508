package io.isotail.incremental.explore.language;

import io.isotail.incremental.explore.Program;
import java.util.ArrayList;
import java.util.List;

/** Reads the statements of a transaction as instructions. */
final class Statements {
  private static final String STATEMENTS = "write, if, abort, assert, insert, update, delete";

  private final Tokens tokens;
  private final Declarations declared;
  private final Scope scope;
  private final ExpressionParser expressions;
  private final List<Instruction> out = new ArrayList<>();
  private final TableStatements tables;

  /** Choices that stand around the next statement. */
  private int depth;

  Statements(Tokens tokens, Declarations declared, Scope scope) {
    this.tokens = tokens;
    this.declared = declared;
    this.scope = scope;
    this.expressions = new ExpressionParser(tokens, this::name);
    this.tables = new TableStatements(tokens, declared, scope, expressions::parse, out);
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
      if (end.equals("commit") && tokens.peek().is("}")) {
        throw tokens
            .peek()
            .error("found '}' before the transaction ends; expected commit, or a statement");
      }
      int hidden = scope.hiddenInUse();
      one();
      scope.releaseHidden(hidden);
    }
  }

  private void one() {
    Token first = tokens.expectName("a statement");
    switch (first.text()) {
      case "write" -> write();
      case "if" -> choice(first);
      case "abort" -> out.add(new Instruction.Abort());
      case "assert" -> out.add(assertion());
      case "insert" -> tables.insert();
      case "update" -> tables.update();
      case "delete" -> tables.delete();
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
    if (!tokens.peek().is(":=")) {
      throw unknown(local);
    }
    Words.expectLocal(local);
    tokens.expect(":=");
    if (tokens.peek().is("read")) {
      tokens.take();
      tokens.expect("(");
      Instruction.Variable variable = variable();
      tokens.expect(")");
      out.add(new Instruction.ReadVariable(scope.slot(local.text()), variable));
    } else if (tokens.accept("select")) {
      tables.select(local);
    } else {
      Expression value = expression();
      assign(local.text(), value);
    }
  }

  /** A word that begins no statement. */
  private SourceError unknown(Token word) {
    return word.is("commit") || word.is("begin")
        ? word.error("found " + word.shown() + "; expected a statement")
        : tokens
            .peek()
            .error(
                "found %s behind '%s'; expected ':=' and a value for a local, or one of the statements %s"
                    .formatted(tokens.peek().shown(), word.text(), STATEMENTS));
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
    return new Instruction.Variable(name.text(), tokens.peek().is("[") ? tables.index() : null);
  }

  /** What follows the word if, with all branches: a list of them, however long, is not deep. */
  private void choice(Token at) {
    Nesting.enter(++depth, at, "choices");
    List<Integer> overTheRest = new ArrayList<>();
    boolean more = true;
    while (more) {
      Expression condition = expression();
      int jump = hold(out);
      block();
      boolean otherwise = tokens.accept("else");
      if (otherwise) {
        overTheRest.add(hold(out));
      }
      out.set(jump, new Instruction.JumpUnless(condition, out.size()));
      more = otherwise && tokens.accept("if");
      if (otherwise && !more) {
        block();
      }
    }
    overTheRest.forEach(over -> out.set(over, new Instruction.Jump(out.size())));
    depth--;
  }

  private void block() {
    tokens.expect("{");
    until("}");
  }

  /** A place for a jump whose target is not known yet. */
  static int hold(List<Instruction> out) {
    out.add(new Instruction.Jump(out.size() + 1));
    return out.size() - 1;
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
