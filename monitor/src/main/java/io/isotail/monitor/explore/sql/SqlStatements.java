package io.isotail.monitor.explore.sql;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Compiles the statements of a transaction. */
final class SqlStatements {
  /** Choices in choices. */
  private static final int MOST_DEPTH = 40;

  private static final String EXPECTED =
      "SELECT, INSERT, UPDATE, DELETE, SET, IF, ASSERT or ROLLBACK";

  private final SqlTokens tokens;
  private final Schema schema;
  private final Target out;
  private Locals locals;
  private int depth;

  /** Locals of the compiled program that begin without a value. */
  private final Set<String> open = new TreeSet<>();

  /**
   * Statements at a place.
   *
   * @param locals what has a value there
   */
  SqlStatements(SqlTokens tokens, Schema schema, Target out, Locals locals) {
    this.tokens = tokens;
    this.schema = schema;
    this.out = out;
    this.locals = locals;
  }

  /** What has a value behind the statements. */
  Locals locals() {
    return locals;
  }

  /** All statements up to a word, which is taken. */
  void until(String end) {
    SqlToken at = tokens.peek();
    int start = out.position();
    block(Set.of(end));
    tokens.expect(end);
    if (!open.isEmpty()) {
      out.insert(
          start,
          at,
          open.stream().map(local -> local + " := absent;").collect(Collectors.joining(" ")));
    }
  }

  /**
   * Statements up to one of some words, which is not taken.
   *
   * @return whether their end is reached
   */
  private boolean block(Set<String> ends) {
    boolean ended = false;
    while (ends.stream().noneMatch(tokens.peek()::is)) {
      if (ended) {
        throw tokens
            .peek()
            .error(
                "found %s behind ROLLBACK, which ends the transaction; expected %s"
                    .formatted(tokens.peek().shown(), words(ends)));
      }
      ended = one();
    }
    return !ended;
  }

  private static String words(Set<String> ends) {
    return new TreeSet<>(ends)
        .stream().map(end -> end.toUpperCase(Locale.ROOT)).collect(Collectors.joining(", "));
  }

  /** One statement; returns whether it ends the transaction. */
  private boolean one() {
    SqlToken at = tokens.peek();
    boolean ends = false;
    switch (at.kind() == SqlToken.Kind.WORD ? at.text() : "") {
      case "select" -> new Selects(tokens, schema, locals, out).select(tokens.take());
      case "insert" -> insert(tokens.take());
      case "update" -> update(tokens.take());
      case "delete" -> delete(tokens.take());
      case "set" -> set(tokens.take());
      case "assert" -> out.line(at, assertion(tokens, locals));
      case "if" -> ends = choice(tokens.take());
      case "rollback" -> {
        out.line(tokens.take(), "abort;");
        ends = true;
      }
      default -> throw Refused.of(at, EXPECTED);
    }
    tokens.expect(";");
    return ends;
  }

  private void insert(SqlToken at) {
    tokens.expect("into");
    Schema.Inserted inserted = schema.insert(tokens, locals);
    Table table = inserted.table();
    for (Map<String, String> row : inserted.rows()) {
      out.line(
          at,
          "insert %s[%s] %s or abort;"
              .formatted(table.target(), table.keyOf(row), table.rowOf(row)));
    }
  }

  private void update(SqlToken at) {
    From from = From.read(tokens, schema);
    tokens.expect("set");
    Expressions expressions = from.expressions(tokens, locals);
    Map<String, String> values = new LinkedHashMap<>();
    do {
      SqlToken column = tokens.expectName("a column");
      Type type = from.table().column(column);
      if (from.table().key().contains(column.text())) {
        throw column.error(
            "'%s' is of the primary key, which names the row; expected DELETE and INSERT"
                .formatted(column.text()));
      }
      tokens.expect("=");
      if (values.put(Table.target(column.text()), expressions.value(type)) != null) {
        throw column.error("the column '" + column.text() + "' is set twice");
      }
    } while (tokens.accept(","));
    Table.Rows rows = from.where(tokens, locals);
    String set =
        values.entrySet().stream()
            .map(value -> value.getKey() + " = " + value.getValue())
            .collect(Collectors.joining(", "));
    out.line(at, "update %s set %s%s;".formatted(from.table().target(), set, rows.where()));
  }

  private void delete(SqlToken at) {
    tokens.expect("from");
    From from = From.read(tokens, schema);
    Table.Rows rows = from.where(tokens, locals);
    out.line(at, "delete %s%s;".formatted(from.table().target(), rows.where()));
  }

  private void set(SqlToken at) {
    SqlToken local = tokens.expectLocal("a local, as :name");
    if (!tokens.accept(":=")) {
      tokens.expect("=");
    }
    Term value = new Expressions(tokens, locals, null, null).any();
    String target = locals.assign(local, value.type, value.mayBeNull());
    out.line(at, target + " := " + value.plain() + ";");
  }

  /** {@code ASSERT condition [, 'text']}, compiled. */
  static String assertion(SqlTokens tokens, Locals locals) {
    SqlToken at = tokens.expect("assert");
    Term condition = new Expressions(tokens, locals, null, null).condition();
    String otherwise = "the assertion in line " + at.line() + " does not hold";
    if (tokens.accept(",")) {
      SqlToken text = tokens.take();
      if (text.kind() != SqlToken.Kind.TEXT || text.text().indexOf('"') >= 0) {
        throw Refused.of(text, "a text in single quotes, without double quotes");
      }
      otherwise = text.text();
    }
    return "assert %s, \"%s\";".formatted(condition.text, otherwise);
  }

  /** What follows IF, up to {@code END IF}; returns whether every way ends the transaction. */
  private boolean choice(SqlToken at) {
    boolean ends = branches(at, "if ");
    tokens.expect("end");
    tokens.expect("if");
    return ends;
  }

  /**
   * A condition, its branch and the others.
   *
   * @param word what stands before the condition in the compiled program
   * @return whether every way ends the transaction
   */
  private boolean branches(SqlToken at, String word) {
    if (++depth > MOST_DEPTH) {
      throw at.error("choices stand in each other; expected at most " + MOST_DEPTH);
    }
    Term condition = new Expressions(tokens, locals, null, null).condition();
    tokens.expect("then");
    Locals before = locals.copy();
    out.open(at, word + condition.text + " {");
    Locals then = block(Set.of("elsif", "elseif", "else", "end")) ? locals : null;
    locals = before.copy();
    SqlToken next = tokens.peek();
    boolean goesOn = true;
    if (tokens.accept("elsif") || tokens.accept("elseif")) {
      out.shallower();
      goesOn = !branches(next, "} else if ");
    } else {
      if (tokens.accept("else")) {
        out.close(next, "} else {");
        out.deeper();
        goesOn = block(Set.of("end"));
      }
      out.close(next, "}");
    }
    Locals otherwise = goesOn ? locals : null;
    locals = before;
    open.addAll(locals.join(at, then, otherwise));
    depth--;
    return then == null && otherwise == null;
  }
}
