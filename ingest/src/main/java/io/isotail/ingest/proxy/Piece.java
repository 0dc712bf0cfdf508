package io.isotail.ingest.proxy;

/** Bytes that came at once, from where nobody was shown them yet. Shared by nobody. */
final class Piece {
  final byte[] bytes;
  final int to;

  /** When they came, by {@link System#nanoTime}. */
  final long cameNs;

  int from;

  Piece(byte[] bytes, int from, int to, long cameNs) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.cameNs = cameNs;
  }
}
