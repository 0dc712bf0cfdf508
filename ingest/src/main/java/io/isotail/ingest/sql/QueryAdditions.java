package io.isotail.ingest.sql;

import io.isotail.ingest.sql.HiddenColumns.Reference;
import io.isotail.ingest.sql.QueryTokens.Place;
import io.isotail.ingest.sql.Rewriting.Addition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.select.SetOperationList;
import net.sf.jsqlparser.statement.select.UnionOp;
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
  private static final int MOST_COLUMNS_OF_UNION = 64;

  private final ParsedStatements statements;
  private final Function<@Nullable Table, @Nullable Reference> references;
  private final ColumnCounts counts;
  private final SelectDrafts drafts;
  private int names;

  private QueryAdditions(
      ParsedStatements statements,
      Function<@Nullable Table, @Nullable Reference> references,
      CommonTables common,
      QueryTokens tokens,
      boolean valuesMakeRows) {
    this.statements = statements;
    this.references = references;
    this.counts = new ColumnCounts(statements, common);
    this.drafts = new SelectDrafts(references, this::plan, common, counts, tokens, valuesMakeRows);
  }

  /**
   * What can be added to a query.
   *
   * @param references finds the table of a name if its rows tell who wrote them
   * @param sql the statement that it is
   * @param tablesRead how often it reads an observed table
   * @return null if nothing can
   */
  static @Nullable Addition of(
      Select query,
      ParsedStatements statements,
      Function<@Nullable Table, @Nullable Reference> references,
      LexedSql sql,
      int tablesRead) {
    CommonTables common = CommonTables.of(query.getWithItemsList(), statements);
    QueryTokens tokens = QueryTokens.of(sql, statements.functions());
    if (common == null || tokens == null) {
      return null;
    }
    boolean valuesMakeRows = statements.functions().mayMakeRows(sql);
    Addition asked =
        query instanceof PlainSelect select && tablesRead == 1 && !valuesMakeRows
            ? new AskedExistence(select, tokens, references).addition()
            : null;
    return asked == null
        ? new QueryAdditions(statements, references, common, tokens, valuesMakeRows)
            .of(query, tablesRead)
        : asked;
  }

  private @Nullable Addition of(Select query, int tablesRead) {
    QueryPlan plan = planWithin(query);
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
        plan.positions(),
        null,
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
    if (drafts.aggregates(select)) {
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

  /** A subquery. One with common table expressions of its own tells nothing. */
  private @Nullable QueryPlan plan(Select query) {
    return ParsedStatements.isEmpty(query.getWithItemsList()) ? planWithin(query) : null;
  }

  private @Nullable QueryPlan planWithin(Select query) {
    if (query instanceof ParenthesedSelect parenthesed) {
      QueryPlan plan =
          parenthesed.getPivot() == null && parenthesed.getUnPivot() == null
              ? plan(parenthesed.getSelect())
              : null;
      return plan == null ? null : plan.with(ColumnPositions.of(parenthesed, counts));
    }
    if (query instanceof SetOperationList list) {
      return union(list);
    }
    if (!(query instanceof PlainSelect select)) {
      return null;
    }
    SelectDraft draft = drafts.of(select, false);
    if (draft == null) {
      return null;
    }
    List<Told> named = named(draft.told());
    List<Told> told = new ArrayList<>(draft.exposed());
    told.addAll(named);
    List<Insertion> insertions = new ArrayList<>(draft.insertions());
    if (!named.isEmpty()) {
      insertions.add(insertion(draft.place(), columns(draft.told()), columns(named)));
    }
    return new QueryPlan(
        told, insertions, draft.positions(), draft.arrays(), visible(select), draft.bound());
  }

  /** A UNION ALL: each query in it has columns for what it tells, and NULL for what others tell. */
  private @Nullable QueryPlan union(SetOperationList list) {
    List<SelectDraft> all = new ArrayList<>();
    for (Select one : list.getSelects()) {
      SelectDraft draft =
          one instanceof PlainSelect || one instanceof ParenthesedSelect ? ofUnion(one) : null;
      if (draft == null) {
        return null;
      }
      all.add(draft);
    }
    boolean keepsAll =
        list.getOperations().stream().allMatch(op -> op instanceof UnionOp union && union.isAll());
    List<Told> told = all.stream().flatMap(d -> d.told().stream()).map(Told::asTexts).toList();
    if (!keepsAll || columns(told).size() > MOST_COLUMNS_OF_UNION) {
      return null;
    }
    List<Told> named = named(told);
    List<Insertion> insertions = new ArrayList<>();
    List<ColumnPosition> positions = new ArrayList<>(ColumnPositions.of(list, counts));
    List<RowBound> arrays = new ArrayList<>();
    int first = 0;
    for (SelectDraft draft : all) {
      List<String> columns = new ArrayList<>();
      for (int i = 0; i < told.size(); i++) {
        boolean own = i >= first && i < first + draft.told().size();
        columns.addAll(own ? told.get(i).columns() : told.get(i).nulls());
      }
      first += draft.told().size();
      insertions.addAll(draft.insertions());
      insertions.add(insertion(draft.place(), columns, columns(named)));
      positions.addAll(draft.positions());
      arrays.addAll(draft.arrays());
    }
    return new QueryPlan(named, insertions, positions, arrays, visible(list.getSelect(0)), null);
  }

  /** A query in a UNION ALL, which can have more columns even if it tells nothing. */
  private @Nullable SelectDraft ofUnion(Select one) {
    if (!ParsedStatements.isEmpty(one.getWithItemsList())) {
      return null;
    }
    if (one instanceof ParenthesedSelect parenthesed) {
      SelectDraft draft = ofUnion(parenthesed.getSelect());
      return draft == null ? null : draft.with(ColumnPositions.of(parenthesed, counts));
    }
    return one instanceof PlainSelect select ? drafts.ofUnion(select) : null;
  }

  private List<Told> named(List<Told> told) {
    List<Told> named = new ArrayList<>();
    for (Told one : told) {
      named.add(one.by(one.columns().stream().map(c -> HiddenColumns.name(++names)).toList()));
    }
    return named;
  }

  private static List<String> columns(List<Told> told) {
    return told.stream().flatMap(one -> one.columns().stream()).toList();
  }

  private static Insertion insertion(Place place, List<String> columns, List<String> names) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < columns.size(); i++) {
      text.append(", ").append(columns.get(i)).append(" AS ").append(names.get(i));
    }
    return new Insertion(place.listEnd(), text.append(' ').toString());
  }

  private static int visible(Select query) {
    if (query instanceof ParenthesedSelect parenthesed) {
      return visible(parenthesed.getSelect());
    }
    boolean known =
        query instanceof PlainSelect select
            && select.getSelectItems().stream()
                .noneMatch(item -> item.getExpression() instanceof AllColumns);
    return known ? ((PlainSelect) query).getSelectItems().size() : -1;
  }
}
