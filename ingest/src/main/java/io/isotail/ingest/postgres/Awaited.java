package io.isotail.ingest.postgres;

import org.jspecify.annotations.Nullable;

/**
 * What the server is still to answer: one for each message of the client that it answers, in their
 * order.
 *
 * @param kind of the message
 * @param prepared the statement that the message is about; null if it is about none that is known
 * @param portal the portal that it is about; null if it is about none that is known
 * @param undo puts back what the client side took for done, if the server does not do it
 */
record Awaited(
    Kind kind, @Nullable Prepared prepared, @Nullable Portal portal, @Nullable Undo undo) {

  /** Kinds of messages. */
  enum Kind {
    PARSE,
    BIND,
    DESCRIBE,
    EXECUTE,
    CLOSE,
    SYNC,
    QUERY,
    FUNCTION_CALL,
    /** The end of rows of a COPY that the client sent before the server asked for them. */
    COPY_END,
    /** A {@link Check}. */
    CHECK,
    /** {@link CopySyncs}. */
    COPY_SYNCS,
    /** Messages of isotail's own, of which the client sees no answer. */
    QUESTION
  }

  /** The statement that the message is about; null if it is about none that is known. */
  @Override
  public @Nullable Prepared prepared() {
    return prepared == null ? null : prepared.actual();
  }

  static Awaited of(Kind kind) {
    return new Awaited(kind, null, null, null);
  }

  /** Whether a ReadyForQuery ends its answer. */
  boolean endsWithReady() {
    return switch (kind) {
      case SYNC, QUERY, FUNCTION_CALL, QUESTION -> true;
      case PARSE, BIND, DESCRIBE, EXECUTE, CLOSE, COPY_END, CHECK, COPY_SYNCS -> false;
    };
  }
}
