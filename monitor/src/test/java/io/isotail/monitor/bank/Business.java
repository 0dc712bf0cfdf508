package io.isotail.monitor.bank;

import java.util.SplittableRandom;

/** What a teller does, and how many of 100 times. */
enum Business {
  /** Two accounts by optimistic locking, and a booking. */
  TRANSFER(22, false),
  /** A relative update that answers with the new version, under a savepoint. */
  WITHDRAW(14, false),
  /** A customer by optimistic locking, and a relative update of the bank's own account. */
  FEE(8, false),
  /** Deletes a transfer and books it again under the same id. */
  REBOOK(7, false),
  /** Deletes a transfer; somebody will book the id again. */
  CANCEL(5, false),
  /** Changes a transfer. */
  ANNOTATE(7, false),
  /** Interest on several accounts in one batch. */
  INTEREST(4, false),
  /** Opens an account, or closes one that was opened before. */
  OPEN_OR_CLOSE(4, false),
  /** Sets a balance by what was read, and leaves it to the database to notice a change since. */
  ADJUST(4, false),
  /** Reads accounts, then transfers, then the accounts again. */
  REPORT(12, false),
  /** One read in autocommit mode. */
  LOOK_UP(8, true),
  /** One relative update in autocommit mode. */
  DEPOSIT(5, true);

  private static final Business[] ALL = values();

  private final int weight;
  private final boolean autoCommit;

  Business(int weight, boolean autoCommit) {
    this.weight = weight;
    this.autoCommit = autoCommit;
  }

  boolean autoCommit() {
    return autoCommit;
  }

  static Business pick(SplittableRandom random) {
    int at = random.nextInt(100);
    for (Business business : ALL) {
      at -= business.weight;
      if (at < 0) {
        return business;
      }
    }
    throw new IllegalStateException("the weights do not sum up to 100");
  }
}
