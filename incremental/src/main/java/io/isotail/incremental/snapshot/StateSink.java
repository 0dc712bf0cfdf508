package io.isotail.incremental.snapshot;

/** Takes the chunks of a snapshot. */
public interface StateSink {

  /**
   * Takes the next chunk.
   *
   * @param chunk at most {@link StateWriter#MAX_CHUNK_BYTES} long; belongs to the receiver
   */
  void accept(byte[] chunk);
}
