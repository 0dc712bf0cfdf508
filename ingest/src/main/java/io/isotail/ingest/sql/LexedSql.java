package io.isotail.ingest.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement text cut into tokens.
 *
 * @param tokens the tokens, without comments and without a closing semicolon
 * @param normalized the text with every literal and parameter replaced by {@code ?}, comments
 *     removed and white space collapsed
 * @param slots what each {@code ?} of the normalized text stands for, in order
 * @param understood whether the text could be cut to its end; otherwise tokens are missing
 * @param valueFree whether the normalized text certainly holds no value
 * @param problem why the normalized text must not be given to the parser, or null
 */
public record LexedSql(
    List<Token> tokens,
    String normalized,
    List<Slot> slots,
    boolean understood,
    boolean valueFree,
    @Nullable String problem) {

  /** Copies the lists. */
  public LexedSql {
    tokens = List.copyOf(tokens);
    slots = List.copyOf(slots);
  }

  /** The first word in lower case; empty when the text starts with something else. */
  public String firstWord() {
    for (Token token : tokens) {
      if (token.kind() == Token.Kind.WORD) {
        return token.text();
      }
      if (!token.isSymbol("(")) {
        break;
      }
    }
    return "";
  }

  /** Whether token {@code i} exists and is the word {@code word}. */
  public boolean wordAt(int i, String word) {
    return i >= 0 && i < tokens.size() && tokens.get(i).isWord(word);
  }

  /** Whether token {@code i} exists and is the symbol {@code symbol}. */
  public boolean symbolAt(int i, String symbol) {
    return i >= 0 && i < tokens.size() && tokens.get(i).isSymbol(symbol);
  }

  /** The token that closes the parenthesis at a token; the number of tokens if none does. */
  int closing(int parenthesis) {
    int depth = 0;
    for (int i = parenthesis; i < tokens.size(); i++) {
      depth += symbolAt(i, "(") ? 1 : symbolAt(i, ")") ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    return tokens.size();
  }

  /** Whether the text holds more than one statement. */
  public boolean severalStatements() {
    for (Token token : tokens) {
      if (token.isSymbol(";")) {
        return true;
      }
    }
    return false;
  }
}
