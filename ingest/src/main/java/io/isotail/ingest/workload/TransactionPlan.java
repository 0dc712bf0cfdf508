package io.isotail.ingest.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a transaction does, before any database has seen it.
 *
 * @param steps its reads and writes, in order
 * @param rollsBack whether it ends with a rollback
 */
record TransactionPlan(List<Step> steps, boolean rollsBack) {

  /**
   * A read or a write of one register.
   *
   * @param key number of the register
   */
  record Step(boolean write, int key) {}

  /** Copies the steps. */
  TransactionPlan {
    steps = List.copyOf(steps);
  }

  /** Makes a plan, step by step. */
  static final class Builder {
    private final List<Step> steps = new ArrayList<>();

    Builder read(int... keys) {
      for (int key : keys) {
        steps.add(new Step(false, key));
      }
      return this;
    }

    Builder write(int... keys) {
      for (int key : keys) {
        steps.add(new Step(true, key));
      }
      return this;
    }

    /** Reads all, then overwrites all, in one order everywhere, which avoids most deadlocks. */
    Builder overwrite(int... keys) {
      int[] ascending = keys.clone();
      Arrays.sort(ascending);
      return read(ascending).write(ascending);
    }

    TransactionPlan commit() {
      return new TransactionPlan(steps, false);
    }

    TransactionPlan rollBack() {
      return new TransactionPlan(steps, true);
    }
  }
}
