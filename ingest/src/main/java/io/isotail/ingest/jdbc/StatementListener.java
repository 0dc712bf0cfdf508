package io.isotail.ingest.jdbc;

/**
 * Is told what an application sends through connections that are captured. Called on the
 * application's threads; what it throws is the application's to bear, so it throws nothing.
 */
public interface StatementListener {
  /** Listens to nothing. */
  StatementListener NONE =
      new StatementListener() {
        @Override
        public boolean listens() {
          return false;
        }

        @Override
        public void sending(long session, boolean alone, SentStatement statement) {
          // Not asked for.
        }

        @Override
        public void ended(long session) {
          // Not asked for.
        }
      };

  /** Whether it wants to be told; asked before each statement. */
  boolean listens();

  /**
   * A statement is about to be sent. The record of the transaction before it has been handed over.
   *
   * @param session id of the session in records
   * @param alone whether it is a transaction of its own
   */
  void sending(long session, boolean alone, SentStatement statement);

  /** The transaction has ended, and its record has been handed over if it has one. */
  void ended(long session);
}
