package io.isotail.ingest.generate;

/** Numbers the transactions of a history, or of one session, from 0. */
final class Numbering {
  private long next;

  long next() {
    return next++;
  }
}
