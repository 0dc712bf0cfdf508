package io.isotail.incremental.polygraph;

/**
 * What one search may cost; a transaction may begin two, for what it read and for what it wrote.
 * Steps are counted, not time, so that the answer is the same everywhere.
 *
 * @param cycles cycles that it may find
 * @param visits events that its reorderings may visit
 * @param conflicts conflicts of the solver
 */
record SearchBudget(int cycles, long visits, int conflicts) {
  static final SearchBudget DEFAULT = new SearchBudget(5_000, 20_000_000, 100_000);
}
