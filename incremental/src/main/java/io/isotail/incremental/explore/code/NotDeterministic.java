package io.isotail.incremental.explore.code;

/** A transaction did something else when it was run again with the same values read and kept. */
public final class NotDeterministic extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotDeterministic(String transaction, int step, String before, String then, String place) {
    super(
        "%s is not deterministic: its step %d was '%s', and '%s' when it was run again with the same values%s; let it depend on nothing but what it reads, and on what earlier transactions of its session keep: values pass by keep and kept, not by a Java variable or field"
            .formatted(transaction, step, before, then, place));
  }
}
