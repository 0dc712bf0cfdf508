package io.isotail.ingest.proxy;

import io.isotail.ingest.postgres.Conversation;
import io.isotail.ingest.postgres.Message;
import io.isotail.ingest.postgres.Wires;

/** How much a conversation sees. */
enum Sight {
  /** Nothing. */
  UNSEEN {
    @Override
    Conversation open() {
      return Conversation.UNSEEN;
    }
  },

  /** Every message, which it hands on as it is. */
  EVERYTHING {
    @Override
    Conversation open() {
      return new Everything();
    }
  };

  abstract Conversation open();

  /** Hands on every message, and knows when the session is idle. */
  static class Everything implements Conversation {
    private boolean idle;

    @Override
    public boolean looksAtClient(byte type, int length) {
      return true;
    }

    @Override
    public boolean looksAtServer(byte type, int length) {
      return true;
    }

    @Override
    public void fromClient(Message message, Wires wires) {
      idle = false;
      wires.toServer(message.array(), message.offset(), message.length());
    }

    @Override
    public void fromServer(Message message, Wires wires) {
      idle =
          message.type() == 'Z'
              && message.length() > Message.BODY
              && message.byteAt(Message.BODY) == 'I';
      wires.toClient(message.array(), message.offset(), message.length());
    }

    @Override
    public void closed(boolean byClient) {}

    @Override
    public boolean isIdle() {
      return idle;
    }
  }
}
