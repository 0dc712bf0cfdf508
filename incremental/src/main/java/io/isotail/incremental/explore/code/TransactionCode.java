package io.isotail.incremental.explore.code;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.level.IsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * The code of a transaction: the same reads must make it do the same. A Java variable or field does
 * not pass values from one transaction to another; {@link Transaction#keep} does, within a session.
 */
@FunctionalInterface
public interface TransactionCode {
  /** Runs it; called many times. */
  void run(Transaction transaction);

  /** Its name, which others of the same code share; null if it has none. */
  default @Nullable String name() {
    return null;
  }

  /** The level that it runs at; null for the level at which the program is explored. */
  default @Nullable IsolationLevel level() {
    return null;
  }

  /** Gives code a name, by which its level can be chosen. */
  static TransactionCode named(String name, TransactionCode code) {
    Declared.given(code, "transaction '" + name + "'");
    return new Declared(code, name, code.level());
  }

  /**
   * Runs code at a level of its own.
   *
   * @throws IllegalArgumentException if no program can be explored at it
   */
  static TransactionCode at(IsolationLevel level, TransactionCode code) {
    Declared.given(code, "a transaction at " + level);
    return new Declared(code, code.name(), Program.explorable(level));
  }
}
