package io.isotail.incremental.explore.code;

import io.isotail.incremental.explore.Program;
import java.util.Map;

/**
 * What a transaction may do. Code that throws, an {@link AssertionError} for instance, ends its
 * transaction: what it wrote is taken back, and that is an assertion which does not hold. Values
 * are compared by {@code equals}, must not change and are never null: numbers, texts, records,
 * immutable collections.
 */
public interface Transaction {

  /**
   * What a variable has: what this transaction wrote, else what the isolation level lets it read,
   * else its initial value.
   *
   * @throws ClassCastException if the value is of another type
   */
  <T> T get(String variable, Class<T> type);

  /** A variable that holds a number. */
  default long getLong(String variable) {
    return get(variable, Long.class);
  }

  /**
   * What the variables have whose names begin with a prefix, sorted by name; an absent one is not
   * in it. The variables are read one after another, as by {@link #get}. They are those that the
   * program declares ({@link CodeProgram#withKeys}) or that have an initial value, so that every
   * program has finitely many.
   *
   * @return a map that cannot be changed
   * @throws IllegalStateException if some transaction of the program writes another variable of
   *     that prefix, which the scan would miss
   */
  Map<String, Object> scan(String prefix);

  /**
   * Writes a variable.
   *
   * @throws IllegalStateException if some transaction of the program scans a prefix of its name,
   *     and the program does not declare it
   */
  void put(String variable, Object value);

  /**
   * Makes a variable absent. A {@link #get} of it returns {@link Program#ABSENT}, which is only an
   * Object.
   *
   * @throws IllegalStateException as {@link #put}
   */
  void delete(String variable);

  /**
   * Takes back what was written, and ends the transaction here, by an error that it throws. Code
   * that catches it and goes on is refused.
   */
  void abort();

  /** States what must hold; {@code otherwise} says what is wrong if it does not. */
  void check(boolean holds, String otherwise);

  /** Keeps something for the later transactions of this session, even if this one is aborted. */
  void keep(String name, Object value);

  /**
   * What an earlier transaction of this session kept.
   *
   * @throws IllegalStateException if none did
   * @throws ClassCastException if it is of another type
   */
  <T> T kept(String name, Class<T> type);
}
