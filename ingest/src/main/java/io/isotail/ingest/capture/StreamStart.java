package io.isotail.ingest.capture;

/**
 * The beginning of a stream, which a transaction that may have written waits for before it commits:
 * what is committed before a reader of the stream knows of this process looks like the write of
 * somebody who is not captured. Thread-safe.
 */
interface StreamStart {
  /** Of a stream that has begun, or that nobody waits for. */
  StreamStart NOT_AWAITED =
      new StreamStart() {
        @Override
        public boolean isAwaited() {
          return false;
        }

        @Override
        public void await() {
          // There is nothing to wait for.
        }
      };

  /**
   * Whether it is still to be waited for: it has not begun, and the time for that is not over. Does
   * not wait.
   */
  boolean isAwaited();

  /**
   * Waits until the stream has begun, or the time for that is over. A thread that is interrupted
   * waits all the same, and still is interrupted afterwards. Nobody may hold a lock meanwhile that
   * others need.
   */
  void await();
}
