package io.isotail.monitor.explore.sql;

import io.isotail.monitor.explore.sql.SqlToken.Kind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads expressions: or, and, not, comparisons, {@code ||}, sums, products, signs, from weak to
 * strong.
 */
final class Expressions {
  /** Signs of comparisons, and what they are in the compiled program. */
  private static final Map<String, String> COMPARISONS =
      Map.of("=", "==", "<>", "!=", "!=", "!=", "<", "<", "<=", "<=", ">", ">", ">=", ">=");

  private final SqlTokens tokens;
  private final Locals locals;
  private final @Nullable Table table;
  private final @Nullable String alias;

  /** Brackets and NOTs that stand around the next word. */
  private int depth;

  /**
   * Expressions at a place.
   *
   * @param table whose columns they may name; null for none
   * @param alias another name of the table; null for none
   */
  Expressions(SqlTokens tokens, Locals locals, @Nullable Table table, @Nullable String alias) {
    this.tokens = tokens;
    this.locals = locals;
    this.table = table;
    this.alias = alias;
  }

  /** Something true or false. */
  Term condition() {
    return any().expect(Type.BOOLEAN);
  }

  /** A value of that type, in the compiled program. */
  String value(Type type) {
    return any().expect(type).text;
  }

  /** Any expression. */
  Term any() {
    Depth.enter(++depth, tokens.peek(), "expressions");
    Term.Chain any = new Term.Chain(and(), Term.OR, Type.BOOLEAN);
    while (tokens.accept("or")) {
      any.add("or", and(), Type.BOOLEAN);
    }
    depth--;
    return any.term();
  }

  private Term and() {
    Term.Chain all = new Term.Chain(not(), Term.AND, Type.BOOLEAN);
    while (tokens.accept("and")) {
      all.add("and", not(), Type.BOOLEAN);
    }
    return all.term();
  }

  private Term not() {
    SqlToken at = tokens.peek();
    if (!tokens.accept("not")) {
      return comparison();
    }
    Depth.enter(++depth, at, "expressions");
    Term of = not();
    depth--;
    return Term.not(at, of);
  }

  private Term comparison() {
    Term left = concatenation();
    SqlToken sign = tokens.peek();
    String compared = sign.kind() == Kind.SIGN ? COMPARISONS.get(sign.text()) : null;
    if (compared != null) {
      tokens.take();
      return compared(left, sign, compared, concatenation());
    }
    if (tokens.accept("is")) {
      return isNull(left);
    }
    boolean not = sign.is("not") && (tokens.second().is("in") || tokens.second().is("between"));
    if (not) {
      tokens.take();
    }
    Term term = left;
    if (tokens.accept("between")) {
      term = between(left);
    } else if (tokens.accept("in")) {
      term = in(left);
    } else if (sign.is("like") || sign.is("ilike")) {
      throw Refused.of(sign, "a comparison");
    }
    return not ? Term.not(left.at, term) : term;
  }

  private static Term compared(Term left, SqlToken sign, String compared, Term right) {
    if (left.type != right.type) {
      throw sign.error(
          "found %s beside %s; expected two values of one type".formatted(left.type, right.type));
    }
    boolean orders = !compared.equals("==") && !compared.equals("!=");
    if (orders && left.type != Type.NUMBER) {
      throw sign.error(
          "found %s; expected whole numbers: the order of texts is the database's own"
              .formatted(left.type));
    }
    return compared.equals("==") ? Term.equal(left, right) : Term.compared(left, compared, right);
  }

  private Term isNull(Term left) {
    boolean not = tokens.accept("not");
    SqlToken word = tokens.take();
    if (!word.is("null")) {
      throw Refused.of(word, "NULL");
    }
    if (left.readsRow) {
      throw left.at.error("a column is never NULL; expected IS NULL of a local");
    }
    if (!left.isLocal()) {
      throw left.at.error(
          "found an expression; expected IS NULL of a local: one that computes with NULL ends the exploration");
    }
    String text = left.plain() + (not ? " != " : " == ") + "absent";
    return new Term(left.at, text, Type.BOOLEAN, Term.COMPARISON, false);
  }

  private Term between(Term left) {
    Term from = concatenation();
    SqlToken and = tokens.expect("and");
    Term to = concatenation();
    return Term.both(compared(left, and, ">=", from), compared(left, and, "<=", to));
  }

  private Term in(Term left) {
    SqlToken open = tokens.expect("(");
    Term first = compared(left, open, "==", concatenation());
    Term.Chain any = new Term.Chain(first, Term.OR, Type.BOOLEAN);
    while (tokens.accept(",")) {
      any.add("or", compared(left, open, "==", concatenation()), Type.BOOLEAN);
    }
    tokens.expect(")");
    return any.term();
  }

  private Term concatenation() {
    Term.Chain all = new Term.Chain(sum(), Term.SUM, Type.TEXT);
    while (tokens.peek().is("||")) {
      SqlToken sign = tokens.take();
      Term right = sum();
      boolean isText = all.type() == Type.TEXT || right.type == Type.TEXT;
      if (!isText || all.type() == Type.BOOLEAN || right.type == Type.BOOLEAN) {
        throw sign.error(
            "found %s || %s; expected texts and whole numbers, one text at least"
                .formatted(all.type(), right.type));
      }
      all.add("+", right);
    }
    return all.term();
  }

  private Term sum() {
    Term.Chain all = new Term.Chain(product(), Term.SUM, Type.NUMBER);
    while (tokens.peek().is("+") || tokens.peek().is("-")) {
      String sign = tokens.take().text();
      all.add(sign, product(), Type.NUMBER);
    }
    return all.term();
  }

  private Term product() {
    Term.Chain all = new Term.Chain(signed(), Term.PRODUCT, Type.NUMBER);
    while (tokens.peek().is("*") || tokens.peek().is("/") || tokens.peek().is("%")) {
      String sign = tokens.take().text();
      all.add(sign, signed(), Type.NUMBER);
    }
    return all.term();
  }

  private Term signed() {
    SqlToken at = tokens.peek();
    boolean minus = tokens.accept("-");
    if (minus && tokens.peek().kind() == Kind.NUMBER && isLeast(tokens.peek().text())) {
      return new Term(at, "-" + tokens.take().text(), Type.NUMBER, Term.ATOM, false);
    }
    Term of = primary();
    if (tokens.peek().is("::")) {
      throw Refused.of(tokens.peek(), "a value");
    }
    if (!minus) {
      return of;
    }
    of.expect(Type.NUMBER);
    return new Term(at, "-" + of.in(Term.ATOM), Type.NUMBER, Term.ATOM, of.readsRow);
  }

  private Term primary() {
    SqlToken token = tokens.peek();
    return switch (token.kind()) {
      case NUMBER -> new Term(tokens.take(), number(token), Type.NUMBER, Term.ATOM, false);
      case TEXT -> new Term(tokens.take(), text(token), Type.TEXT, Term.ATOM, false);
      case LOCAL -> Term.ofLocal(token, locals.get(tokens.take()));
      case WORD -> word(token);
      case QUOTED -> column(tokens.expectName("a column"));
      case SIGN, END -> grouped(token);
    };
  }

  /** The least number has no positive one of the same size. */
  private static boolean isLeast(String withoutSign) {
    return ("-" + withoutSign).equals(Long.toString(Long.MIN_VALUE));
  }

  private static String number(SqlToken token) {
    try {
      return Long.toString(Long.parseLong(token.text()));
    } catch (NumberFormatException e) {
      throw token.error(token.text() + " is too large; expected at most " + Long.MAX_VALUE);
    }
  }

  private static String text(SqlToken token) {
    if (token.text().indexOf('"') >= 0) {
      throw token.error("found a text with a double quote in it; expected one without");
    }
    return '"' + token.text() + '"';
  }

  private Term word(SqlToken token) {
    if (token.is("true") || token.is("false")) {
      return new Term(tokens.take(), token.text(), Type.BOOLEAN, Term.ATOM, false);
    }
    if (!tokens.second().is("(")) {
      return column(tokens.expectName("a value"));
    }
    if (!token.is("coalesce")) {
      if (Refused.isKeyword(token.text())) {
        throw Refused.of(token, "a value");
      }
      throw token.error(
          "found the function %s here; expected COALESCE, or COUNT, SUM, MIN or MAX as what a SELECT reads"
              .formatted(token.text()));
    }
    tokens.take();
    tokens.expect("(");
    Term first = any();
    tokens.expect(",");
    Term second = any().expect(first.type);
    tokens.expect(")");
    String text = "coalesce(%s, %s)".formatted(first.plain(), second.text);
    return new Term(token, text, first.type, Term.ATOM, first.readsRow || second.readsRow);
  }

  /** {@code column}, or {@code table.column}. */
  private Term column(SqlToken name) {
    if (table == null) {
      throw name.error(
          "found '%s'; expected a value, or a parameter or local: :%s"
              .formatted(name.text(), name.text()));
    }
    SqlToken column = name;
    if (tokens.accept(".")) {
      expectTable(name, table, alias);
      column = tokens.expectName("a column");
    }
    Type type = table.column(column);
    return Term.ofColumn(name, column.text(), type);
  }

  /** A name in front of a column must be the table's, or its alias. */
  static void expectTable(SqlToken name, Table table, @Nullable String alias) {
    String expected = alias == null ? table.name() : alias;
    if (!name.text().equals(expected)) {
      throw name.error("found '%s.'; expected %s".formatted(name.text(), expected));
    }
  }

  private Term grouped(SqlToken token) {
    if (!token.is("(")) {
      throw Refused.of(token, "a value");
    }
    tokens.take();
    if (tokens.peek().is("select")) {
      throw Refused.of(tokens.peek(), "a value");
    }
    Term inner = any();
    tokens.expect(")");
    return inner;
  }
}
