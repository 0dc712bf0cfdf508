package io.isotail.ingest.proxy;

import io.isotail.ingest.postgres.Message;
import io.isotail.ingest.proxy.ScramLogin.RefusedException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a client logs in. Whatever the server asks for is relayed, but for two things: a mechanism
 * that binds the channel is not offered, because two channels end at the proxy; and where the
 * server asks for SCRAM of a user whose secret the proxy has, the proxy takes the login itself. For
 * the thread of its session.
 */
final class Login {
  private static final byte AUTHENTICATION = 'R';
  private static final byte RESPONSE = 'p';
  private static final int OK = 0;
  private static final int MOST = 65_536;
  private static final String BINDS = "-PLUS";

  private final String user;
  private final @Nullable ScramSecret secret;
  private @Nullable ScramLogin own;
  private boolean done;

  /**
   * A login.
   *
   * @param secret null if the proxy has none of the user
   */
  Login(String user, @Nullable ScramSecret secret) {
    this.user = user;
    this.secret = secret;
  }

  /** Whether the server has let the client in. */
  boolean isDone() {
    return done;
  }

  /** Whether the proxy takes the login itself. */
  boolean isOwn() {
    return own != null;
  }

  /** Whether a message of the server is looked at for the login. */
  boolean looksAtServer(byte type, int length) {
    return !done && type == AUTHENTICATION && length <= MOST;
  }

  /** Whether a message of the client is the proxy's, and not the server's. */
  boolean looksAtClient(byte type, int length) {
    return own != null && !done && type == RESPONSE && length <= MOST;
  }

  /**
   * A message of the client that is the proxy's.
   *
   * @throws RefusedException when the client is not who it says
   */
  void fromClient(Message message, Session session) throws RefusedException {
    ScramLogin login = own;
    if (login != null) {
      byte[] next = login.fromClient(message);
      if (login.knowsClient()) {
        session.toServer(next, 0, next.length);
      } else {
        session.toClient(next, 0, next.length);
      }
    }
  }

  /**
   * A message of the server.
   *
   * @return what the client is told in place of it; null for nothing
   * @throws RefusedException when the server does not take what the proxy has
   */
  @Nullable Message fromServer(Message message, Session session) throws RefusedException {
    if (message.length() < Message.BODY + 4) {
      return message;
    }
    int kind = message.int32(Message.BODY);
    ScramLogin login = own;
    if (kind == OK) {
      if (login != null && !login.isOver()) {
        throw new RefusedException(
            Replies.Cause.PROTOCOL, "isotail proxy: the server ended the login too early");
      }
      done = true;
      return message;
    }
    if (login != null) {
      return switch (kind) {
        case ScramLogin.SASL_CONTINUE -> {
          byte[] answer = login.challenged(message);
          session.toServer(answer, 0, answer.length);
          yield null;
        }
        case ScramLogin.SASL_FINAL -> message(login.proven(message));
        default ->
            throw new RefusedException(
                Replies.Cause.PROTOCOL, "isotail proxy: the server asked for another login");
      };
    }
    return kind == ScramLogin.SASL ? offered(message, mechanisms(message)) : message;
  }

  private Message offered(Message message, List<String> offered) {
    if (secret != null && offered.contains(ScramLogin.MECHANISM)) {
      own = new ScramLogin(user, secret);
      return message(ScramLogin.offer());
    }
    List<String> left = offered.stream().filter(name -> !name.endsWith(BINDS)).toList();
    if (left.isEmpty() || left.size() == offered.size()) {
      return message;
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write(message.array(), message.offset() + Message.BODY, 4);
    for (String name : left) {
      body.writeBytes(name.getBytes(StandardCharsets.UTF_8));
      body.write(0);
    }
    body.write(0);
    return message(Replies.message('R', body.toByteArray()));
  }

  private static Message message(byte[] bytes) {
    return new Message().show(bytes, 0, bytes.length);
  }

  /** The mechanisms that are offered; none if the message does not hold together. */
  private static List<String> mechanisms(Message message) {
    List<String> mechanisms = new ArrayList<>();
    try {
      for (int at = Message.BODY + 4; message.byteAt(at) != 0; at = message.afterText(at)) {
        mechanisms.add(message.text(at));
      }
    } catch (IndexOutOfBoundsException e) {
      return List.of();
    }
    return mechanisms;
  }
}
