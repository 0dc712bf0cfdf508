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

  /** What a step does. */
  enum Action {
    READ,
    WRITE,
    /** Reads neighbouring registers by one statement. */
    READ_RANGE
  }

  /**
   * A read or a write.
   *
   * @param key number of the register, or of the first one
   * @param count how many registers; one, but for a range
   */
  record Step(Action action, int key, int count) {
    boolean write() {
      return action == Action.WRITE;
    }
  }

  /** Copies the steps. */
  TransactionPlan {
    steps = List.copyOf(steps);
  }

  /** Makes a plan, step by step. */
  static final class Builder {
    private final List<Step> steps = new ArrayList<>();

    Builder read(int... keys) {
      for (int key : keys) {
        steps.add(new Step(Action.READ, key, 1));
      }
      return this;
    }

    Builder readRange(int first, int count) {
      steps.add(new Step(Action.READ_RANGE, first, count));
      return this;
    }

    Builder write(int... keys) {
      for (int key : keys) {
        steps.add(new Step(Action.WRITE, key, 1));
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
