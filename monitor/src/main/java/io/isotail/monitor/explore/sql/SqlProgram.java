package io.isotail.monitor.explore.sql;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.explore.language.SourceError;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A program in SQL, compiled to the language of programs.
 *
 * <pre>
 * CREATE TABLE counter (id INT PRIMARY KEY, n INT);
 * INSERT INTO counter VALUES (1, 0);
 * TRANSACTION increment(id INT) BEGIN
 *   SELECT n INTO :n FROM counter WHERE id = :id;
 *   UPDATE counter SET n = :n + 1 WHERE id = :id;
 * COMMIT;
 * SESSION alice BEGIN CALL increment(1); END;
 * SESSION bob BEGIN CALL increment(1); END;
 * FINAL BEGIN
 *   SELECT n INTO :total FROM counter WHERE id = 1;
 *   ASSERT :total = 2, 'an increment is lost';
 * END;
 * </pre>
 */
public final class SqlProgram {
  private static final String EXPECTED =
      "CREATE TABLE, INSERT, PARAMETER, TRANSACTION, SESSION or FINAL";

  /** A parameter of a transaction. */
  private record Parameter(String name, Type type) {}

  /** A transaction with parameters, and what has a value at its end. */
  private record Template(String target, List<Parameter> parameters, Locals end) {}

  private final SqlTokens tokens;
  private final Names names;
  private final Schema schema;
  private final Target out = new Target();
  private final Map<String, Locals.Local> parameters = new TreeMap<>();
  private final Map<String, Template> templates = new TreeMap<>();

  /** The rows that stand in tables before any transaction, by table and key. */
  private final Set<String> rows = new HashSet<>();

  private boolean hasSession;
  private boolean hasFinal;

  private SqlProgram(String text) {
    this.tokens = new SqlTokens(text);
    this.names = new Names(tokens.all());
    this.schema = new Schema(names);
  }

  /**
   * Compiles a text.
   *
   * @throws SourceError if it is no program in SQL, or says what an exploration does not have
   */
  public static SqlProgram compile(String text) {
    SqlProgram program = new SqlProgram(text);
    program.all();
    return program;
  }

  /** The program in the language of programs. */
  public String text() {
    return out.text();
  }

  /**
   * The program.
   *
   * @param name of the program, for people
   * @param given values for parameters, instead of those of the text
   * @throws SourceError if it is none; the place is in SQL
   * @throws IllegalArgumentException if a parameter is given that the text does not have, or of
   *     another type, or the program is too large
   */
  public Program program(String name, Map<String, String> given) {
    Map<String, String> targets = new LinkedHashMap<>();
    given.forEach(
        (parameter, value) -> {
          Locals.Local known = parameters.get(parameter);
          if (known != null && !known.type().takes(value)) {
            throw new IllegalArgumentException(
                "the parameter '%s' is %s; found '%s'".formatted(parameter, known.type(), value));
          }
          targets.put(known == null ? parameter : known.target(), value);
        });
    try {
      return ProgramText.parse(name, text(), targets);
    } catch (SourceError e) {
      throw located(e);
    }
  }

  /** An error in the compiled program, such as one of a run, at its place in SQL. */
  public SourceError located(SourceError error) {
    return out.located(error);
  }

  private void all() {
    while (tokens.peek().kind() != SqlToken.Kind.END) {
      SqlToken word = tokens.take();
      switch (word.kind() == SqlToken.Kind.WORD ? word.text() : "") {
        case "create" -> {
          tokens.expect("table");
          schema.create(tokens, out);
        }
        case "insert" -> firstRows(word);
        case "parameter" -> parameter();
        case "transaction" -> transaction();
        case "session" -> session();
        case "final" -> finalReads(word);
        default -> throw Refused.of(word, EXPECTED);
      }
    }
    if (!hasSession) {
      throw tokens.peek().error("a program without a session; expected SESSION name BEGIN … END;");
    }
  }

  private void firstRows(SqlToken at) {
    tokens.expect("into");
    Schema.Inserted inserted = schema.insert(tokens, new Locals(names, parameters));
    tokens.expect(";");
    Table table = inserted.table();
    for (Map<String, String> row : inserted.rows()) {
      if (!rows.add(table.target() + "[" + table.keyOf(row) + "]")) {
        throw at.error(
            "two rows of '%s' have one primary key: %s"
                .formatted(
                    table.name(),
                    table.key().stream()
                        .map(column -> column + " = " + row.get(column))
                        .collect(Collectors.joining(", "))));
      }
      out.line(
          at, "row %s[%s] = %s;".formatted(table.target(), table.keyOf(row), table.rowOf(row)));
    }
  }

  /** {@code PARAMETER name = value;}. */
  private void parameter() {
    SqlToken name = tokens.expectName("the name of a parameter");
    tokens.expect("=");
    Term value = new Expressions(tokens, new Locals(names, parameters), null, null).any();
    tokens.expect(";");
    String target = names.declared(name.text());
    if (parameters.put(name.text(), new Locals.Local(target, value.type, false)) != null) {
      throw name.error("there is a parameter '" + name.text() + "' already");
    }
    out.line(name, "param %s = %s;".formatted(target, value.text));
  }

  /** {@code TRANSACTION name(parameter TYPE, …) BEGIN … COMMIT;}. */
  private void transaction() {
    SqlToken name = tokens.expectName("the name of a transaction");
    if (name.text().equals(Program.FINAL)) {
      throw name.error("'final' is the final transaction; expected another name");
    }
    if (templates.containsKey(name.text())) {
      throw name.error("there is a transaction '" + name.text() + "' already");
    }
    Locals locals = new Locals(names, parameters);
    List<Parameter> own = new ArrayList<>();
    List<String> targets = new ArrayList<>();
    if (tokens.accept("(") && !tokens.accept(")")) {
      do {
        SqlToken parameter =
            tokens.peek().kind() == SqlToken.Kind.LOCAL
                ? tokens.take()
                : tokens.expectName("a parameter");
        Type type = Type.read(tokens);
        if (own.stream().anyMatch(other -> other.name.equals(parameter.text()))) {
          throw parameter.error("there is a parameter '" + parameter.text() + "' already");
        }
        targets.add(locals.assign(parameter, type, false));
        own.add(new Parameter(parameter.text(), type));
      } while (tokens.accept(","));
      tokens.expect(")");
    }
    String level = level();
    tokens.expect("begin");
    String target = names.declared(name.text());
    out.open(name, "transaction %s(%s)%s {".formatted(target, String.join(", ", targets), level));
    SqlStatements statements = new SqlStatements(tokens, schema, out, locals);
    statements.until("commit");
    out.close(tokens.expect(";"), "}");
    templates.put(name.text(), new Template(target, own, statements.locals()));
  }

  /** {@code SESSION name BEGIN … END;}. */
  private void session() {
    SqlToken name = tokens.expectName("the name of a session");
    hasSession = true;
    tokens.expect("begin");
    out.open(name, "session %s {".formatted(names.declared(name.text())));
    Locals locals = new Locals(names, parameters);
    while (!tokens.peek().is("end")) {
      SqlToken word = tokens.peek();
      if (tokens.accept("call")) {
        call(locals);
      } else if (tokens.accept("start")) {
        tokens.expect("transaction");
        String level = level();
        tokens.expect(";");
        out.open(word, "begin" + level);
        SqlStatements statements = new SqlStatements(tokens, schema, out, locals.copy());
        statements.until("commit");
        out.close(tokens.expect(";"), "commit");
        locals.takeOver(statements.locals());
      } else if (word.is("assert")) {
        out.line(word, SqlStatements.assertion(tokens, locals));
        tokens.expect(";");
      } else {
        throw Refused.of(word, "CALL, START TRANSACTION, ASSERT or END");
      }
    }
    out.close(tokens.take(), "}");
    tokens.expect(";");
  }

  /** {@code AT snapshot-isolation}, compiled, where a level may be declared. */
  private String level() {
    if (!tokens.accept("at")) {
      return "";
    }
    SqlToken first = tokens.expectName("an isolation level");
    StringBuilder label = new StringBuilder(first.text());
    while (tokens.accept("-")) {
      label.append('-').append(tokens.expectName("an isolation level").text());
    }
    try {
      return " at " + Program.explorable(IsolationLevel.ofLabel(label.toString()));
    } catch (IllegalArgumentException e) {
      throw first.error(String.valueOf(e.getMessage()));
    }
  }

  /** {@code CALL name(arguments);}. */
  private void call(Locals locals) {
    SqlToken name = tokens.expectName("a transaction");
    Template template = templates.get(name.text());
    if (template == null) {
      throw name.error(
          "there is no transaction '%s'; expected one of %s"
              .formatted(name.text(), templates.keySet()));
    }
    List<String> arguments = new ArrayList<>();
    tokens.expect("(");
    if (!tokens.accept(")")) {
      do {
        if (arguments.size() < template.parameters.size()) {
          Parameter parameter = template.parameters.get(arguments.size());
          Expressions expressions = new Expressions(tokens, locals, null, null);
          arguments.add(expressions.value(parameter.type));
        } else {
          throw count(name, template);
        }
      } while (tokens.accept(","));
      tokens.expect(")");
    }
    if (arguments.size() != template.parameters.size()) {
      throw count(name, template);
    }
    String level = level();
    tokens.expect(";");
    out.line(name, "%s(%s)%s;".formatted(template.target, String.join(", ", arguments), level));
    locals.takeOver(template.end);
  }

  private static SourceError count(SqlToken name, Template template) {
    return name.error(
        "found another number of arguments for %s; expected %s"
            .formatted(
                name.text(),
                template.parameters.stream()
                    .map(parameter -> parameter.name + ", " + parameter.type)
                    .collect(Collectors.joining("; ", "(", ")"))));
  }

  /** {@code FINAL BEGIN … END;}. */
  private void finalReads(SqlToken word) {
    if (hasFinal) {
      throw word.error("there is a FINAL already; expected one");
    }
    hasFinal = true;
    String level = level();
    tokens.expect("begin");
    out.open(word, "final" + level + " {");
    new SqlStatements(tokens, schema, out, new Locals(names, parameters)).until("end");
    out.close(tokens.expect(";"), "}");
  }
}
