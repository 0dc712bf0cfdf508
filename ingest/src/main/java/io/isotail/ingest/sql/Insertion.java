package io.isotail.ingest.sql;

import java.util.Comparator;
import java.util.List;

/**
 * Text that is put into a statement.
 *
 * @param token the token before which it stands, directly after the token before that
 * @param text the text
 */
public record Insertion(int token, String text) {

  /** Where insertions stand in the text that they are put into, and how long they are. */
  static List<int[]> places(List<Token> tokens, List<Insertion> insertions) {
    return insertions.stream()
        .sorted(Comparator.comparingInt(Insertion::token))
        .map(each -> new int[] {tokens.get(each.token() - 1).end(), each.text().length()})
        .toList();
  }

  /** A text with insertions, of which no two have the same place. */
  static String into(String text, List<Token> tokens, List<Insertion> insertions) {
    StringBuilder whole = new StringBuilder();
    int copied = 0;
    for (Insertion insertion :
        insertions.stream().sorted(Comparator.comparingInt(Insertion::token)).toList()) {
      int at = tokens.get(insertion.token() - 1).end();
      whole.append(text, copied, at).append(insertion.text());
      copied = at;
    }
    return whole.append(text, copied, text.length()).toString();
  }
}
