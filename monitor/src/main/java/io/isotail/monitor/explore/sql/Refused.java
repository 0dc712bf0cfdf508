package io.isotail.monitor.explore.sql;

import io.isotail.incremental.explore.language.SourceError;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What SQL has and an exploration does not, by the word with which it begins: what is found, and
 * what is supported in its place. A word that is not here is refused all the same, with what was
 * expected.
 */
final class Refused {
  private static final String ONE_TABLE =
      "a join; expected one table: select from one after the other, into locals";
  private static final String ORDER =
      "an order or a choice of rows; expected WHERE with the whole primary key, or count, sum, min"
          + " or max";
  private static final String LOCKS =
      "a lock; expected no FOR UPDATE or FOR SHARE: exploring asks what the isolation level allows"
          + " without one";
  private static final String GROUPS = "groups; expected one count, sum, min or max of all rows";
  private static final String SETS = "a union of selects; expected one SELECT after the other";
  private static final String RULE =
      "a constraint that an exploration does not watch; expected columns, NOT NULL and PRIMARY KEY";

  /** From the word, in lower case, to what is said of it. */
  static final Map<String, String> WORDS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("join", ONE_TABLE),
              Map.entry("inner", ONE_TABLE),
              Map.entry("left", ONE_TABLE),
              Map.entry("right", ONE_TABLE),
              Map.entry("full", ONE_TABLE),
              Map.entry("cross", ONE_TABLE),
              Map.entry("natural", ONE_TABLE),
              Map.entry("order", ORDER),
              Map.entry("limit", ORDER),
              Map.entry("offset", ORDER),
              Map.entry("fetch", ORDER),
              Map.entry("distinct", ORDER),
              Map.entry("for", LOCKS),
              Map.entry("lock", LOCKS),
              Map.entry("group", GROUPS),
              Map.entry("having", GROUPS),
              Map.entry("union", SETS),
              Map.entry("intersect", SETS),
              Map.entry("except", SETS),
              Map.entry("unique", RULE),
              Map.entry("check", RULE),
              Map.entry("foreign", RULE),
              Map.entry("references", RULE),
              Map.entry("constraint", RULE),
              Map.entry("default", "a default; expected a value for each column in INSERT"),
              Map.entry("null", "NULL; expected a value: columns of a program are never NULL"),
              Map.entry("select", "a subquery; expected a SELECT … INTO :local before it"),
              Map.entry("with", "a common table expression; expected one SELECT after the other"),
              Map.entry("exists", "EXISTS; expected SELECT count(*) INTO :n, and then :n > 0"),
              Map.entry("case", "CASE; expected IF … THEN … ELSE … END IF"),
              Map.entry("like", "LIKE; expected a comparison, BETWEEN or IN"),
              Map.entry("ilike", "ILIKE; expected a comparison, BETWEEN or IN"),
              Map.entry("any", "ANY; expected a comparison, BETWEEN or IN"),
              Map.entry("returning", "RETURNING; expected SELECT … INTO :local before it"),
              Map.entry(
                  "on",
                  "ON CONFLICT or a join; expected INSERT as such: a key that is there aborts"),
              Map.entry("while", "a loop; expected statements without loops"),
              Map.entry("loop", "a loop; expected statements without loops"),
              Map.entry("savepoint", "a savepoint; expected ROLLBACK of the whole transaction")));

  /** Words of the statements that are supported; none names a table or a column without quotes. */
  private static final Set<String> KEYWORDS =
      Set.of(
          "select",
          "insert",
          "update",
          "delete",
          "from",
          "where",
          "into",
          "values",
          "set",
          "and",
          "or",
          "not",
          "if",
          "then",
          "else",
          "elsif",
          "end",
          "begin",
          "commit",
          "rollback",
          "assert",
          "between",
          "in",
          "is",
          "true",
          "false",
          "as",
          "create",
          "table",
          "primary");

  private Refused() {}

  /** Whether a word without quotes can be no name. */
  static boolean isKeyword(String word) {
    return KEYWORDS.contains(word) || WORDS.containsKey(word);
  }

  /**
   * An error at a word that is not expected there.
   *
   * @param expected what is
   */
  static SourceError of(SqlToken found, String expected) {
    String known = found.kind() == SqlToken.Kind.WORD ? WORDS.get(found.text()) : null;
    if (known != null) {
      return found.error("found " + known);
    }
    if (found.is("?") || found.is("$")) {
      return found.error("found " + found.shown() + "; expected a parameter with a name, as :item");
    }
    if (found.is("::")) {
      return found.error("found a cast; expected a value of the column's type");
    }
    return found.error("found " + found.shown() + "; expected " + expected);
  }
}
