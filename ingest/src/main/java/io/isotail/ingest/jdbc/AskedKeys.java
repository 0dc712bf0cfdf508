package io.isotail.ingest.jdbc;

import io.isotail.ingest.sql.ObservedTable;
import java.sql.Statement;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an application wants of generated keys, by the argument that follows a statement's text in
 * {@code prepareStatement}, {@code execute} and {@code executeUpdate}.
 *
 * @param list the RETURNING list that PostgreSQL's driver would add; null if none
 * @param isTold whether that is known; else the statement is best left alone
 */
record AskedKeys(@Nullable String list, boolean isTold) {
  /** None are asked for. */
  static final AskedKeys NONE = new AskedKeys(null, true);

  private static final AskedKeys NOT_TOLD = new AskedKeys(null, false);

  /** What an argument asks for: a flag, numbers or names of columns. */
  static AskedKeys of(@Nullable Object argument, PostgresSettings driver) {
    if (argument instanceof Integer flag) {
      return flag == Statement.RETURN_GENERATED_KEYS ? new AskedKeys("*", true) : NONE;
    }
    if (argument instanceof int[] numbers && numbers.length == 0) {
      return NONE;
    }
    if (!(argument instanceof String[] names)) {
      return NOT_TOLD;
    }
    if (names.length == 0) {
      return NONE;
    }
    for (String name : names) {
      if (name == null || name.isEmpty()) {
        return NOT_TOLD;
      }
    }
    if (names.length == 1 && names[0].charAt(0) == '*') {
      return new AskedKeys("*", true);
    }
    return driver.quotesNames()
        ? new AskedKeys(
            Arrays.stream(names).map(ObservedTable::quoted).collect(Collectors.joining(", ")), true)
        : NOT_TOLD;
  }
}
