package io.isotail.ingest.sql;

import java.util.ArrayList;
import java.util.List;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.AllTableColumns;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.SelectItem;
import org.jspecify.annotations.Nullable;

/**
 * Which items of a FROM list can have hidden columns although the application may name all columns
 * of an item at once.
 *
 * <p>A star that stands at the end of the select list, and whose last columns are those of a
 * subquery, has the hidden columns of that subquery at the end of the result, where they belong.
 * Any other star would show them, and so would a reference to a whole row of the subquery.
 */
final class Stars {
  private final PlainSelect select;
  private final QueryTokens tokens;
  private final List<FromPart> parts = new ArrayList<>();
  private @Nullable FromPart exposed;

  /**
   * The items of a query's FROM list.
   *
   * @param exact whether each column of the result counts, so that no star may have more
   */
  Stars(PlainSelect select, QueryTokens tokens, List<FromPart> all, boolean exact) {
    this.select = select;
    this.tokens = tokens;
    boolean merges = all.stream().anyMatch(FromPart::mergesColumns);
    for (int i = 0; i < all.size(); i++) {
      FromPart part = all.get(i);
      if (!part.hidesColumns()) {
        parts.add(part);
        continue;
      }
      int ofPart = part.name() == null ? 0 : stars(part.name());
      int ofAll = stars(null);
      boolean atEnd =
          !exact
              && ofPart + ofAll == 1
              && isStar(lastItem())
              && (ofAll == 0 || (i == all.size() - 1 && !merges));
      boolean told = (ofPart + ofAll == 0 || atEnd) && !isNamedWhole(part, ofPart);
      exposed = told && atEnd ? part : exposed;
      parts.add(told ? part : part.untold());
    }
  }

  /** The items; those that cannot have hidden columns tell nothing. */
  List<FromPart> parts() {
    return parts;
  }

  /** The item whose hidden columns the result has by a star; null if there is none. */
  @Nullable FromPart exposed() {
    return exposed;
  }

  private SelectItem<?> lastItem() {
    return select.getSelectItems().get(select.getSelectItems().size() - 1);
  }

  private static boolean isStar(SelectItem<?> item) {
    return item.getExpression() instanceof AllColumns;
  }

  /** Number of items {@code name.*}, or {@code *} if there is no name. */
  private int stars(@Nullable String name) {
    int count = 0;
    for (SelectItem<?> item : select.getSelectItems()) {
      if (item.getExpression() instanceof AllTableColumns of) {
        boolean same =
            of.getTable() != null
                && of.getTable().getName() != null
                && Expressions.name(of.getTable().getName()).equals(name);
        count += same ? 1 : 0;
      } else if (isStar(item)) {
        count += name == null ? 1 : 0;
      }
    }
    return count;
  }

  /** Whether the statement may mean a whole row of the item by its name. */
  private boolean isNamedWhole(FromPart part, int starItems) {
    String name = part.name();
    // A subquery is named where it stands, a common table expression where it is defined as well.
    int named = part.isCommon() && part.item().getAlias() == null ? 2 : 1;
    return name != null && (tokens.alone(name) != named || tokens.stars(name) != starItems);
  }
}
