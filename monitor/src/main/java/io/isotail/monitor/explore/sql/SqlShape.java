package io.isotail.monitor.explore.sql;

import io.isotail.incremental.explore.language.SourceError;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the text of a statement says of the rows that it touches, without a schema: whether it names
 * them by equality, or may touch others too.
 */
public final class SqlShape {
  private static final Set<String> STATEMENTS = Set.of("select", "insert", "update", "delete");

  /** Signs and words of conditions that more rows than one can fulfil. */
  private static final Set<String> RANGES =
      Set.of("<", ">", "<=", ">=", "<>", "!=", "or", "not", "between", "is");

  private SqlShape() {}

  /**
   * Why a statement may have looked at other rows, or done more, than reading and writing rows that
   * it names by equality; empty if it does no more, or was not recorded.
   *
   * @param statement without literals
   */
  public static Optional<String> beyondItsRows(String statement) {
    if (statement.isEmpty()) {
      return Optional.empty();
    }
    try {
      return beyond(new SqlTokens(statement).all());
    } catch (SourceError e) {
      return Optional.of(
          "it cannot be interpreted (%s); only its rows are there".formatted(e.reason()));
    }
  }

  /** Functions whose value depends on which rows fulfil the condition. */
  private static final Set<String> AGGREGATES = Set.of("count", "sum", "min", "max", "avg");

  private static Optional<String> beyond(List<SqlToken> tokens) {
    SqlToken first = tokens.get(0);
    if (tokens.size() == 2) {
      return Optional.of("only its first word was recorded; only its rows are there");
    }
    if (!STATEMENTS.contains(first.text())) {
      return Optional.of(
          "it cannot be interpreted (found %s; expected SELECT, INSERT, UPDATE or DELETE); only its rows are there"
              .formatted(first.shown()));
    }
    int where = tokens.size();
    for (int i = 1; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      if (token.kind() == SqlToken.Kind.WORD && Refused.WORDS.containsKey(token.text())) {
        return Optional.of("it has " + phrase(token.text()) + ", which is not in the program");
      }
      if (token.kind() == SqlToken.Kind.WORD
          && AGGREGATES.contains(token.text())
          && tokens.get(i + 1).is("(")) {
        return Optional.of(
            "it is about all rows of its condition; only those of the witness are in the program");
      }
      where = token.is("where") ? Math.min(where, i) : where;
    }
    if (where == tokens.size()) {
      return first.is("insert")
          ? Optional.empty()
          : Optional.of("it looks at all rows; only those of the witness are in the program");
    }
    boolean ranges =
        tokens.subList(where, tokens.size()).stream()
            .anyMatch(token -> RANGES.stream().anyMatch(token::is));
    return ranges
        ? Optional.of(
            "its condition may look at other rows; only those of the witness are in the program")
        : Optional.empty();
  }

  /** What a word begins, without what is supported instead. */
  private static String phrase(String word) {
    String whole = String.valueOf(Refused.WORDS.get(word));
    return whole.substring(0, whole.indexOf(';'));
  }
}
