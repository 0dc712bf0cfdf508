package io.isotail.ingest.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.select.WithItem;
import org.jspecify.annotations.Nullable;

/**
 * The common table expressions of a statement, all of which only read. One that is used once can
 * have hidden columns as a subquery in FROM can.
 */
final class CommonTables {
  private record Item(String name, WithItem<?> with) {}

  private final List<Item> items = new ArrayList<>();
  private final boolean recursive;

  /** How many of them the query can name that is looked at. */
  private int visible;

  private CommonTables(List<WithItem<?>> list) {
    for (WithItem<?> with : list) {
      items.add(new Item(Expressions.name(with.getAlias().getName().strip()), with));
    }
    this.recursive = list.stream().anyMatch(WithItem::isRecursive);
    this.visible = items.size();
  }

  /**
   * The common table expressions of a WITH clause.
   *
   * @return null if one may write, or has the name of an observed table
   */
  static @Nullable CommonTables of(@Nullable List<WithItem<?>> list, ParsedStatements statements) {
    CommonTables all = new CommonTables(list == null ? List.of() : list);
    for (Item item : all.items) {
      boolean reads = (Object) item.with().getParenthesedStatement() instanceof ParenthesedSelect;
      if (!reads || statements.isObserved(item.name())) {
        return null;
      }
    }
    return all;
  }

  /** Whether a name in a FROM list is that of one of them. */
  boolean isNamed(Table table) {
    return indexOf(table) >= 0;
  }

  private int indexOf(Table table) {
    String name = table.getSchemaName() == null ? Expressions.name(table.getName()) : null;
    for (int i = visible - 1; i >= 0; i--) {
      if (items.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The query of the one that a FROM list names, with hidden columns.
   *
   * @param planner makes the plan of a query
   * @return null if it cannot have them
   */
  @Nullable QueryPlan plan(
      Table table, QueryTokens tokens, Function<Select, @Nullable QueryPlan> planner) {
    int index = indexOf(table);
    Item item = items.get(index);
    boolean usedOnce = tokens.alone(item.name()) == 2;
    QueryPlan plan = recursive || !usedOnce ? null : query(table, planner);
    return plan != null && plan.canBeNamed(item.with().getWithItemList()) ? plan : null;
  }

  /**
   * What is found of the query of the one that a FROM list names, which sees those before it.
   *
   * @return null if nothing is
   */
  <T> @Nullable T query(Table table, Function<Select, @Nullable T> finder) {
    int index = indexOf(table);
    Object statement = items.get(index).with().getParenthesedStatement();
    if (!(statement instanceof ParenthesedSelect query)) {
      return null;
    }
    int before = visible;
    visible = index;
    T result = finder.apply(query);
    visible = before;
    return result;
  }
}
