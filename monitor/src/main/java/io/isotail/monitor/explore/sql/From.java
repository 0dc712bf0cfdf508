package io.isotail.monitor.explore.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one table of a statement.
 *
 * @param alias its other name in the statement; null if it has none
 */
record From(Table table, @Nullable String alias) {

  /** {@code table [[AS] alias]}. */
  static From read(SqlTokens tokens, Schema schema) {
    SqlToken name = tokens.expectName("a table");
    if (tokens.peek().is(".")) {
      throw tokens.peek().error("found a schema's name; expected a table without one");
    }
    Table table = schema.table(name);
    boolean as = tokens.accept("as");
    SqlToken next = tokens.peek();
    boolean isAlias =
        next.kind() == SqlToken.Kind.QUOTED
            || (next.kind() == SqlToken.Kind.WORD && !Refused.isKeyword(next.text()));
    String alias = as || isAlias ? tokens.expectName("another name of the table").text() : null;
    if (tokens.peek().is(",")) {
      throw tokens.peek().error("found " + Refused.WORDS.get("join"));
    }
    return new From(table, alias);
  }

  /** The condition that follows, if one does. */
  Table.Rows where(SqlTokens tokens, Locals locals) {
    return tokens.accept("where")
        ? table.rows(expressions(tokens, locals).condition().all())
        : table.rows(List.of());
  }

  /** Expressions that may name the table's columns. */
  Expressions expressions(SqlTokens tokens, Locals locals) {
    return new Expressions(tokens, locals, table, alias);
  }
}
