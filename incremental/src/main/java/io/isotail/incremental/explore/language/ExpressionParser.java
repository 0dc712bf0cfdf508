package io.isotail.incremental.explore.language;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads expressions: or, and, comparisons, sums, products, signs, columns, from weak to strong. */
final class ExpressionParser {
  private static final List<List<String>> BY_STRENGTH =
      List.of(
          List.of("||", "or"),
          List.of("&&", "and"),
          List.of("==", "!=", "<=", ">=", "<", ">"),
          List.of("+", "-"),
          List.of("*", "/", "%"));

  /** The least number, which has no positive one of the same size. */
  private static final String LEAST_WITHOUT_SIGN = Long.toString(Long.MIN_VALUE).substring(1);

  private final Tokens tokens;

  /** What a name means: a local or a constant. */
  private final Function<Token, Expression> names;

  /** Brackets and signs that stand around the next word. */
  private int depth;

  ExpressionParser(Tokens tokens, Function<Token, Expression> names) {
    this.tokens = tokens;
    this.names = names;
  }

  Expression parse() {
    enter();
    Expression expression = chain(0);
    depth--;
    return expression;
  }

  private void enter() {
    Nesting.enter(++depth, tokens.peek(), "expressions");
  }

  private Expression chain(int strength) {
    if (strength == BY_STRENGTH.size()) {
      return unary();
    }
    Expression first = chain(strength + 1);
    List<Expression.Chain.Link> rest = new ArrayList<>();
    while (BY_STRENGTH.get(strength).stream().anyMatch(tokens.peek()::is)) {
      Token sign = sign(tokens.take());
      rest.add(new Expression.Chain.Link(sign, chain(strength + 1)));
    }
    return rest.isEmpty() ? first : new Expression.Chain(first, List.copyOf(rest));
  }

  /** The words for and, or and not mean the signs. */
  private static Token sign(Token token) {
    String text =
        switch (token.text()) {
          case "and" -> "&&";
          case "or" -> "||";
          case "not" -> "!";
          default -> token.text();
        };
    return new Token(Token.Kind.SIGN, text, token.line(), token.column());
  }

  private Expression unary() {
    Token next = tokens.peek();
    if (next.is("!") || next.is("-") || next.is("not")) {
      enter();
      if (next.is("-") && tokens.isNextButOne(LEAST_WITHOUT_SIGN)) {
        tokens.take();
        depth--;
        return columns(new Expression.Constant(tokens.take(), Long.MIN_VALUE));
      }
      Expression.Unary signed = new Expression.Unary(sign(tokens.take()), unary());
      depth--;
      return signed;
    }
    return columns(primary());
  }

  private Expression columns(Expression of) {
    List<Token> columns = new ArrayList<>();
    while (tokens.accept(".")) {
      if (tokens.peek().kind() == Token.Kind.NUMBER) {
        throw tokens.peek().error("found a number that is not whole; expected a whole number");
      }
      columns.add(tokens.expectName("a column"));
    }
    return columns.isEmpty() ? of : new Expression.Column(of, List.copyOf(columns));
  }

  private Expression primary() {
    Token token = tokens.take();
    return switch (token.kind()) {
      case NUMBER -> new Expression.Constant(token, number(token));
      case STRING -> new Expression.Constant(token, token.text());
      case NAME -> tokens.peek().is("(") ? call(token) : names.apply(token);
      case SIGN, END -> grouped(token);
    };
  }

  private static Long number(Token token) {
    try {
      return Long.valueOf(token.text());
    } catch (NumberFormatException e) {
      throw token.error(token.text() + " is too large; expected at most " + Long.MAX_VALUE);
    }
  }

  private Expression grouped(Token token) {
    if (token.is("(")) {
      Expression inner = parse();
      tokens.expect(")");
      return inner;
    }
    if (token.is("{")) {
      return new Expression.SetOf(token, list("}"));
    }
    throw token.error("found " + token.shown() + "; expected a value");
  }

  private Expression call(Token name) {
    tokens.expect("(");
    List<Expression> arguments = list(")");
    Integer expected = Operators.FUNCTIONS.get(name.text());
    if (expected == null) {
      throw name.error(
          "there is no function '%s' in an expression; expected one of %s"
              .formatted(name.text(), String.join(", ", Operators.FUNCTIONS.keySet())));
    }
    if (expected != arguments.size()) {
      throw name.error(
          "%s has %d arguments; expected %d".formatted(name.text(), arguments.size(), expected));
    }
    return new Expression.Call(name, arguments);
  }

  /** Expressions between commas, up to a sign. */
  List<Expression> list(String end) {
    List<Expression> all = new ArrayList<>();
    if (tokens.accept(end)) {
      return all;
    }
    do {
      all.add(parse());
    } while (tokens.accept(","));
    tokens.expect(end);
    return all;
  }
}
