package io.isotail.incremental.explore.code;

import io.isotail.incremental.level.IsolationLevel;
import org.jspecify.annotations.Nullable;

/** Code with a name, a level, or both. */
record Declared(TransactionCode code, @Nullable String name, @Nullable IsolationLevel level)
    implements TransactionCode {
  @Override
  public void run(Transaction transaction) {
    code.run(transaction);
  }
}
