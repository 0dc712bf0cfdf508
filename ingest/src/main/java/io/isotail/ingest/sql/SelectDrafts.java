package io.isotail.ingest.sql;

import io.isotail.ingest.sql.HiddenColumns.Reference;
import io.isotail.ingest.sql.QueryTokens.Aggregation;
import io.isotail.ingest.sql.QueryTokens.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import net.sf.jsqlparser.expression.Alias;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.select.FromItem;
import net.sf.jsqlparser.statement.select.GroupByElement;
import net.sf.jsqlparser.statement.select.Join;
import net.sf.jsqlparser.statement.select.Limit;
import net.sf.jsqlparser.statement.select.ParenthesedFromItem;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import org.jspecify.annotations.Nullable;

/**
 * What the queries of a statement can tell that have one SELECT: the rows of the tables in the FROM
 * list, and what subqueries there tell. A query that makes one row of many tells them all in an
 * array, where the conditions bound their number.
 */
final class SelectDrafts {
  private final Function<@Nullable Table, @Nullable Reference> references;
  private final Function<Select, @Nullable QueryPlan> planner;
  private final CommonTables common;
  private final ColumnCounts counts;
  private final QueryTokens tokens;
  private final boolean valuesMakeRows;

  /**
   * Drafts of a statement's queries.
   *
   * @param references finds the table of a name if its rows tell who wrote them
   * @param planner makes the plan of a subquery
   * @param counts counts the columns of queries
   * @param valuesMakeRows whether a value of the statement may be a set of values
   */
  SelectDrafts(
      Function<@Nullable Table, @Nullable Reference> references,
      Function<Select, @Nullable QueryPlan> planner,
      CommonTables common,
      ColumnCounts counts,
      QueryTokens tokens,
      boolean valuesMakeRows) {
    this.references = references;
    this.planner = planner;
    this.common = common;
    this.counts = counts;
    this.tokens = tokens;
    this.valuesMakeRows = valuesMakeRows;
  }

  /** What a query in a UNION ALL tells; null if it cannot have more columns. */
  @Nullable SelectDraft ofUnion(PlainSelect select) {
    Place place = tokens.of(select);
    SelectDraft draft = of(select, true);
    return draft == null && place != null && select.getIntoTables() == null
        ? SelectDraft.ofNothing(place).with(ColumnPositions.of(select, counts))
        : draft;
  }

  /** Whether a query makes one row of many. */
  boolean aggregates(PlainSelect select) {
    Place place = tokens.of(select);
    return select.getGroupBy() != null
        || select.getHaving() != null
        || (place != null && tokens.aggregation(place) == Aggregation.CERTAIN);
  }

  /**
   * What a query can tell.
   *
   * @param exact whether each of its columns counts, so that no star may stand for more
   * @return null if nothing can be added to it
   */
  @Nullable SelectDraft of(PlainSelect select, boolean exact) {
    SelectDraft draft = draft(select, exact);
    return draft == null ? null : draft.with(ColumnPositions.of(select, counts));
  }

  private @Nullable SelectDraft draft(PlainSelect select, boolean exact) {
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
      return aggregates ? null : ofDistinct(select, place, parts(select));
    }
    Stars stars = new Stars(select, tokens, parts(select), exact || aggregates);
    return aggregates ? ofGroups(select, place, stars.parts()) : ofRows(select, place, stars);
  }

  /** A query each row of which is made of one row of each table. */
  private SelectDraft ofRows(PlainSelect select, Place place, Stars stars) {
    Set<String> locked = locked(select);
    List<Told> exposed = new ArrayList<>();
    List<Told> told = new ArrayList<>();
    List<Insertion> insertions = new ArrayList<>();
    List<ColumnPosition> positions = new ArrayList<>();
    List<RowBound> arrays = new ArrayList<>();
    for (FromPart part : stars.parts()) {
      QueryPlan plan = part.plan();
      boolean exposes = part.equals(stars.exposed());
      boolean locks = !part.isCommon() && (locked == null || locked.contains(part.name()));
      for (Told one : plan != null && exposes ? plan.told() : part.told()) {
        (exposes ? exposed : told).add(locks ? one.locked() : one);
      }
      if (plan != null) {
        insertions.addAll(plan.insertions());
        positions.addAll(plan.positions());
        arrays.addAll(plan.arrays());
      }
    }
    RowBound bound = bound(select, stars.parts());
    return new SelectDraft(place, exposed, told, insertions, positions, arrays, bound);
  }

  /** A query without equal rows: what rows with a key depend on makes no more of them. */
  private static SelectDraft ofDistinct(PlainSelect select, Place place, List<FromPart> parts) {
    KeyColumns shown =
        new KeyColumns(
            parts,
            select.getSelectItems().stream().map(item -> item.getExpression()).toList(),
            true);
    // With more columns rows may come in another order: of some of them others may be left.
    boolean cut =
        ParsedStatements.isEmpty(select.getOrderByElements())
            && (select.getLimit() != null
                || select.getOffset() != null
                || select.getFetch() != null);
    List<Told> told = new ArrayList<>();
    for (FromPart part : parts) {
      if (!cut && shown.contain(part)) {
        part.told().forEach(one -> told.add(one.ofDistinct()));
      }
    }
    return new SelectDraft(place, List.of(), told, List.of(), List.of(), List.of(), null);
  }

  /** A query each row of which is made of a group of rows. */
  private SelectDraft ofGroups(PlainSelect select, Place place, List<FromPart> parts) {
    RowBound bound = KeyBounds.of(select, parts);
    KeyColumns grouped = new KeyColumns(parts, grouped(select), false);
    List<Told> told = new ArrayList<>();
    List<Insertion> insertions = new ArrayList<>();
    List<ColumnPosition> positions = new ArrayList<>();
    boolean arrays = false;
    for (FromPart part : parts) {
      if (grouped.contain(part)) {
        part.told().forEach(one -> told.add(one.ofGroup()));
      } else if (bound != null && !part.tellsArrays() && !part.tellsContents()) {
        // Arrays can have different lengths.
        part.told().forEach(one -> told.add(one.asArray()));
        arrays = true;
        if (part.plan() != null) {
          insertions.addAll(part.plan().insertions());
          positions.addAll(part.plan().positions());
        }
      }
    }
    RowBound rows = select.getGroupBy() == null ? RowBound.ONE : bound;
    return new SelectDraft(
        place,
        List.of(),
        told,
        insertions,
        positions,
        arrays && bound != null ? List.of(bound) : List.of(),
        valuesMakeRows ? null : rows);
  }

  private static List<? extends Expression> grouped(PlainSelect select) {
    GroupByElement groupBy = select.getGroupBy();
    ExpressionList<?> list = groupBy == null ? null : groupBy.getGroupByExpressionList();
    return list == null ? List.of() : List.copyOf(list);
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
    // Whether the server can plan a FULL JOIN may depend on what a subquery is made of.
    return parts.stream().anyMatch(part -> part.join() != null && part.join().isFull())
        ? parts.stream().map(part -> part.plan() == null ? part : part.untold()).toList()
        : parts;
  }

  private void add(@Nullable FromItem item, @Nullable Join join, List<FromPart> parts) {
    if (item instanceof ParenthesedFromItem joined && joined.getAlias() == null) {
      add(joined.getFromItem(), join, parts);
      if (joined.getJoins() != null) {
        joined.getJoins().forEach(inner -> add(inner.getFromItem(), inner, parts));
      }
    } else if (item instanceof Table table) {
      parts.add(
          common.isNamed(table)
              ? FromPart.of(item, join, null, named(common.plan(table, tokens, planner), item))
              : FromPart.of(item, join, references.apply(table), null));
    } else if (item instanceof ParenthesedSelect subquery) {
      parts.add(FromPart.of(item, join, null, named(planner.apply(subquery), item)));
    } else if (item != null) {
      parts.add(FromPart.of(item, join, null, null));
    }
  }

  /** A query under the name that a FROM list gives it; null if it tells nothing then. */
  private static @Nullable QueryPlan named(@Nullable QueryPlan plan, FromItem item) {
    if (plan == null || plan.told().isEmpty()) {
      return null;
    }
    Alias alias = item.getAlias();
    return alias == null || plan.canBeNamed(alias.getAliasColumns()) ? plan : null;
  }
}
