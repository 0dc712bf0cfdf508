package io.isotail.ingest.proxy;

import io.isotail.ingest.capture.LoggedFailure;
import io.isotail.ingest.postgres.Conversation;
import io.isotail.ingest.postgres.Conversations;
import io.isotail.ingest.postgres.Message;
import io.isotail.ingest.proxy.ProxyStats.Count;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A conversation that cannot break its connection. If it throws, which it must not, it is asked
 * nothing any more and every further byte goes on unseen; the message at hand goes on too unless
 * something was sent for it. For the thread of its session.
 */
final class GuardedConversation {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedConversation.class);

  private final ProxyStats stats;
  private final Session session;
  private Conversation conversation;

  GuardedConversation(Conversation conversation, ProxyStats stats, Session session) {
    this.conversation = conversation;
    this.stats = stats;
    this.session = session;
  }

  /** Opens a conversation; one in which nothing is seen if that fails. */
  static Conversation open(
      Conversations conversations, StartPacket packet, String host, ProxyStats stats) {
    try {
      return conversations.open(packet.parameters(), host);
    } catch (RuntimeException | Error e) {
      stats.add(Count.CONVERSATION_FAILURES);
      LOG.error(
          "a conversation could not be opened; its connection goes on unseen", LoggedFailure.of(e));
      return Conversation.UNSEEN;
    }
  }

  boolean looksAtClient(byte type, int length) {
    try {
      return conversation.looksAtClient(type, length);
    } catch (RuntimeException | Error e) {
      failed(e);
      return false;
    }
  }

  boolean looksAtServer(byte type, int length) {
    try {
      return conversation.looksAtServer(type, length);
    } catch (RuntimeException | Error e) {
      failed(e);
      return false;
    }
  }

  void fromClient(Message message) {
    long before = session.sentToServer();
    try {
      conversation.fromClient(message, session);
    } catch (RuntimeException | Error e) {
      failed(e);
      if (session.sentToServer() == before) {
        session.toServer(message.array(), message.offset(), message.length());
      }
    }
  }

  void fromServer(Message message) {
    long before = session.sentToClient();
    try {
      conversation.fromServer(message, session);
    } catch (RuntimeException | Error e) {
      failed(e);
      if (session.sentToClient() == before) {
        session.toClient(message.array(), message.offset(), message.length());
      }
    }
  }

  void closed(boolean byClient) {
    try {
      conversation.closed(byClient);
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  boolean withholds() {
    try {
      return conversation.withholds();
    } catch (RuntimeException | Error e) {
      failed(e);
      return false;
    }
  }

  boolean isIdle() {
    try {
      return conversation.isIdle();
    } catch (RuntimeException | Error e) {
      failed(e);
      return false;
    }
  }

  /** Runs something that the conversation has asked to be run. */
  void guard(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  /** Ends the conversation, whose messages can no longer be told apart. */
  void giveUp() {
    Conversation ended = conversation;
    conversation = Conversation.UNSEEN;
    try {
      ended.givenUp(session);
    } catch (RuntimeException | Error e) {
      failed(e);
    }
    session.releaseClient();
  }

  private void failed(Throwable failure) {
    stats.add(Count.CONVERSATION_FAILURES);
    LOG.error("a conversation failed; its connection goes on unseen", LoggedFailure.of(failure));
    giveUp();
  }
}
