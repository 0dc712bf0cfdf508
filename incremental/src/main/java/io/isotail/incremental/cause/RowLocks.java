package io.isotail.incremental.cause;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the rows that queries look at are locked.
 *
 * <p>PostgreSQL refuses FOR UPDATE where a row of the result is made of several rows, and for a
 * table that an outer join may leave without a row. MySQL locks those too. By the text alone, so a
 * clause is told only where the text is plain: a query of its own always works.
 */
final class RowLocks {
  private static final Pattern MAKES_ONE_OF_MANY =
      Pattern.compile(
          "(?is)\\s*(WITH|VALUES|TABLE)\\b.*|.*(\\bGROUP\\s+BY\\b|\\bHAVING\\b|\\bDISTINCT\\b|\\bUNION\\b|\\bINTERSECT\\b"
              + "|\\bEXCEPT\\b|\\bOVER\\b|\\b(count|sum|min|max|avg|every|bool_and|bool_or"
              + "|bit_and|bit_or|stddev\\w*|var\\w*|corr|regr_\\w+|percentile_\\w+|mode"
              + "|any_value|\\w+agg|exists)\\s*\\().*");
  private static final Pattern OUTER =
      Pattern.compile("(?is).*\\b(LEFT|RIGHT|FULL)\\s+(OUTER\\s+)?JOIN\\b.*");
  private static final Pattern RIGHT_OR_FULL =
      Pattern.compile("(?is).*\\b(RIGHT|FULL)\\s+(OUTER\\s+)?JOIN\\b.*");
  private static final Pattern FIRST_TABLE =
      Pattern.compile("(?is)^[^(]*?\\bFROM\\s+([\\w.\"]+)(?:\\s+(?:AS\\s+)?([\\w\"]+))?.*");
  private static final Pattern NO_ALIAS =
      Pattern.compile("(?i)LEFT|INNER|CROSS|NATURAL|JOIN|WHERE|ORDER|LIMIT|ON|TABLESAMPLE");

  private final Map<String, List<String>> byClause = new LinkedHashMap<>();
  private final List<String> byAnother = new ArrayList<>();
  private final TreeSet<String> anothersTables = new TreeSet<>();

  private RowLocks() {}

  /** How to lock what these look at. */
  static String of(List<CausePart> queries) {
    RowLocks locks = new RowLocks();
    queries.forEach(locks::add);
    return locks.words();
  }

  private void add(CausePart query) {
    String clause = clause(query.fingerprint(), query.table());
    List<String> texts =
        clause == null ? byAnother : byClause.computeIfAbsent(clause, unused -> new ArrayList<>());
    String text = Advice.quoted(query.fingerprint());
    if (!texts.contains(text)) {
      texts.add(text);
    }
    if (clause == null && query.table() != null) {
      anothersTables.add(query.table());
    }
  }

  /** What can be added to a query so that it locks the rows of a table; null if nothing can. */
  static @Nullable String clause(String query, @Nullable String table) {
    if (MAKES_ONE_OF_MANY.matcher(query).matches()) {
      return null;
    }
    if (!OUTER.matcher(query).matches()) {
      return "FOR UPDATE";
    }
    Matcher first = FIRST_TABLE.matcher(query);
    if (RIGHT_OR_FULL.matcher(query).matches() || !first.matches()) {
      return null;
    }
    String name = Objects.requireNonNull(first.group(1));
    String alias = first.group(2);
    boolean itself = table == null || bare(name).equalsIgnoreCase(bare(table));
    boolean named = alias != null && !NO_ALIAS.matcher(alias).matches();
    return itself ? "FOR UPDATE OF " + (named ? alias : unqualified(name)) : null;
  }

  private static String unqualified(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static String bare(String name) {
    return unqualified(name).replace("\"", "");
  }

  private String words() {
    String clauses =
        byClause.entrySet().stream()
            .map(each -> each.getKey() + " to " + String.join(" and ", each.getValue()))
            .collect(Collectors.joining(", and "));
    String rows =
        anothersTables.isEmpty() ? "them" : "the rows of " + String.join(" and ", anothersTables);
    String another =
        byAnother.isEmpty()
            ? ""
            : "lock %s by a query of its own (SELECT … FOR UPDATE) before %s, which cannot lock those"
                .formatted(rows, String.join(" and ", byAnother));
    if (clauses.isEmpty()) {
      return another;
    }
    return "add " + clauses + (another.isEmpty() ? "" : ", and " + another);
  }
}
