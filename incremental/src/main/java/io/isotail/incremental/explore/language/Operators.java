package io.isotail.incremental.explore.language;

import io.isotail.incremental.explore.Program;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongBinaryOperator;
import java.util.regex.Pattern;

/**
 * What signs and functions do with values: whole numbers, texts, truth values, sets of numbers and
 * texts, rows, and lists of rows and of values.
 */
final class Operators {
  /** Functions and the number of their arguments. */
  static final Map<String, Integer> FUNCTIONS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("count", 1),
              Map.entry("sum", 1),
              Map.entry("min", 1),
              Map.entry("max", 1),
              Map.entry("only", 1),
              Map.entry("contains", 2),
              Map.entry("add", 2),
              Map.entry("remove", 2),
              Map.entry("pair", 2),
              Map.entry("known", 1),
              Map.entry("coalesce", 2)));

  /**
   * Sets are sorted, by what their members are and then by value, so that equal ones look alike.
   */
  private static final Comparator<Object> ORDER =
      Comparator.comparingInt(Operators::rank).thenComparing(Operators::compareOfOneRank);

  /** Texts that look like a number or a truth value. */
  private static final Pattern LIKE_ANOTHER = Pattern.compile("-?[0-9]+|true|false");

  private Operators() {}

  static Object binary(Token sign, Object left, Object right) {
    return switch (sign.text()) {
      case "==" -> left.equals(right);
      case "!=" -> !left.equals(right);
      case "&&" -> truth(sign, left) && truth(sign, right);
      case "||" -> truth(sign, left) || truth(sign, right);
      case "<" -> comparison(sign, left, right) < 0;
      case "<=" -> comparison(sign, left, right) <= 0;
      case ">" -> comparison(sign, left, right) > 0;
      case ">=" -> comparison(sign, left, right) >= 0;
      case "+" ->
          left instanceof String || right instanceof String
              ? known(sign, left) + "" + known(sign, right)
              : (Object) exact(sign, left, right, Math::addExact);
      case "-" -> exact(sign, left, right, Math::subtractExact);
      case "*" -> exact(sign, left, right, Math::multiplyExact);
      case "/" -> exact(sign, left, divisor(sign, right), Operators::divide);
      case "%" -> number(sign, left) % divisor(sign, right);
      default -> throw sign.error("'" + sign.text() + "' has no meaning here");
    };
  }

  static Object call(Token name, List<Object> arguments) {
    Object first = arguments.get(0);
    return switch (name.text()) {
      case "count" -> (long) collection(name, first).size();
      case "sum" -> sum(name, collection(name, first));
      case "min" -> extreme(name, collection(name, first), -1);
      case "max" -> extreme(name, collection(name, first), 1);
      case "only" -> only(name, collection(name, first));
      case "pair" -> part(name, first) + ":" + part(name, arguments.get(1));
      case "known" -> known(name, first);
      case "coalesce" -> first == Program.ABSENT ? arguments.get(1) : first;
      case "contains" -> collection(name, first).contains(arguments.get(1));
      case "add" -> with(name, first, arguments.get(1), true);
      case "remove" -> with(name, first, arguments.get(1), false);
      default -> throw new IllegalStateException(name.text() + " is in no table of functions");
    };
  }

  static Set<Object> set(Collection<?> values) {
    Set<Object> sorted = new TreeSet<>(ORDER);
    sorted.addAll(values);
    return Collections.unmodifiableSet(new LinkedHashSet<>(sorted));
  }

  static boolean truth(Token at, Object value) {
    if (value instanceof Boolean truth) {
      return truth;
    }
    throw at.error("found " + value + "; expected true or false");
  }

  static long number(Token at, Object value) {
    if (value instanceof Long number) {
      return number;
    }
    throw at.error("found " + value + "; expected a number");
  }

  static Collection<?> collection(Token at, Object value) {
    if (value instanceof Collection<?> collection) {
      return collection;
    }
    if (value == Program.ABSENT) {
      return List.of();
    }
    throw at.error("found " + value + "; expected a set or rows");
  }

  /** A column of a row, or of each of several. */
  static Object column(Token name, Object of) {
    if (of instanceof Row row) {
      Object value = name.text().equals("key") ? row.key() : row.columns().get(name.text());
      if (value == null) {
        throw name.error(
            "there is no column '" + name.text() + "'; expected key or one of " + row.columns());
      }
      return value;
    }
    List<Object> values = new ArrayList<>();
    for (Object row : collection(name, of)) {
      values.add(column(name, row));
    }
    return values;
  }

  private static int rank(Object value) {
    if (value instanceof Boolean) {
      return 0;
    }
    if (value instanceof Long) {
      return 1;
    }
    if (value instanceof String) {
      return 2;
    }
    return value instanceof Row ? 3 : 4;
  }

  private static int compareOfOneRank(Object left, Object right) {
    if (left instanceof Long one && right instanceof Long two) {
      return Long.compare(one, two);
    }
    if (left instanceof Row one && right instanceof Row two) {
      int byKey = ORDER.compare(one.key(), two.key());
      return byKey != 0 ? byKey : one.toString().compareTo(two.toString());
    }
    return left.toString().compareTo(right.toString());
  }

  private static Object with(Token name, Object set, Object value, boolean present) {
    if (set instanceof List<?>) {
      throw name.error("found rows; expected a set");
    }
    Set<Object> changed = new TreeSet<>(ORDER);
    changed.addAll(collection(name, set));
    if (present) {
      changed.add(value);
    } else {
      changed.remove(value);
    }
    return Nesting.checked(name, set(changed));
  }

  private static Object extreme(Token name, Collection<?> values, int sign) {
    Object best = Program.ABSENT;
    for (Object value : values) {
      if (best == Program.ABSENT || comparison(name, value, best) * sign > 0) {
        best = value;
      }
    }
    return best;
  }

  /** The one value; absent if there is none. */
  private static Object only(Token name, Collection<?> values) {
    if (values.size() > 1) {
      throw name.error("found " + values.size() + " values; expected one at most");
    }
    return values.isEmpty() ? Program.ABSENT : values.iterator().next();
  }

  /** A value of a pair: no two pairs of different values look alike. */
  private static String part(Token name, Object value) {
    if (value instanceof String text) {
      // A text that looks like a number or a truth value has a mark that no other text begins with.
      boolean looksLikeAnother = LIKE_ANOTHER.matcher(text).matches();
      String escaped = text.replace("\\", "\\\\").replace(":", "\\:");
      return looksLikeAnother ? "\\" + escaped : escaped;
    }
    if (value instanceof Long || value instanceof Boolean) {
      return value.toString();
    }
    throw name.error("found " + value + "; expected a number, a text or a truth value");
  }

  private static Object known(Token name, Object value) {
    if (value == Program.ABSENT) {
      throw name.error("found no value where one is needed");
    }
    return value;
  }

  private static Object sum(Token name, Collection<?> values) {
    Object sum = 0L;
    for (Object value : values) {
      sum = exact(name, sum, value, Math::addExact);
    }
    return sum;
  }

  /** Division without the one case that wraps around. */
  private static long divide(long dividend, long divisor) {
    return divisor == -1 ? Math.negateExact(dividend) : dividend / divisor;
  }

  /** A whole number of 64 bits, or an error. */
  static Long exact(Token sign, Object left, Object right, LongBinaryOperator operator) {
    try {
      return operator.applyAsLong(number(sign, left), number(sign, right));
    } catch (ArithmeticException e) {
      throw sign.error("the result is too large; expected at most " + Long.MAX_VALUE);
    }
  }

  private static long divisor(Token sign, Object value) {
    long divisor = number(sign, value);
    if (divisor == 0) {
      throw sign.error("division by zero");
    }
    return divisor;
  }

  private static int comparison(Token sign, Object left, Object right) {
    if ((left instanceof Long && right instanceof Long)
        || (left instanceof String && right instanceof String)) {
      return compareOfOneRank(left, right);
    }
    throw sign.error("cannot compare " + left + " with " + right);
  }
}
