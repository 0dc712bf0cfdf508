package io.isotail.incremental.window;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The window as it was at one moment: its transactions in order, and what they had become. */
final class WindowCut implements IdentityWriter.Noted {
  private final Transaction[] transactions;
  private final @Nullable TransactionState[] states;

  /**
   * What was noted.
   *
   * @param states null at places of what waits, or has moved to another place
   */
  WindowCut(Transaction[] transactions, @Nullable TransactionState[] states) {
    this.transactions = transactions;
    this.states = states;
  }

  /** The transactions that {@link #write} tells what they have become. */
  void forEach(Consumer<Transaction> to) {
    for (int i = 0; i < transactions.length; i++) {
      if (states[i] != null) {
        to.accept(transactions[i]);
      }
    }
  }

  @Override
  public void write(IdentityWriter to) {
    to.out.count(transactions.length);
    for (int i = 0; i < transactions.length; i++) {
      to.transaction(transactions[i]);
      TransactionState state = states[i];
      to.out.flag(state != null);
      if (state != null) {
        state.write(to);
      }
    }
  }
}
