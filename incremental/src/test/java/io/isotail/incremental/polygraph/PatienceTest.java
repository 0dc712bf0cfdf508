package io.isotail.incremental.polygraph;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PatienceTest {
  private static final int CREDIT = 1_000;
  private static final int WINDOW = 10;

  private final Patience patience = new Patience(CREDIT);

  private void pass(int transactions) {
    for (int i = 0; i < transactions; i++) {
      patience.transaction();
    }
  }

  /** How many transactions come until the graph of the window has been kept for long enough. */
  private int transactionsInGraph() {
    int passed = 0;
    while (!patience.isRestored(WINDOW)) {
      pass(1);
      passed++;
    }
    return passed;
  }

  @Test
  void whatIsCopiedAndLookedThroughIsTakenOffTheCredit() {
    patience.copied(500);
    assertThat(patience.mostCopied()).isEqualTo(CREDIT - 500 - 2 * 4);
    patience.looked(16 * 100);
    assertThat(patience.mostCopied()).isEqualTo(CREDIT - 600 - 2 * 4);
    patience.looked(16 * CREDIT);
    assertThat(patience.mostCopied()).isZero();
    pass(CREDIT);
    assertThat(patience.mostCopied()).isEqualTo(CREDIT - 4);
  }

  @Test
  void aGraphIsKeptForTwiceAsLongEachTimeThatTheNumbersDoNotLast() {
    for (int windows : new int[] {1, 2, 4, 8, 16, 16}) {
      patience.lose(WINDOW);
      assertThat(patience.mostCopied()).isZero();
      assertThat(transactionsInGraph()).isEqualTo(windows * WINDOW);
      patience.restore();
      assertThat(patience.mostCopied()).isEqualTo(CREDIT - 4);
    }
    pass(8 * WINDOW);
    patience.lose(WINDOW);
    assertThat(transactionsInGraph()).isEqualTo(WINDOW);
  }

  @Test
  void whatComesLateCostsAWindowAndNotAllOfThem() {
    patience.lose(WINDOW);
    patience.restore();
    patience.lose(WINDOW);
    pass(2 * WINDOW - 1);
    patience.restart(WINDOW);
    assertThat(transactionsInGraph()).isEqualTo(WINDOW);
    pass(3);
    patience.restart(WINDOW);
    assertThat(transactionsInGraph()).isEqualTo(WINDOW);
  }
}
