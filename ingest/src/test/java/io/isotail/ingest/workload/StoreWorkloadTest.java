package io.isotail.ingest.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.ingest.store.SessionSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The workload on a store that is no database. */
final class StoreWorkloadTest {
  private static final int KEYS = 4;

  private final MemoryStore store = new MemoryStore();

  @Test
  void transactionsAreTriedAgainWhenTheStoreRefusesThem() throws Exception {
    RegisterWorkload workload = workload(false);
    try (workload) {
      workload.setUp();
      assertThat(workload.stats().committed()).isEqualTo(KEYS);
      workload.start();
      await(() -> workload.stats().committed() > 300 && workload.stats().retried() > 0);
    }
    WorkloadStats stats = workload.stats();
    assertThat(stats.committed()).isEqualTo(store.commits.get());
    assertThat(stats.wrote()).isPositive().isLessThan(stats.committed());
    assertThat(stats.conflicts()).isPositive();
    assertThat(stats.errors()).isZero();
    assertThat(store.open).hasValue(0);
  }

  @Test
  void aSessionThatIsCutOrLosesAReplyIsReplaced() throws Exception {
    RegisterWorkload workload = workload(true);
    try (workload) {
      workload.setUp();
      workload.start();
      await(() -> store.opened.get() == 9 && workload.stats().committed() > 10);
      assertThat(workload.cutOne()).isTrue();
      await(() -> workload.stats().cut() == 1 && store.opened.get() == 10);
      store.repliesToLose.set(1);
      await(() -> workload.stats().errors() == 1 && store.opened.get() == 11);
    }
    assertThat(workload.stats().committed()).isEqualTo(store.commits.get() - 1);
    assertThat(store.open).hasValue(0);
  }

  @Test
  void aStoreWithoutListsIsNotAppendedTo() {
    Transactions appends =
        new Transactions(
            WorkloadKind.LIST_APPEND, KeyDistribution.ofLabel("uniform"), 0.3, 1, false);
    WorkloadConfig config = WorkloadConfig.defaults(42).withTransactions(appends);
    assertThat(config.transactions().freshRows()).isTrue();
    try (RegisterWorkload workload = new RegisterWorkload(config, store)) {
      assertThatThrownBy(workload::setUp).hasMessageContaining("has no lists to append to");
    }
  }

  @Test
  void itEndsAfterAsManyTransactionsAsItIsToldTo() throws Exception {
    WorkloadConfig config = workloadConfig(false).withMost(500);
    try (RegisterWorkload workload = new RegisterWorkload(config, store)) {
      workload.setUp();
      workload.start();
      await(() -> workload.isDone() && store.open.get() == 0);
      assertThat(workload.stats().committed()).isBetween(500L, 508L);
    }
  }

  @Test
  void kindsOfSessionsAreOpenedInTurn() throws Exception {
    MemoryStore other = new MemoryStore();
    SessionSource both = new SessionsInTurn(List.of(store, other));
    for (int i = 0; i < 6; i++) {
      both.open(i).close();
    }
    assertThat(store.opened).hasValue(3);
    assertThat(other.opened).hasValue(3);
  }

  @Test
  void aSessionThatIsCutIsReplacedByOneOfItsKind() throws Exception {
    MemoryStore other = new MemoryStore();
    SessionSource both = new SessionsInTurn(List.of(store, other));
    try (RegisterWorkload workload = new RegisterWorkload(workloadConfig(true), both, 1_000)) {
      workload.setUp();
      workload.start();
      await(() -> store.open.get() + other.open.get() == 8);
      int opened = store.opened.get() + other.opened.get();
      for (int cuts = 1; cuts <= 20; cuts++) {
        int reopened = opened + cuts;
        assertThat(workload.cutOne()).isTrue();
        await(() -> store.opened.get() + other.opened.get() == reopened);
        await(() -> store.open.get() + other.open.get() == 8);
        assertThat(store.open).hasValue(4);
      }
    }
  }

  @Test
  void sessionsThatWaitForSomethingAtTheEndAreCut() {
    RegisterWorkload workload = workload(true);
    try (workload) {
      store.readsWait = true;
      workload.start();
      await(() -> store.waiting.get() == 8);
    }
    assertThat(store.open).hasValue(0);
    assertThat(workload.stats().cut()).isEqualTo(8);
    assertThat(workload.stats().errors()).isZero();
  }

  private RegisterWorkload workload(boolean freshRows) {
    return new RegisterWorkload(workloadConfig(freshRows), store, 1_000);
  }

  private static WorkloadConfig workloadConfig(boolean freshRows) {
    return WorkloadConfig.defaults(42)
        .withSize(8, KEYS)
        .withTransactions(
            new Transactions(
                WorkloadKind.LIGHTWEIGHT, KeyDistribution.ofLabel("uniform"), 0.3, 1, freshRows));
  }

  private static void await(BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadlineNs).isNegative();
      LockSupport.parkNanos(1_000_000);
    }
  }
}
