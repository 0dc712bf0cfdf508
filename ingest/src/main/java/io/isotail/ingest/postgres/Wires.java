package io.isotail.ingest.postgres;

/**
 * The two connections of a conversation. Used by the thread that shows it messages, but for {@link
 * #later}.
 */
public interface Wires {

  /**
   * Sends bytes to the server, after all that was sent before. They must not be changed any more.
   */
  void toServer(byte[] bytes, int offset, int length);

  /**
   * Sends bytes to the client, after all that was sent before. They must not be changed any more.
   */
  void toClient(byte[] bytes, int offset, int length);

  /**
   * From here on no message of the client is shown, nor passed on, until {@link #releaseClient}.
   */
  void holdClient();

  /** Ends {@link #holdClient}. */
  void releaseClient();

  /**
   * Whether the server was sent whole messages of the client only. In the middle of one nothing
   * else may be sent: the server would take it for a part of that. While the client is held, this
   * stays as it is.
   */
  boolean isServerBetweenMessages();

  /**
   * Runs work that may wait on another thread, one after another for this conversation. It may send
   * nothing itself.
   *
   * @param work what may wait
   * @param then what the conversation's own thread does afterwards, whether the work failed or not
   */
  void work(Runnable work, Runnable then);

  /**
   * As {@link #work}, for work that waits for nobody and keeps a processor busy. It does not wait
   * for the work of other conversations that may wait, nor does that for it.
   */
  void compute(Runnable work, Runnable then);

  /** Has the conversation's own thread do something soon. Safe for any thread. */
  void later(Runnable task);

  /** Has the conversation's own thread do something after a time. */
  void after(long ms, Runnable task);
}
