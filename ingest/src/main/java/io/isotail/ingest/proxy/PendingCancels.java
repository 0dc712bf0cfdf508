package io.isotail.ingest.proxy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests to cancel what one session runs. One for a message that is still held goes on behind
 * that, unless that is done by then: without a proxy the server would be executing it. None goes on
 * while the server is asked something by the conversation. For the thread of the session.
 */
final class PendingCancels {
  /**
   * How long the server may take to begin with what was held: a request to cancel that comes before
   * meets nothing.
   */
  private static final long AFTER_MS = 20;

  private final ProxyLoop loop;
  private final GuardedConversation conversation;
  private final List<Waiting> waiting = new ArrayList<>(0);
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

  /** A request that waits. */
  private static final class Waiting {
    private final Request request;

    /** The first that was executed since it came, which it is for; null if nothing was. */
    private @Nullable Object execution;

    /** Whether it is to be decided soon. */
    private boolean due;

    Waiting(Request request) {
      this.request = request;
    }
  }

  PendingCancels(ProxyLoop loop, GuardedConversation conversation) {
    this.loop = loop;
    this.conversation = conversation;
  }

  /** A request has come. */
  void take(Request request) {
    if (!closed && conversation.holdsCancel()) {
      waiting.add(new Waiting(request));
    } else {
      request.decided(true);
    }
  }

  /** What was held may have gone on. To be called after each step of the session. */
  void look() {
    if (waiting.isEmpty()) {
      return;
    }
    Object executing = conversation.executing();
    boolean holds = conversation.holdsCancel();
    for (Waiting each : waiting) {
      if (each.execution == null) {
        each.execution = executing;
      }
      if (!holds && !each.due) {
        each.due = true;
        loop.after(AFTER_MS, () -> decide(each));
      }
    }
  }

  /** What is done in no time would have been done without a proxy, too, before the request came. */
  private void decide(Waiting due) {
    if (closed) {
      return;
    }
    Object execution = due.execution;
    if (conversation.holdsCancel()
        && (execution == null || execution == conversation.executing())) {
      due.due = false;
    } else {
      waiting.remove(due);
      due.request.decided(execution != null && execution == conversation.executing());
    }
  }

  /** The session has ended. */
  void close() {
    closed = true;
    waiting.forEach(each -> each.request.decided(false));
    waiting.clear();
  }
}
