package io.isotail.ingest.sql;

import io.isotail.ingest.sql.HiddenColumns.Reference;
import io.isotail.ingest.sql.QueryTokens.Aggregation;
import io.isotail.ingest.sql.QueryTokens.Place;
import io.isotail.ingest.sql.Rewriting.Addition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import net.sf.jsqlparser.expression.Alias;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.FromItem;
import net.sf.jsqlparser.statement.select.Join;
import net.sf.jsqlparser.statement.select.Limit;
import net.sf.jsqlparser.statement.select.ParenthesedFromItem;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import org.jspecify.annotations.Nullable;

/**
 * Which hidden columns the queries of one statement can carry without another answer.
 *
 * <p>A query tells the rows of the tables in its FROM list, and passes on what subqueries there
 * tell. A query that makes one row of many tells them all in an array, where the conditions bound
 * their number. What cannot be told is left out: then the rows of that table are unread, and those
 * of the others are told.
 */
final class QueryAdditions {
  private final ParsedStatements statements;
  private final Function<@Nullable Table, @Nullable Reference> references;
  private final QueryTokens tokens;
  private final boolean valuesMakeRows;
  private int names;

  /**
   * Additions to the queries of a statement.
   *
   * @param references finds the table of a name if its rows tell who wrote them
   * @param valuesMakeRows whether a value of the statement may be a set of values
   */
  QueryAdditions(
      ParsedStatements statements,
      Function<@Nullable Table, @Nullable Reference> references,
      QueryTokens tokens,
      boolean valuesMakeRows) {
    this.statements = statements;
    this.references = references;
    this.tokens = tokens;
    this.valuesMakeRows = valuesMakeRows;
  }

  /**
   * What a query is made of, before its own columns have names.
   *
   * @param exposed what it tells already: a star at its end stands for hidden columns too
   * @param told what it can tell in columns of its own
   * @param insertions what is put into its subqueries
   * @param arrays how many rows the arrays tell at most
   * @param bound how many rows it has at most; null if that is not known
   */
  private record Draft(
      Place place,
      List<Told> exposed,
      List<Told> told,
      List<Insertion> insertions,
      List<RowBound> arrays,
      @Nullable RowBound bound) {}

  /**
   * What can be added to a query.
   *
   * @param tablesRead how often the statement reads an observed table
   * @return null if nothing can
   */
  @Nullable Addition of(Select query, int tablesRead) {
    QueryPlan plan = plan(query);
    if (plan == null || plan.told().isEmpty()) {
      return null;
    }
    List<Analysis.Source> sources = plan.told().stream().map(Told::source).toList();
    return new Addition(
        new Analysis.Query(sources, absence(query), tablesRead > sources.size()),
        Rewriting.Place.SELECT_LISTS,
        plan.insertions(),
        sources.stream().mapToInt(Analysis.Source::columns).sum(),
        plan.arrays(),
        null);
  }

  /** The keys that a query looks for, where no row of its table means that there are none. */
  private @Nullable KeyPredicate absence(Select query) {
    if (!(query instanceof PlainSelect select)
        || select.getJoins() != null
        || !(select.getFromItem() instanceof Table from)) {
      return null;
    }
    KeyPredicate predicate = null;
    Reference reference = references.apply(from);
    if (aggregates(select)) {
      // The one row is made of all that the condition finds.
      boolean whole =
          select.getGroupBy() == null
              && select.getPreWhere() == null
              && from.getSampleClause() == null;
      predicate =
          whole && reference != null
              ? new Expressions(reference.table(), from).keyPredicate(select.getWhere())
              : null;
    } else if (statements.analyze(select) instanceof Analysis.Select one) {
      predicate = one.predicate();
    }
    return predicate != null && predicate.exact() ? predicate : null;
  }

  private @Nullable QueryPlan plan(Select query) {
    if (!ParsedStatements.isEmpty(query.getWithItemsList())) {
      return null;
    }
    if (query instanceof ParenthesedSelect parenthesed) {
      return parenthesed.getPivot() == null && parenthesed.getUnPivot() == null
          ? plan(parenthesed.getSelect())
          : null;
    }
    Draft draft = query instanceof PlainSelect select ? draft(select) : null;
    if (draft == null) {
      return null;
    }
    List<Told> told = new ArrayList<>(draft.exposed());
    StringBuilder columns = new StringBuilder();
    for (Told one : draft.told()) {
      List<String> hidden = new ArrayList<>();
      for (String column : one.columns()) {
        hidden.add(HiddenColumns.name(++names));
        columns.append(", ").append(column).append(" AS ").append(HiddenColumns.name(names));
      }
      told.add(one.by(hidden));
    }
    List<Insertion> insertions = new ArrayList<>(draft.insertions());
    if (columns.length() > 0) {
      insertions.add(new Insertion(draft.place().listEnd(), columns.append(' ').toString()));
    }
    return new QueryPlan(
        told, insertions, draft.arrays(), visible((PlainSelect) query), draft.bound());
  }

  private static int visible(PlainSelect select) {
    boolean anyStar =
        select.getSelectItems().stream()
            .anyMatch(item -> item.getExpression() instanceof AllColumns);
    return anyStar ? -1 : select.getSelectItems().size();
  }

  private boolean aggregates(PlainSelect select) {
    Place place = tokens.of(select);
    return select.getGroupBy() != null
        || select.getHaving() != null
        || (place != null && tokens.aggregation(place) == Aggregation.CERTAIN);
  }

  private @Nullable Draft draft(PlainSelect select) {
    Place place = tokens.of(select);
    if (place == null
        || select.getIntoTables() != null
        || select.getLateralViews() != null
        || select.getQualify() != null
        || tokens.hasGroupingSets(place)) {
      return null;
    }
    boolean aggregates = aggregates(select);
    if (!aggregates && tokens.aggregation(place) == Aggregation.UNCLEAR) {
      return null;
    }
    boolean distinct =
        select.getDistinct() != null
            && ParsedStatements.isEmpty(select.getDistinct().getOnSelectItems());
    if (distinct) {
      return null;
    }
    Stars stars = new Stars(select, tokens, parts(select), aggregates);
    return aggregates ? ofGroups(select, place, stars.parts()) : ofRows(select, place, stars);
  }

  /** A query each row of which is made of one row of each table. */
  private Draft ofRows(PlainSelect select, Place place, Stars stars) {
    Set<String> locked = locked(select);
    List<Told> exposed = new ArrayList<>();
    List<Told> told = new ArrayList<>();
    List<Insertion> insertions = new ArrayList<>();
    List<RowBound> arrays = new ArrayList<>();
    for (FromPart part : stars.parts()) {
      QueryPlan plan = part.plan();
      boolean exposes = part.equals(stars.exposed());
      boolean locks = locked == null || locked.contains(part.name());
      for (Told one : plan != null && exposes ? plan.told() : part.told()) {
        (exposes ? exposed : told).add(locks ? one.locked() : one);
      }
      if (plan != null) {
        insertions.addAll(plan.insertions());
        arrays.addAll(plan.arrays());
      }
    }
    return new Draft(place, exposed, told, insertions, arrays, bound(select, stars.parts()));
  }

  /** A query each row of which is made of a group of rows. */
  private Draft ofGroups(PlainSelect select, Place place, List<FromPart> parts) {
    RowBound bound = KeyBounds.of(select, parts);
    List<Told> told = new ArrayList<>();
    List<Insertion> insertions = new ArrayList<>();
    List<RowBound> arrays = new ArrayList<>();
    for (FromPart part : parts) {
      // Arrays of different lengths do not make an array.
      boolean groups = bound != null && !part.tellsArrays();
      if (groups) {
        part.told().forEach(one -> told.add(one.asArray()));
      }
      if (groups && part.plan() != null) {
        insertions.addAll(part.plan().insertions());
      }
    }
    if (bound != null && !told.isEmpty()) {
      arrays.add(bound);
    }
    boolean oneGroup = select.getGroupBy() == null;
    return new Draft(place, List.of(), told, insertions, arrays, oneGroup ? RowBound.ONE : bound);
  }

  /** How many rows a query has at most that makes none of its own; null if that is not known. */
  private @Nullable RowBound bound(PlainSelect select, List<FromPart> parts) {
    Limit limit = select.getLimit();
    if (limit != null && limit.getRowCount() != null && limit.getByExpressions() == null) {
      Operand rows = Expressions.valueOf(limit.getRowCount());
      return rows instanceof Operand.OfSlot ? RowBound.of(rows) : null;
    }
    return valuesMakeRows ? null : KeyBounds.of(select, parts);
  }

  /** The names of the tables whose rows a query locks; null if it locks all. */
  private static @Nullable Set<String> locked(PlainSelect select) {
    if (select.getForMode() == null) {
      return new HashSet<>();
    }
    if (ParsedStatements.isEmpty(select.getForUpdateTables())) {
      return null;
    }
    Set<String> names = new HashSet<>();
    select.getForUpdateTables().forEach(table -> names.add(Expressions.name(table.getName())));
    return names;
  }

  private List<FromPart> parts(PlainSelect select) {
    List<FromPart> parts = new ArrayList<>();
    add(select.getFromItem(), null, parts);
    if (select.getJoins() != null) {
      select.getJoins().forEach(join -> add(join.getFromItem(), join, parts));
    }
    return parts;
  }

  private void add(@Nullable FromItem item, @Nullable Join join, List<FromPart> parts) {
    if (item instanceof ParenthesedFromItem joined && joined.getAlias() == null) {
      add(joined.getFromItem(), join, parts);
      if (joined.getJoins() != null) {
        joined.getJoins().forEach(inner -> add(inner.getFromItem(), inner, parts));
      }
    } else if (item instanceof Table table) {
      parts.add(FromPart.of(item, join, references.apply(table), null));
    } else if (item instanceof ParenthesedSelect subquery) {
      parts.add(FromPart.of(item, join, null, inFrom(subquery)));
    } else if (item != null) {
      parts.add(FromPart.of(item, join, null, null));
    }
  }

  /** A subquery with hidden columns; null if it tells nothing, or names its columns otherwise. */
  private @Nullable QueryPlan inFrom(ParenthesedSelect subquery) {
    QueryPlan plan = plan(subquery);
    if (plan == null || plan.told().isEmpty()) {
      return null;
    }
    Alias alias = subquery.getAlias();
    return alias == null || namesVisible(alias.getAliasColumns(), plan) ? plan : null;
  }

  /** Whether a list of names, of which the first are those of the first columns, ends in time. */
  private static boolean namesVisible(@Nullable List<?> names, QueryPlan plan) {
    return names == null || names.size() <= plan.visible();
  }
}
