package io.isotail.ingest.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import net.sf.jsqlparser.expression.Alias;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.operators.arithmetic.Addition;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.schema.Table;
import org.jspecify.annotations.Nullable;

/**
 * Reads the expressions of one statement over one observed table.
 *
 * <p>The table's columns may be qualified by its alias, or by its name if it has none, and then by
 * its schema as well: PostgreSQL refuses a schema other than that of the table it has found.
 */
final class Expressions {

  /** Casts that leave the identity of a value to the column's type. */
  private static final Set<String> PLAIN_CASTS =
      Set.of(
          "bigint",
          "int8",
          "integer",
          "int",
          "int4",
          "smallint",
          "int2",
          "text",
          "varchar",
          "uuid",
          "numeric",
          "decimal",
          "bytea");

  private final ObservedTable table;
  private final String qualifier;
  private final @Nullable String schema;

  Expressions(ObservedTable table, Table reference) {
    this.table = table;
    Alias alias = reference.getAlias();
    this.qualifier = alias == null ? table.name() : name(alias.getName());
    this.schema = alias == null ? table.schemaOrPublic() : null;
  }

  /** An identifier as PostgreSQL folds it; in backticks, as others compare it. */
  static String name(String written) {
    if (written.length() > 1 && written.startsWith("`") && written.endsWith("`")) {
      return written.substring(1, written.length() - 1).replace("``", "`").toLowerCase(Locale.ROOT);
    }
    if (written.length() > 1 && written.startsWith("\"") && written.endsWith("\"")) {
      return written.substring(1, written.length() - 1).replace("\"\"", "\"");
    }
    return written.toLowerCase(Locale.ROOT);
  }

  /** The column of the table that an expression is, or null. */
  @Nullable String column(@Nullable Expression expression) {
    if (!(expression instanceof Column column) || column.getArrayConstructor() != null) {
      return null;
    }
    Table owner = column.getTable();
    if (owner != null && owner.getName() != null) {
      String ownerSchema = owner.getSchemaName();
      if (!qualifier.equals(name(owner.getName()))
          || (ownerSchema != null && !name(ownerSchema).equals(schema))) {
        return null;
      }
    }
    return name(column.getColumnName());
  }

  /** The value of an expression. */
  Operand operand(Expression expression) {
    return valueOf(expression);
  }

  /** The value of an expression without columns. */
  static Operand valueOf(Expression expression) {
    Expression e = unwrap(expression);
    Operand value = valueOfPlain(e);
    boolean cast = e != bare(expression) && !(value instanceof Operand.Unknowable);
    return cast ? new Operand.Cast(value) : value;
  }

  private static Operand valueOfPlain(Expression e) {
    if (e instanceof JdbcParameter parameter && !parameter.isUseFixedIndex()) {
      return new Operand.OfSlot(parameter.getIndex() - 1, false);
    }
    if (e instanceof SignedExpression signed && signed.getSign() == '-') {
      return valueOf(signed.getExpression()) instanceof Operand.OfSlot slot && !slot.negated()
          ? new Operand.OfSlot(slot.slot(), true)
          : new Operand.Unknowable();
    }
    if (e instanceof NullValue) {
      return new Operand.Fixed(Operand.NULL);
    }
    if (e instanceof BooleanValue b) {
      return new Operand.Fixed(b.getValue());
    }
    return new Operand.Unknowable();
  }

  /**
   * The version that an update installs.
   *
   * @param assigned what the version column is set to, null when it is not set
   * @param found the version that the condition demands of the rows, or null
   */
  Operand installed(@Nullable Expression assigned, @Nullable Operand found) {
    if (assigned == null) {
      return new Operand.Unknowable();
    }
    if (found != null && bare(assigned) instanceof Addition sum) {
      boolean left = isVersion(sum.getLeftExpression());
      if (left != isVersion(sum.getRightExpression())) {
        Operand added = operand(left ? sum.getRightExpression() : sum.getLeftExpression());
        return added instanceof Operand.Unknowable ? added : new Operand.Sum(found, added);
      }
    }
    return operand(assigned);
  }

  private boolean isVersion(Expression expression) {
    return table.version().name().equals(column(bare(expression)));
  }

  /** The expression without parentheses around it. A cast of a column is not the column. */
  static Expression bare(Expression expression) {
    Expression e = expression;
    while (e instanceof ParenthesedExpressionList<?> list && list.size() == 1) {
      e = list.get(0);
    }
    return e;
  }

  private static Expression unwrap(Expression expression) {
    Expression e = expression;
    while (true) {
      if (e instanceof ParenthesedExpressionList<?> list && list.size() == 1) {
        e = list.get(0);
      } else if (e instanceof CastExpression cast && isPlain(cast)) {
        e = cast.getLeftExpression();
      } else {
        return e;
      }
    }
  }

  private static boolean isPlain(CastExpression cast) {
    return cast.getColDataType() != null
        && cast.getFormat() == null
        && PLAIN_CASTS.contains(cast.getColDataType().toString().toLowerCase(Locale.ROOT));
  }

  /**
   * The keys that a condition pins the statement to.
   *
   * @return null if it does not pin it to rows by their full key
   */
  @Nullable KeyPredicate keyPredicate(@Nullable Expression where) {
    if (where == null) {
      return null;
    }
    List<Expression> conjuncts = new ArrayList<>();
    split(where, conjuncts);
    @Nullable Operand[] key = new @Nullable Operand[table.key().size()];
    List<List<Operand>> several = new ArrayList<>();
    Operand version = null;
    int used = 0;
    for (Expression conjunct : conjuncts) {
      if (conjunct instanceof EqualsTo equals) {
        String column = column(bare(equals.getLeftExpression()));
        Expression other = equals.getRightExpression();
        if (column == null) {
          column = column(bare(equals.getRightExpression()));
          other = equals.getLeftExpression();
        }
        if (column == null || operand(other) instanceof Operand.Unknowable) {
          continue;
        }
        int index = table.keyIndex(column);
        if (index >= 0 && key[index] == null) {
          key[index] = operand(other);
          used++;
        } else if (index < 0 && version == null && table.version().name().equals(column)) {
          version = operand(other);
        }
      } else if (conjunct instanceof InExpression in && several.isEmpty()) {
        several.addAll(keysOf(in));
      }
    }
    if (used == key.length) {
      List<Operand> one = new ArrayList<>();
      for (Operand operand : key) {
        one.add(Objects.requireNonNull(operand));
      }
      return new KeyPredicate(List.of(one), version, conjuncts.size() == used);
    }
    if (!several.isEmpty()) {
      return new KeyPredicate(several, version, conjuncts.size() == 1);
    }
    return null;
  }

  static void split(Expression expression, List<Expression> conjuncts) {
    Expression e = bare(expression);
    if (e instanceof AndExpression and) {
      split(and.getLeftExpression(), conjuncts);
      split(and.getRightExpression(), conjuncts);
    } else {
      conjuncts.add(e);
    }
  }

  /** The keys of {@code k IN (…)} or {@code (a, b) IN ((…), (…))}; empty if it is not that. */
  private List<List<Operand>> keysOf(InExpression in) {
    if (in.isNot() || !(in.getRightExpression() instanceof ExpressionList<?> choices)) {
      return List.of();
    }
    List<Integer> positions = new ArrayList<>();
    for (Expression left : tuple(in.getLeftExpression())) {
      String column = column(left);
      positions.add(column == null ? -1 : table.keyIndex(column));
    }
    if (positions.contains(-1)
        || positions.size() != table.key().size()
        || Set.copyOf(positions).size() != positions.size()) {
      return List.of();
    }
    List<List<Operand>> keys = new ArrayList<>();
    for (Expression choice : choices) {
      List<Expression> values = tuple(choice);
      if (values.size() != positions.size()) {
        return List.of();
      }
      @Nullable Operand[] key = new @Nullable Operand[positions.size()];
      for (int i = 0; i < key.length; i++) {
        Operand operand = operand(values.get(i));
        if (operand instanceof Operand.Unknowable) {
          return List.of();
        }
        key[positions.get(i)] = operand;
      }
      List<Operand> one = new ArrayList<>();
      for (Operand operand : key) {
        one.add(Objects.requireNonNull(operand));
      }
      keys.add(one);
    }
    return keys;
  }

  static List<Expression> tuple(Expression expression) {
    if (expression instanceof ExpressionList<?> list) {
      return new ArrayList<>(list);
    }
    return List.of(expression);
  }
}
