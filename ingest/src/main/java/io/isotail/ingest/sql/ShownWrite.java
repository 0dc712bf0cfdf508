package io.isotail.ingest.sql;

import io.isotail.ingest.sql.QueryTokens.Aggregation;
import io.isotail.ingest.sql.QueryTokens.Place;
import io.isotail.ingest.sql.Rewriting.Addition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import net.sf.jsqlparser.expression.Alias;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.delete.ParenthesedDelete;
import net.sf.jsqlparser.statement.insert.ParenthesedInsert;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.AllTableColumns;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.SelectItem;
import net.sf.jsqlparser.statement.select.WithItem;
import net.sf.jsqlparser.statement.update.ParenthesedUpdate;
import org.jspecify.annotations.Nullable;

/**
 * A query that shows each row of one common table expression that writes, as in {@code WITH taken
 * AS (UPDATE … RETURNING *) SELECT * FROM taken ORDER BY due}. What is added to the write's list
 * and to the query's makes the rows tell what was written.
 */
final class ShownWrite {
  private final PlainSelect query;
  private final LexedSql sql;
  private final QueryTokens tokens;

  /**
   * A query.
   *
   * @param sql the statement that it is
   * @param tokens the same
   */
  ShownWrite(PlainSelect query, LexedSql sql, QueryTokens tokens) {
    this.query = query;
    this.sql = sql;
    this.tokens = tokens;
  }

  /**
   * What can be added.
   *
   * @param onlyRead whether common table expressions write nothing, and hide no observed table
   * @param writes what can be added to a write
   * @return null if nothing can
   */
  @Nullable Addition addition(
      Predicate<List<WithItem<?>>> onlyRead, Function<Statement, @Nullable Addition> writes) {
    WithItem<?> shown = shown();
    Place place = tokens.of(query);
    if (shown == null || place == null) {
      return null;
    }
    List<WithItem<?>> others =
        query.getWithItemsList().stream().filter(item -> item != shown).toList();
    String name = name(shown.getAlias());
    int end = endOf(name, place);
    Statement statement = statement(shown);
    Addition write =
        end > 0
                && statement != null
                && onlyRead.test(others)
                && tokens.alone(name) == 2
                && tokens.aggregation(place) == Aggregation.NONE
                && showsEachRow(place)
            ? writes.apply(statement)
            : null;
    return write == null ? null : within(write, end, place);
  }

  private static @Nullable Statement statement(WithItem<?> item) {
    Object statement = item.getParenthesedStatement();
    if (statement instanceof ParenthesedUpdate update) {
      return update.getUpdate();
    }
    if (statement instanceof ParenthesedInsert insert) {
      return insert.getInsert();
    }
    return statement instanceof ParenthesedDelete delete ? delete.getDelete() : null;
  }

  /** The common table expression that the query names. */
  private @Nullable WithItem<?> shown() {
    if (!(query.getFromItem() instanceof Table from) || from.getSchemaName() != null) {
      return null;
    }
    for (WithItem<?> item : query.getWithItemsList()) {
      boolean plain = ParsedStatements.isEmpty(item.getWithItemList());
      if (plain && name(item.getAlias()).equals(Expressions.name(from.getName()))) {
        return item;
      }
    }
    return null;
  }

  /** The token that ends the common table expression; 0 if it is not found. */
  private int endOf(String name, Place place) {
    int at = sql.wordAt(1, "recursive") ? place.select() : 1;
    while (at < place.select()) {
      int open = at;
      while (open < place.select() && !sql.symbolAt(open, "(")) {
        open++;
      }
      int end = sql.closing(open);
      if (sql.tokens().get(at).isName() && sql.tokens().get(at).text().equals(name)) {
        return sql.wordAt(at + 1, "as") ? end : 0;
      }
      at = end + 2; // behind the comma
    }
    return 0;
  }

  /** Whether nothing but an order follows the name in FROM. */
  private boolean showsEachRow(Place place) {
    if (sql.wordAt(place.select() + 1, "distinct") || place.end() != tokens.count()) {
      return false;
    }
    Alias alias = query.getFromItem().getAlias();
    int at = place.listEnd() + 2;
    at += sql.wordAt(at, "as") ? 1 : 0;
    at += alias == null ? 0 : 1;
    boolean named = alias == null || tokens.alone(name(alias)) == 1;
    boolean ordered = sql.wordAt(at, "order");
    for (int i = place.select() + 1; i < tokens.count(); i++) {
      if (sql.wordAt(i, "select") || (i > at && tokens.isClause(i))) {
        return false;
      }
    }
    return named && !isNamedWhole() && !ordersByNumber() && (ordered || at == tokens.count());
  }

  private static String name(Alias alias) {
    return Expressions.name(alias.getName().strip());
  }

  /** Whether the query may mean a whole row, as {@code row_to_json(c.*)} does. */
  private boolean isNamedWhole() {
    long items =
        query.getSelectItems().stream()
            .filter(item -> item.getExpression() instanceof AllTableColumns)
            .count();
    return tokens.stars(called()) != items;
  }

  /** Whether a number in ORDER BY may stand for a column, also one that is added. */
  private boolean ordersByNumber() {
    return query.getOrderByElements() != null
        && query.getOrderByElements().stream()
            .anyMatch(element -> element.getExpression().toString().matches("[-+( ]*[?0-9].*"));
  }

  /** What the query calls the common table expression. */
  private String called() {
    Table from = (Table) query.getFromItem();
    return from.getAlias() == null ? Expressions.name(from.getName()) : name(from.getAlias());
  }

  private String qualifier() {
    return ObservedTable.quoted(called()) + ".";
  }

  private @Nullable Addition within(Addition write, int end, Place place) {
    List<SelectItem<?>> items = query.getSelectItems();
    long stars = items.stream().filter(i -> i.getExpression() instanceof AllColumns).count();
    boolean endsWithStar = items.get(items.size() - 1).getExpression() instanceof AllColumns;
    if (stars > 1
        || (stars == 1 && !endsWithStar)
        || write.place() != Rewriting.Place.RETURNING_LIST) {
      return null;
    }
    List<Insertion> insertions = new ArrayList<>();
    insertions.add(new Insertion(end, write.insertions().get(0).text()));
    if (stars == 0) {
      StringBuilder list = new StringBuilder();
      for (int i = 1; i <= write.count(); i++) {
        list.append(", ").append(qualifier()).append(HiddenColumns.name(i));
      }
      insertions.add(new Insertion(place.listEnd(), list.append(' ').toString()));
    }
    Addition fewer = write.keysOnly();
    Addition more = write.replaced();
    return new Addition(
        write.analysis(),
        Rewriting.Place.SHOWN_RETURNING_LIST,
        insertions,
        write.count(),
        write.bounds(),
        write.positions(),
        fewer == null ? null : within(fewer, end, place),
        more == null ? null : within(more, end, place));
  }
}
