package io.isotail.ingest.workload;

/** Registers by twos: 0 with 1, 2 with 3 and so on; an odd last one with the first. */
final class Pairs {
  private Pairs() {}

  /** The other one of a pair. */
  static int partner(int key, int keys) {
    int partner = key ^ 1;
    return partner < keys ? partner : 0;
  }
}
