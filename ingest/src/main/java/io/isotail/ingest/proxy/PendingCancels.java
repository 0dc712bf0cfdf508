package io.isotail.ingest.proxy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Requests to cancel what one session runs. One for a message that is still held goes on behind
 * that: without a proxy the server would be executing it. None meets a question of the
 * conversation's own. For the thread of the session.
 */
final class PendingCancels {
  /**
   * How long the server may take to begin with what was held: a request to cancel that comes before
   * meets nothing.
   */
  private static final long AFTER_MS = 20;

  private final ProxyLoop loop;
  private final GuardedConversation conversation;
  private final Deque<Request> waiting = new ArrayDeque<>(0);
  private boolean closed;

  /** What becomes of a request. */
  interface Request {
    /**
     * It is decided.
     *
     * @param passesOn whether it goes on to the server; else there is nothing to cancel
     */
    void decided(boolean passesOn);
  }

  PendingCancels(ProxyLoop loop, GuardedConversation conversation) {
    this.loop = loop;
    this.conversation = conversation;
  }

  /** A request has come. */
  void take(Request request) {
    if (!closed && conversation.holdsCancel()) {
      waiting.add(request);
    } else {
      request.decided(true);
    }
  }

  /** What was held may have gone on. */
  void look() {
    if (waiting.isEmpty() || conversation.holdsCancel()) {
      return;
    }
    List<Request> requests = List.copyOf(waiting);
    waiting.clear();
    loop.after(AFTER_MS, () -> decide(requests));
  }

  /** What is done in no time would have been done without a proxy, too, before the request came. */
  private void decide(List<Request> requests) {
    if (!closed && conversation.holdsCancel()) {
      waiting.addAll(requests);
    } else {
      boolean passesOn = !closed && conversation.isExecuting();
      requests.forEach(each -> each.decided(passesOn));
    }
  }

  /** The session has ended. */
  void close() {
    closed = true;
    waiting.forEach(each -> each.decided(false));
    waiting.clear();
  }
}
