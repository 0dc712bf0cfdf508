package io.isotail.incremental.explore.code;

/** A transaction did something else when it was run again with the same values read. */
public final class NotDeterministic extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotDeterministic(String transaction, int step, String before, String then, String where) {
    super(
        "%s is not deterministic: its step %d was '%s', and '%s' when it was run again with the same values, at %s; let it depend on nothing but what it reads"
            .formatted(transaction, step, before, then, where));
  }
}
