package io.isotail.incremental.explore.language;

import io.isotail.incremental.explore.NewKeyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The keys that rows of a table can have, as far as they are known. A statement that looks at all
 * rows reads the row of each of them, whether it is there or not.
 *
 * <p>Thread: any may read; they change only while nothing explores the program.
 */
final class RowKeys {
  private static final int MOST_KEYS = 1_000;

  private final Token table;
  private volatile Set<Object> known = Set.of();

  RowKeys(Token table) {
    this.table = table;
  }

  /** All of them, sorted. */
  Set<Object> known() {
    return known;
  }

  /** Adds a key that rows can have. */
  void add(Object key) {
    List<Object> more = new ArrayList<>(known);
    more.add(key);
    if (more.size() > MOST_KEYS) {
      throw table.error(
          "rows of '%s' can have more than %,d keys; expected at most that"
              .formatted(table.text(), MOST_KEYS));
    }
    known = Operators.set(more);
  }

  /**
   * Demands that a key is known.
   *
   * @throws NewKeyException if it is not
   */
  void expect(Object key) {
    if (!known.contains(key)) {
      throw new NewKeyException(Instruction.Variable.element(table.text(), key), () -> add(key));
    }
  }
}
