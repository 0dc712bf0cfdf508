package io.isotail.incremental.snapshot;

/**
 * What is equal to itself alone and remembers its number in the snapshot that it was last written
 * to, so that a snapshot of many such things needs no map of them; see {@link
 * IdentityReferenceWriter}.
 */
public abstract class Numbered {
  /** Its number among the things of its kind in the snapshot that is being written. */
  public int saved;
}
