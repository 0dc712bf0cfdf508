package io.isotail.ingest.sql;

import io.isotail.ingest.sql.HiddenColumns.Reference;
import java.util.List;
import net.sf.jsqlparser.expression.Alias;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.select.FromItem;
import net.sf.jsqlparser.statement.select.Join;
import org.jspecify.annotations.Nullable;

/**
 * An item of a FROM list: a table, a subquery or a common table expression.
 *
 * @param item the item
 * @param join how it is joined to those before it; null for the first one
 * @param name what the query calls it; null if it has no name
 * @param reference the observed table that it is; null if it is none
 * @param plan the query that it is, with hidden columns; null if it is none, or tells nothing
 */
record FromPart(
    FromItem item,
    @Nullable Join join,
    @Nullable String name,
    @Nullable Reference reference,
    @Nullable QueryPlan plan) {

  static FromPart of(
      FromItem item, @Nullable Join join, @Nullable Reference reference, @Nullable QueryPlan plan) {
    Alias alias = item.getAlias();
    String name = null;
    if (alias != null && alias.getName() != null) {
      name = Expressions.name(alias.getName().strip());
    } else if (item instanceof Table table) {
      name = Expressions.name(table.getName());
    }
    return new FromPart(item, join, name, reference, plan);
  }

  /** This part of the list, of which nothing is told. */
  FromPart untold() {
    return new FromPart(item, join, name, null, null);
  }

  /** Whether it has columns that the application did not write. */
  boolean hidesColumns() {
    return plan != null;
  }

  /** Whether it is a common table expression, whose rows no locking clause of others locks. */
  boolean isCommon() {
    return plan != null && item instanceof Table;
  }

  /** Whether columns of the same name are one in the result of the join. */
  boolean mergesColumns() {
    return join != null
        && (join.isNatural()
            || (join.getUsingColumns() != null && !join.getUsingColumns().isEmpty()));
  }

  /** Whether it tells rows in arrays. */
  boolean tellsArrays() {
    return plan != null
        && plan.told().stream().anyMatch(told -> told.source().form() == Analysis.Form.ARRAY);
  }

  /** Whether it tells contents of rows. */
  boolean tellsContents() {
    return (reference != null && reference.table().content() != null)
        || (plan != null && plan.told().stream().anyMatch(Told::isOfContents));
  }

  /** What it tells, in expressions of the query that has it in its FROM list. */
  List<Told> told() {
    if (reference != null) {
      return List.of(HiddenColumns.of(reference));
    }
    if (plan == null) {
      return List.of();
    }
    String qualifier = qualifier();
    return plan.told().stream()
        .map(told -> told.by(told.columns().stream().map(c -> qualifier + c).toList()))
        .toList();
  }

  private String qualifier() {
    if (tellsContents()) {
      return FromPart.written(item) + "."; // Case may make a difference.
    }
    return name == null ? "" : ObservedTable.quoted(name) + ".";
  }

  /** What the query calls an item, as it is written. */
  private static String written(FromItem item) {
    Alias alias = item.getAlias();
    if (alias != null && alias.getName() != null) {
      return alias.getName().strip();
    }
    if (item instanceof Table table) {
      return table.getName();
    }
    throw new IllegalArgumentException("a subquery of MariaDB without a name");
  }
}
