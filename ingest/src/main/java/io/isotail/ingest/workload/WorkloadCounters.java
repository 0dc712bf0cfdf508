package io.isotail.ingest.workload;

import java.util.concurrent.atomic.LongAdder;

/** What the sessions of a workload count together; {@link WorkloadStats} says what each is. */
public final class WorkloadCounters {
  /** See {@link WorkloadStats#committed}. */
  public final LongAdder committed = new LongAdder();

  /** See {@link WorkloadStats#wrote}. */
  public final LongAdder wrote = new LongAdder();

  /** See {@link WorkloadStats#aborted}. */
  public final LongAdder aborted = new LongAdder();

  /** See {@link WorkloadStats#retried}. */
  public final LongAdder retried = new LongAdder();

  /** See {@link WorkloadStats#cut}. */
  public final LongAdder cut = new LongAdder();

  /** See {@link WorkloadStats#errors}. */
  public final LongAdder errors = new LongAdder();

  /**
   * The counts so far.
   *
   * @param conflicts see {@link WorkloadStats#conflicts}
   */
  public WorkloadStats stats(long conflicts) {
    return new WorkloadStats(
        committed.sum(),
        wrote.sum(),
        aborted.sum(),
        retried.sum(),
        cut.sum(),
        errors.sum(),
        conflicts);
  }
}
