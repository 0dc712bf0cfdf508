package io.isotail.ingest.sql;

import io.isotail.ingest.sql.HiddenColumns.Reference;
import io.isotail.ingest.sql.QueryTokens.Aggregation;
import io.isotail.ingest.sql.QueryTokens.Place;
import io.isotail.ingest.sql.Rewriting.Addition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.sf.jsqlparser.expression.Alias;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.operators.relational.ExistsExpression;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.SelectItem;
import org.jspecify.annotations.Nullable;

/**
 * A query that only asks whether a table has a row. It tells the row that the server finds first,
 * as it does without being asked. The condition stays where it is, and is evaluated once.
 *
 * <p>{@code SELECT EXISTS (SELECT 1 FROM t WHERE id = ?) AS found} has a row whether there is one
 * or not. OFFSET keeps the server from putting the array in both places where it is used:
 *
 * <pre>
 * SELECT EXISTS (SELECT FROM unnest(h0.found)) AS found, nullif(h0.found, '{}') AS h1
 * FROM (SELECT ARRAY(SELECT ARRAY[hq.h2::text, hq.h3::text]
 *   FROM (SELECT 1, t.id AS h2, t.xmin AS h3 FROM t WHERE id = ? LIMIT 1) hq) AS found OFFSET 0) h0
 * </pre>
 *
 * <p>{@code SELECT 1 WHERE EXISTS (SELECT 1 FROM t WHERE id = ?)} has a row only if there is one:
 *
 * <pre>
 * SELECT 1, h0.h2, h0.h3 FROM (SELECT WHERE EXISTS (SELECT)) h1 CROSS JOIN (SELECT hq.h2, hq.h3
 *   FROM (SELECT 1, t.id AS h2, t.xmin AS h3 FROM t WHERE id = ? LIMIT 1) hq) h0
 * </pre>
 */
final class AskedExistence {
  /** How the server calls the column that has no name. */
  private static final String UNNAMED = "exists";

  private final PlainSelect query;
  private final QueryTokens tokens;
  private final Function<@Nullable Table, @Nullable Reference> references;

  /**
   * A query.
   *
   * @param tokens of the statement that it is
   * @param references finds the table of a name if its rows tell who wrote them
   */
  AskedExistence(
      PlainSelect query,
      QueryTokens tokens,
      Function<@Nullable Table, @Nullable Reference> references) {
    this.query = query;
    this.tokens = tokens;
    this.references = references;
  }

  /** What can be added; null if nothing can, or the query asks for something else. */
  @Nullable Addition addition() {
    boolean filters = query.getWhere() != null;
    PlainSelect rows = asked();
    if (rows == null || !(rows.getFromItem() instanceof Table from)) {
      return null;
    }
    Place outer = tokens.of(query);
    Place inner = tokens.of(rows);
    if (outer == null || inner == null || (filters && !isOneRow(outer))) {
      return null;
    }
    Reference reference = references.apply(from);
    // The server does not evaluate the list of what may exist: a call would be one more.
    boolean byRow =
        tokens.aggregation(inner) == Aggregation.NONE
            && !tokens.mayCall(inner)
            && from.getSampleClause() == null;
    if (reference == null || !reference.table().namesWriters() || !byRow) {
      return null;
    }
    Told told = HiddenColumns.of(reference);
    Told shown = filters ? told : told.asArray();
    return new Addition(
        new Analysis.Query(List.of(shown.source()), predicate(reference, from, rows), false),
        Rewriting.Place.SELECT_LISTS,
        filters ? joined(told, outer, inner) : insertions(told, outer, inner),
        shown.columns().size(),
        List.of(),
        List.of(),
        null,
        null);
  }

  /** Whether the select list of a query without tables makes one row of its own values. */
  private boolean isOneRow(Place outer) {
    return tokens.aggregation(outer) == Aggregation.NONE
        && !tokens.mayCall(outer)
        && query.getSelectItems().stream()
            .noneMatch(item -> item.getExpression() instanceof AllColumns);
  }

  private static @Nullable KeyPredicate predicate(
      Reference reference, Table from, PlainSelect rows) {
    KeyPredicate predicate = new Expressions(reference.table(), from).keyPredicate(rows.getWhere());
    return predicate != null && predicate.exact() ? predicate : null;
  }

  private List<Insertion> insertions(Told told, Place outer, Place inner) {
    String whole = HiddenColumns.name(0);
    String row = HiddenColumns.name(0) + "q";
    Alias alias = column().getAlias();
    String label = alias == null ? UNNAMED : alias.getName().strip();
    String array = whole + "." + label;
    String ofRow = String.join(", ", told.by(named(told, row)).asTexts().columns());
    return List.of(
        new Insertion(
            inner.select(),
            "SELECT FROM pg_catalog.unnest(%s)) AS %s, NULLIF(%s, '{}') AS %s"
                    .formatted(array, label, array, HiddenColumns.name(1))
                + " FROM (SELECT ARRAY(SELECT ARRAY[%s] FROM (".formatted(ofRow)),
        new Insertion(inner.listEnd(), ofTable(told)),
        new Insertion(inner.end(), " LIMIT 1) " + row),
        new Insertion(
            outer.end(), (alias == null ? " AS " + UNNAMED : "") + " OFFSET 0) " + whole));
  }

  /**
   * As many rows as there are, which is one at most, beside the row of the select list. That sees
   * no other column than before.
   */
  private static List<Insertion> joined(Told told, Place outer, Place inner) {
    String whole = HiddenColumns.name(0);
    String row = whole + "q";
    String ofRow = String.join(", ", named(told, row));
    String shown = String.join(", ", named(told, whole));
    return List.of(
        new Insertion(outer.listEnd(), ", " + shown + " FROM (SELECT "),
        new Insertion(
            inner.select(),
            "SELECT)) %s CROSS JOIN (SELECT %s FROM (".formatted(HiddenColumns.name(1), ofRow)),
        new Insertion(inner.listEnd(), ofTable(told)),
        new Insertion(inner.end(), " LIMIT 1) " + row),
        new Insertion(outer.end(), " " + whole));
  }

  /** The added columns as the query calls them that reads those of this name. */
  private static List<String> named(Told told, String of) {
    return IntStream.range(0, told.columns().size())
        .mapToObj(i -> of + "." + HiddenColumns.name(i + 2))
        .toList();
  }

  /** What the list of the table's own query gets at its end. */
  private static String ofTable(Told told) {
    List<String> columns = told.columns();
    return IntStream.range(0, columns.size())
        .mapToObj(i -> ", " + columns.get(i) + " AS " + HiddenColumns.name(i + 2))
        .collect(Collectors.joining("", "", " "));
  }

  private SelectItem<?> column() {
    return query.getSelectItems().get(0);
  }

  /** The rows that the only column asks for, or the only condition; null if there is more. */
  private @Nullable PlainSelect asked() {
    if (!isBare(query) || query.getFromItem() != null) {
      return null;
    }
    Expression where = query.getWhere();
    boolean oneColumn = query.getSelectItems().size() == 1;
    Expression asks = where != null || !oneColumn ? where : column().getExpression();
    return asks instanceof ExistsExpression exists
            && !exists.isNot()
            && exists.getRightExpression() instanceof ParenthesedSelect parenthesed
            && parenthesed.getAlias() == null
            && parenthesed.getSelect() instanceof PlainSelect rows
            && isBare(rows)
        ? rows
        : null;
  }

  /** Whether a query has a select list, a FROM list of one and a condition at most. */
  private static boolean isBare(PlainSelect select) {
    List<@Nullable Object> others = new ArrayList<>();
    others.add(select.getDistinct());
    others.add(select.getIntoTables());
    others.add(select.getJoins());
    others.add(select.getLateralViews());
    others.add(select.getPreWhere());
    others.add(select.getGroupBy());
    others.add(select.getHaving());
    others.add(select.getQualify());
    others.add(select.getWindowDefinitions());
    others.add(select.getOrderByElements());
    others.add(select.getLimit());
    others.add(select.getOffset());
    others.add(select.getFetch());
    others.add(select.getForMode());
    others.add(select.getWithItemsList());
    return others.stream().allMatch(other -> other == null)
        && !ParsedStatements.isEmpty(select.getSelectItems());
  }
}
