package io.isotail.ingest.speed;

import io.isotail.ingest.store.StoreSession;
import io.isotail.ingest.store.TransactionScope;
import io.isotail.ingest.workload.KeyDistribution;
import io.isotail.ingest.workload.RegisterWorkload;
import io.isotail.ingest.workload.Transactions;
import io.isotail.ingest.workload.WorkloadConfig;
import io.isotail.ingest.workload.WorkloadKind;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** How many transactions a second the workload makes where nothing takes them. */
public final class WorkloadSpeed {
  private static final int SECONDS = 5;
  private static final int SESSIONS = 8;
  private static final int KEYS = 1_000;

  private WorkloadSpeed() {}

  /** Measures each kind, after a second of warming up. */
  public static void main(String[] args) throws Exception {
    for (WorkloadKind kind : WorkloadKind.values()) {
      WorkloadConfig defaults = WorkloadConfig.defaults(1);
      KeyDistribution distribution = defaults.transactions().distribution();
      WorkloadConfig config =
          defaults
              .withSize(SESSIONS, KEYS)
              .withPace(0, 0)
              .withTransactions(new Transactions(kind, distribution, 0.2, 8, false));
      try (RegisterWorkload workload = new RegisterWorkload(config, () -> new Nowhere(kind))) {
        workload.setUp();
        workload.start();
        TimeUnit.SECONDS.sleep(1);
        long before = workload.stats().committed();
        TimeUnit.SECONDS.sleep(SECONDS);
        long committed = workload.stats().committed() - before;
        System.out.printf(
            Locale.ROOT, "%-20s %,12d transactions/s%n", kind.label(), committed / SECONDS);
      }
    }
  }

  /** Takes everything and keeps nothing; every register is there, and has its second version. */
  private record Nowhere(WorkloadKind kind) implements StoreSession {
    @Override
    public boolean isOfLists() {
      return kind.hasLists();
    }

    @Override
    public void begin(TransactionScope scope) {}

    @Override
    public Long read(long register) {
      return 2L;
    }

    @Override
    public void write(long register, long version) {}

    @Override
    public void commit() {}

    @Override
    public void rollBack() {}

    @Override
    public void cut() {}

    @Override
    public void close() {}
  }
}
