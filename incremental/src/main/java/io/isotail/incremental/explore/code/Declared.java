package io.isotail.incremental.explore.code;

import io.isotail.incremental.level.IsolationLevel;
import org.jspecify.annotations.Nullable;

/** Code with a name, a level, or both. */
record Declared(TransactionCode code, @Nullable String name, @Nullable IsolationLevel level)
    implements TransactionCode {
  /** Refuses code that is null; {@code of} says whose it is. */
  static void given(@Nullable TransactionCode code, String of) {
    if (code == null) {
      throw new IllegalArgumentException("the code of " + of + " is null; expected some");
    }
  }

  @Override
  public void run(Transaction transaction) {
    code.run(transaction);
  }
}
