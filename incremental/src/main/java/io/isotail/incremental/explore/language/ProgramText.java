package io.isotail.incremental.explore.language;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of a program.
 *
 * <pre>
 * param stock = 1;
 * var items = stock;
 * transaction buy() {
 *   n := read(items);
 *   if n > 0 { write(items, n - 1); } else { abort; }
 * }
 * session alice { buy(); }
 * session bob { begin m := read(items); commit }
 * final { left := read(items); assert left >= 0, "more was sold than there was"; }
 * </pre>
 */
public final class ProgramText {
  /** Elements that one declaration can have. */
  private static final int MOST_ELEMENTS = 10_000;

  private final String name;
  private final Tokens tokens;
  private final Map<String, String> given;
  private final Declarations declared = new Declarations();
  private final List<Program.Session> sessions = new ArrayList<>();
  private final Set<String> called = new HashSet<>();
  private boolean asserts;
  private Program.@Nullable Session last;

  private ProgramText(String name, String text, Map<String, String> given) {
    this.name = name;
    this.tokens = new Tokens(text);
    this.given = given;
  }

  /**
   * The program that a text describes.
   *
   * @param name of the program, for people
   * @param parameters values for parameters, instead of those of the text
   * @throws SourceError if the text is none
   * @throws IllegalArgumentException if a parameter is given that the text does not have, or the
   *     program is too large
   */
  public static Program parse(String name, String text, Map<String, String> parameters) {
    return new ProgramText(name, text, parameters).program();
  }

  private Program program() {
    while (tokens.peek().kind() != Token.Kind.END) {
      Token word = tokens.take();
      switch (word.text()) {
        case "param" -> parameter();
        case "var" -> variable();
        case "table" -> table(false);
        case "set" -> {
          tokens.expect("table");
          table(true);
        }
        case "row" -> row();
        case "transaction" -> transaction();
        case "session" -> session();
        case "final" -> finalReads(word);
        default ->
            throw word.error(
                "found "
                    + word.shown()
                    + "; expected param, var, table, set table, row, transaction, session or final");
      }
    }
    for (String parameter : given.keySet()) {
      if (!declared.parameters.containsKey(parameter)) {
        throw new IllegalArgumentException(
            "the program has no parameter '%s'; expected one of %s"
                .formatted(parameter, new TreeSet<>(declared.parameters.keySet())));
      }
    }
    if (sessions.isEmpty()) {
      throw tokens.peek().error("a program without a session; expected session name { … }");
    }
    for (String template : declared.templates.keySet()) {
      if (!called.contains(template)) {
        unused(declared.templates.get(template));
      }
    }
    Program program = new Program(name, declared.initial, sessions, asserts, last);
    if (declared.tables.values().stream().anyMatch(table -> table.keys() != null)) {
      KeySearch.in(program);
    }
    return program;
  }

  private void parameter() {
    Token parameter = tokens.expectName("the name of a parameter");
    declared.parameter(parameter);
    tokens.expect("=");
    Object value = constant();
    tokens.expect(";");
    String instead = given.get(parameter.text());
    declared.parameters.put(
        parameter.text(), instead == null ? value : given(parameter, instead, value));
  }

  /** A value from outside, of the type of the one that it replaces. */
  private static Object given(Token parameter, String text, Object instead) {
    if (instead instanceof String) {
      return text;
    }
    if (instead instanceof Long) {
      try {
        return Long.valueOf(text);
      } catch (NumberFormatException e) {
        throw unfit(parameter, text, "a whole number of 64 bits");
      }
    }
    if (instead instanceof Boolean) {
      if (text.equals("true") || text.equals("false")) {
        return Boolean.valueOf(text);
      }
      throw unfit(parameter, text, "true or false");
    }
    throw unfit(parameter, text, "no value from outside: it is neither a number nor a text");
  }

  private static IllegalArgumentException unfit(Token parameter, String found, String expected) {
    return new IllegalArgumentException(
        "the parameter '%s': found '%s'; expected %s".formatted(parameter.text(), found, expected));
  }

  /** {@code var x = 0;}, {@code var x["a"] = 0;} or {@code var x[1 to 3] = 0;}. */
  private void variable() {
    Token variable = tokens.expectName("the name of a variable");
    declared.variable(variable);
    if (!tokens.accept("[")) {
      tokens.expect("=");
      put(variable, variable.text(), constant());
      tokens.expect(";");
      return;
    }
    Object from = constant();
    Object to = tokens.accept("to") ? constant() : from;
    tokens.expect("]");
    tokens.expect("=");
    Object value = constant();
    tokens.expect(";");
    if (from.equals(to)) {
      put(variable, Instruction.Variable.element(variable.text(), from), value);
      return;
    }
    long begin = Operators.number(variable, from);
    long end = Operators.number(variable, to);
    if (end < begin || end - begin < 0 || end - begin >= MOST_ELEMENTS) {
      throw variable.error(
          "found elements %d to %d; expected 1 to %,d of them"
              .formatted(begin, end, MOST_ELEMENTS));
    }
    for (long i = begin; i <= end; i++) {
      put(variable, Instruction.Variable.element(variable.text(), i), value);
    }
  }

  private void put(Token at, String variable, Object value) {
    if (declared.initial.putIfAbsent(variable, value) != null) {
      throw at.error("'" + variable + "' has an initial value already");
    }
  }

  /** {@code table cart(item, quantity);}, or {@code set table …}. */
  private void table(boolean asSet) {
    Token table = tokens.expectName("the name of a table");
    declared.claimTable(table);
    List<String> columns = new ArrayList<>();
    tokens.expect("(");
    do {
      Token column = tokens.expectName("a column");
      if (column.is("key")) {
        throw column.error("row.key is the key of each row; expected another name of a column");
      }
      columns.add(distinct(column, columns));
    } while (tokens.accept(","));
    tokens.expect(")");
    tokens.expect(";");
    RowKeys keys = asSet ? null : new RowKeys(table);
    declared.tables.put(table.text(), new Declarations.Table(List.copyOf(columns), keys));
    if (asSet) {
      declared.initial.put(table.text(), Operators.set(List.of()));
    }
  }

  private static String distinct(Token name, List<String> others) {
    if (others.contains(name.text())) {
      throw name.error("'" + name.text() + "' stands there twice");
    }
    return name.text();
  }

  /** {@code row cart[1] = (item = "pen", quantity = 2);}. */
  private void row() {
    Token table = tokens.expectName("a table");
    Declarations.Table of = declared.table(table);
    List<String> columns = of.columns();
    tokens.expect("[");
    Object key = constant();
    tokens.expect("]");
    tokens.expect("=");
    tokens.expect("(");
    Map<String, Object> values = new LinkedHashMap<>();
    do {
      Token column = tokens.expectName("a column");
      tokens.expect("=");
      if (values.put(column.text(), constant()) != null) {
        throw column.error("'" + column.text() + "' has a value already");
      }
    } while (tokens.accept(","));
    tokens.expect(")");
    tokens.expect(";");
    if (!new TreeSet<>(columns).equals(new TreeSet<>(values.keySet()))) {
      throw table.error("found values for " + values.keySet() + "; expected " + columns);
    }
    String row = Instruction.Variable.element(table.text(), key);
    if (declared.initial.putIfAbsent(row, new Row(key, values)) != null) {
      throw table.error("there is a row " + row + " already; expected another key");
    }
    RowKeys possible = of.keys();
    if (possible != null) {
      possible.add(key);
      return;
    }
    List<Object> keys =
        new ArrayList<>(
            Operators.collection(
                table, declared.initial.getOrDefault(table.text(), Program.ABSENT)));
    keys.add(key);
    declared.initial.put(table.text(), Operators.set(keys));
  }

  /** {@code transaction name(parameters) { … }}; its text is read where it is called. */
  private void transaction() {
    Token template = tokens.expectName("the name of a transaction");
    Words.expectTransaction(template);
    declared.transaction(template);
    List<String> parameters = new ArrayList<>();
    tokens.expect("(");
    if (!tokens.accept(")")) {
      do {
        Token parameter = tokens.expectName("a parameter");
        Words.expectLocal(parameter);
        Object other = declared.parameters.get(parameter.text());
        if (other != null || declared.isVariable(parameter.text())) {
          throw parameter.error(
              "'%s' means something else already; expected another name"
                  .formatted(parameter.text()));
        }
        parameters.add(distinct(parameter, parameters));
      } while (tokens.accept(","));
      tokens.expect(")");
    }
    @Nullable IsolationLevel level = level();
    tokens.expect("{");
    List<Token> body = new ArrayList<>();
    int depth = 1;
    while (depth > 0) {
      Token token = tokens.take();
      if (token.kind() == Token.Kind.END) {
        throw template.error("the braces of '" + template.text() + "' are not closed");
      }
      depth += token.is("{") ? 1 : token.is("}") ? -1 : 0;
      body.add(token);
    }
    declared.templates.put(
        template.text(),
        new Declarations.Template(List.copyOf(parameters), level, List.copyOf(body)));
  }

  /** {@code at read-committed}, where a level may be declared; null if it is not. */
  private @Nullable IsolationLevel level() {
    if (!tokens.peek().is("at") || tokens.isNextButOne(":=")) {
      return null;
    }
    tokens.take();
    Token first = tokens.expectName("an isolation level");
    StringBuilder label = new StringBuilder(first.text());
    while (tokens.accept("-")) {
      label.append('-').append(tokens.expectName("an isolation level").text());
    }
    try {
      return Program.explorable(IsolationLevel.ofLabel(label.toString()));
    } catch (IllegalArgumentException e) {
      throw first.error(String.valueOf(e.getMessage()));
    }
  }

  /** {@code session name { … }}: transactions one after another. */
  private void session() {
    Token session = tokens.expectName("the name of a session");
    if (sessions.stream().anyMatch(other -> other.name().equals(session.text()))) {
      throw session.error("there is a session '" + session.text() + "' already");
    }
    if (session.is(Program.FINAL)) {
      throw session.error("'final' is no name of a session");
    }
    tokens.expect("{");
    Scope scope = new Scope();
    List<Instruction.Code> transactions = new ArrayList<>();
    while (!tokens.accept("}")) {
      Token word = tokens.expectName("begin, assert or a transaction");
      if (word.is("begin")) {
        @Nullable IsolationLevel level = level();
        Statements statements = new Statements(tokens, declared, scope);
        statements.until("commit");
        tokens.accept(";");
        String own = "t" + (transactions.size() + 1);
        transactions.add(code(own, session.text() + "." + own, level, statements.instructions()));
      } else if (word.is("assert")) {
        assertAfter(word, transactions, scope);
      } else {
        transactions.add(call(word, scope));
      }
    }
    if (transactions.isEmpty()) {
      throw session.error("the session has no transaction");
    }
    sessions.add(Interpreter.session(session.text(), transactions, scope.size()));
  }

  private void assertAfter(Token word, List<Instruction.Code> transactions, Scope scope) {
    if (transactions.isEmpty()) {
      throw word.error("nothing has run yet that could be asserted");
    }
    Instruction.Assert assertion = new Statements(tokens, declared, scope).assertion();
    tokens.expect(";");
    asserts = true;
    Instruction.Code code = transactions.remove(transactions.size() - 1);
    transactions.add(code.withAfter(assertion));
  }

  /** {@code name(arguments);} or {@code name(arguments) at level;}. */
  private Instruction.Code call(Token word, Scope scope) {
    Declarations.Template template = declared.templates.get(word.text());
    if (template == null) {
      throw word.error(
          "there is no transaction '%s'; expected begin, assert or one of %s"
              .formatted(word.text(), new TreeSet<>(declared.templates.keySet())));
    }
    int start = tokens.position();
    tokens.expect("(");
    List<Expression> arguments = new Statements(tokens, declared, scope).arguments();
    String shown = word.text() + tokens.textSince(start);
    @Nullable IsolationLevel own = level();
    tokens.expect(";");
    if (arguments.size() != template.parameters().size()) {
      throw word.error(
          "%s has %d arguments; expected %d"
              .formatted(word.text(), arguments.size(), template.parameters().size()));
    }
    called.add(word.text());
    Statements body = new Statements(new Tokens(template.body()), declared, scope);
    body.assignAll(template.parameters(), arguments);
    body.until("}");
    @Nullable IsolationLevel level = own == null ? template.level() : own;
    return code(shown, word.text(), level, body.instructions());
  }

  /** What nobody calls is read all the same, for what is wrong in it. */
  private void unused(Declarations.Template template) {
    Statements body = new Statements(new Tokens(template.body()), declared, new Scope());
    Expression none = new Expression.Constant(template.body().get(0), Program.ABSENT);
    body.assignAll(template.parameters(), Collections.nCopies(template.parameters().size(), none));
    body.until("}");
  }

  private Instruction.Code code(
      String named, String kind, @Nullable IsolationLevel level, List<Instruction> body) {
    asserts |= body.stream().anyMatch(Instruction.Assert.class::isInstance);
    return new Instruction.Code(named, kind, level, body, List.of());
  }

  private void finalReads(Token word) {
    if (last != null) {
      throw word.error("final stands there already");
    }
    @Nullable IsolationLevel level = level();
    tokens.expect("{");
    Scope scope = new Scope();
    Statements statements = new Statements(tokens, declared, scope);
    statements.until("}");
    Instruction.Code code = code("reads", Program.FINAL, level, statements.instructions());
    last = Interpreter.session(Program.FINAL, List.of(code), scope.size());
  }

  /** A value that needs no local. */
  private Object constant() {
    return new Statements(tokens, declared, new Scope()).expression().value(new Object[0]);
  }
}
