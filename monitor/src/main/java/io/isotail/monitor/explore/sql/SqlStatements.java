package io.isotail.monitor.explore.sql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compiles the statements of a transaction. */
final class SqlStatements {
  private static final String EXPECTED =
      "SELECT, INSERT, UPDATE, DELETE, SET, IF, ASSERT or ROLLBACK";

  private final SqlTokens tokens;
  private final Schema schema;
  private final Target out;
  private Locals locals;

  /** Choices that stand around the next statement. */
  private int depth;

  /** What has a value at each place where the transaction may take back what it wrote. */
  private final List<Locals> aborts = new ArrayList<>();

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
    for (Locals aborted : aborts) {
      open.addAll(locals.orAbortedAt(aborted));
    }
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
        aborts.add(locals.copy());
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
    aborts.add(locals.copy());
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

  /**
   * What follows IF, up to {@code END IF}: a list of branches, however long, is not deep.
   *
   * @return whether every way ends the transaction
   */
  private boolean choice(SqlToken at) {
    Depth.enter(++depth, at, "choices");
    Locals before = locals.copy();
    List<Branch> branches = new ArrayList<>();
    branch(at, "if ", branches);
    locals = before.copy();
    SqlToken next = tokens.peek();
    while (tokens.accept("elsif") || tokens.accept("elseif")) {
      out.shallower();
      branch(next, "} else if ", branches);
      locals = before.copy();
      next = tokens.peek();
    }
    boolean goesOn = true;
    if (tokens.accept("else")) {
      out.close(next, "} else {");
      out.deeper();
      goesOn = block(Set.of("end"));
    }
    out.close(next, "}");
    tokens.expect("end");
    tokens.expect("if");
    depth--;
    return join(before, branches, goesOn ? locals : null);
  }

  /**
   * A branch of a choice.
   *
   * @param at where it stands
   * @param end what has a value behind it; null if it ends the transaction
   */
  private record Branch(SqlToken at, @Nullable Locals end) {}

  /**
   * A condition and its branch.
   *
   * @param word what stands before the condition in the compiled program
   */
  private void branch(SqlToken at, String word, List<Branch> branches) {
    Term condition = new Expressions(tokens, locals, null, null).condition();
    tokens.expect("then");
    out.open(at, word + condition.text + " {");
    boolean goesOn = block(Set.of("elsif", "elseif", "else", "end"));
    branches.add(new Branch(at, goesOn ? locals : null));
  }

  /**
   * Goes on behind a choice.
   *
   * @param otherwise what has a value where no condition holds; null if that way ends
   * @return whether every way ends the transaction
   */
  private boolean join(Locals before, List<Branch> branches, @Nullable Locals otherwise) {
    @Nullable Locals end = otherwise;
    for (int i = branches.size() - 1; i >= 0; i--) {
      Branch branch = branches.get(i);
      Locals joined = before.copy();
      open.addAll(joined.join(branch.at, branch.end, end));
      end = branch.end == null && end == null ? null : joined;
    }
    locals = end == null ? before : end;
    return end == null;
  }
}
