package io.isotail.ingest.sql;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sf.jsqlparser.statement.select.PlainSelect;
import org.jspecify.annotations.Nullable;

/**
 * Where the queries that the parser has found stand among the tokens of their statement.
 *
 * <p>The parser tells where a node begins in the normalized text. That text, cut into tokens once
 * more, gives the tokens of the statement, so that a place found here holds for each statement of
 * the same normalized text.
 */
final class QueryTokens {
  private static final Set<String> AFTER_LIST =
      Set.of(
          "from", "where", "group", "having", "window", "order", "limit", "offset", "fetch", "for",
          "into");
  private static final Set<String> SET_OPERATORS = Set.of("union", "intersect", "except");

  /** Clauses that may hold aggregates, beside the select list. */
  private static final Set<String> MAY_AGGREGATE = Set.of("having", "window", "order");

  private static final Set<String> GROUPING_SETS = Set.of("rollup", "cube", "grouping");

  /** Whether a query makes one row of many. */
  enum Aggregation {
    /** It does not. */
    NONE,
    /** It does. */
    CERTAIN,
    /** Only the database knows. */
    UNCLEAR
  }

  /**
   * Where a query stands.
   *
   * @param select its first token
   * @param listEnd the token after its select list; the number of tokens if there is none
   * @param end the token after it
   */
  record Place(int select, int listEnd, int end) {}

  private final LexedSql sql;
  private final Functions functions;
  private final Map<Integer, Integer> byStart = new HashMap<>();

  private QueryTokens(LexedSql normalized, Functions functions) {
    this.sql = normalized;
    this.functions = functions;
    for (int i = 0; i < normalized.tokens().size(); i++) {
      byStart.put(normalized.tokens().get(i).start(), i);
    }
  }

  /** The tokens of a statement; null if its normalized text has others. */
  static @Nullable QueryTokens of(LexedSql sql, Functions functions) {
    LexedSql normalized =
        SqlLexer.lex(sql.normalized(), Placeholders.QUESTION_MARKS, functions.dialect());
    List<Token> tokens = normalized.tokens();
    boolean same = tokens.size() == sql.tokens().size();
    for (int i = 0; same && i < tokens.size(); i++) {
      same =
          tokens.get(i).kind() == sql.tokens().get(i).kind()
              && tokens.get(i).text().equals(sql.tokens().get(i).text());
    }
    return same ? new QueryTokens(normalized, functions) : null;
  }

  /** Number of tokens. */
  int count() {
    return sql.tokens().size();
  }

  /** The place of a query; null if it is not found, or if it has no select list. */
  @Nullable Place of(PlainSelect select) {
    if (select.getASTNode() == null) {
      return null;
    }
    // The parser counts characters from 1.
    Integer start = byStart.get(select.getASTNode().jjtGetFirstToken().absoluteBegin - 1);
    if (start == null || !sql.wordAt(start, "select")) {
      return null;
    }
    int depth = 0;
    int listEnd = -1;
    int i = start + 1;
    for (; i < count(); i++) {
      Token token = sql.tokens().get(i);
      if (token.isSymbol(")") && depth == 0) {
        break;
      }
      depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
      if (depth == 0 && isKeyword(i, SET_OPERATORS)) {
        break;
      }
      if (depth == 0 && listEnd < 0 && isKeyword(i, AFTER_LIST)) {
        listEnd = i;
      }
    }
    listEnd = listEnd < 0 ? i : listEnd;
    boolean empty =
        listEnd == start + 1
            || (listEnd == start + 2
                && (sql.wordAt(start + 1, "all") || sql.wordAt(start + 1, "distinct")));
    return empty ? null : new Place(start, listEnd, i);
  }

  /** Whether a token begins a clause that comes after a select list. */
  boolean isClause(int i) {
    return isKeyword(i, AFTER_LIST);
  }

  /** Whether a token begins a clause: it is no name, and not part of an expression. */
  private boolean isKeyword(int i, Set<String> words) {
    Token token = sql.tokens().get(i);
    return token.kind() == Token.Kind.WORD
        && words.contains(token.text())
        && !sql.symbolAt(i - 1, ".")
        && !sql.wordAt(i - 1, "as")
        && !(token.isWord("from") && sql.wordAt(i - 1, "distinct"))
        && !(token.isWord("group") && sql.wordAt(i - 1, "within"));
  }

  /**
   * Whether the query itself aggregates.
   *
   * <p>Aggregates stand in its select list, or in a clause that is evaluated after its rows were
   * grouped. In a subquery there, an aggregate may be of the outer rows.
   */
  Aggregation aggregation(Place place) {
    Aggregation found = Aggregation.NONE;
    int depth = 0;
    int subquery = Integer.MAX_VALUE;
    boolean counts = true;
    for (int i = place.select() + 1; i < place.end(); i++) {
      Token token = sql.tokens().get(i);
      if (i == place.listEnd()) {
        counts = false;
      }
      if (depth == 0 && isKeyword(i, MAY_AGGREGATE)) {
        counts = true;
      }
      if (token.isSymbol("(")) {
        if (counts && functions.mayAggregate(sql, i) && !isWindow(i)) {
          boolean own = depth < subquery && functions.aggregates(sql, i);
          found = own || found == Aggregation.CERTAIN ? Aggregation.CERTAIN : Aggregation.UNCLEAR;
        }
        depth++;
        if (depth < subquery && beginsQuery(i + 1)) {
          subquery = depth;
        }
      } else if (token.isSymbol(")")) {
        subquery = depth == subquery ? Integer.MAX_VALUE : subquery;
        depth--;
      }
    }
    return found;
  }

  /** Whether a query's select list may call a function. */
  boolean mayCall(Place place) {
    return sql.tokens().subList(place.select(), place.listEnd()).stream()
        .anyMatch(token -> token.isSymbol("("));
  }

  /** Whether the query groups its rows in several ways at once. */
  boolean hasGroupingSets(Place place) {
    int depth = 0;
    for (int i = place.listEnd(); i < place.end(); i++) {
      if (depth == 0 && isKeyword(i, GROUPING_SETS)) {
        return true;
      }
      depth += sql.symbolAt(i, "(") ? 1 : sql.symbolAt(i, ")") ? -1 : 0;
    }
    return false;
  }

  private boolean beginsQuery(int inParenthesis) {
    int i = inParenthesis;
    while (sql.symbolAt(i, "(")) {
      i++;
    }
    return sql.wordAt(i, "select")
        || sql.wordAt(i, "with")
        || sql.wordAt(i, "values")
        || sql.wordAt(i, "table");
  }

  /** Whether the call whose arguments begin here is over a window. */
  private boolean isWindow(int parenthesis) {
    int after = sql.closing(parenthesis) + 1;
    if (sql.wordAt(after, "filter")) {
      after = sql.closing(after + 1) + 1;
    }
    return sql.wordAt(after, "over");
  }

  /** How often a name occurs by itself: neither qualified nor as the qualifier of another name. */
  int alone(String name) {
    int times = 0;
    for (int i = 0; i < count(); i++) {
      boolean named = sql.tokens().get(i).isName() && sql.tokens().get(i).text().equals(name);
      times += named && !sql.symbolAt(i - 1, ".") && !sql.symbolAt(i + 1, ".") ? 1 : 0;
    }
    return times;
  }

  /** How often {@code name.*} occurs. */
  int stars(String name) {
    int times = 0;
    for (int i = 0; i < count(); i++) {
      boolean named = sql.tokens().get(i).isName() && sql.tokens().get(i).text().equals(name);
      times += named && sql.symbolAt(i + 1, ".") && sql.symbolAt(i + 2, "*") ? 1 : 0;
    }
    return times;
  }
}
