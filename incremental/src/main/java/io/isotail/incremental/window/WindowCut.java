package io.isotail.incremental.window;

import java.util.List;
import java.util.function.Consumer;

/** The window as it was at one moment: its transactions in order, and what they had become. */
record WindowCut(List<TransactionState> states) implements IdentityWriter.Noted {

  /** The transactions that {@link #write} tells what they have become. */
  void forEach(Consumer<Transaction> to) {
    for (TransactionState state : states) {
      if (state.whole) {
        to.accept(state.transaction);
      }
    }
  }

  @Override
  public void write(IdentityWriter to) {
    to.out.count(states.size());
    for (TransactionState state : states) {
      to.transaction(state.transaction);
      to.out.flag(state.whole);
      if (state.whole) {
        state.write(to);
      }
    }
  }
}
