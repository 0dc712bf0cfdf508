package io.isotail.ingest.proxy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** What the proxy itself says to a side, as bytes. */
final class Replies {
  /** TLS, or encryption by GSSAPI, is not to be had. */
  static final byte[] NO = {'N'};

  /** TLS begins. */
  static final byte[] YES = {'S'};

  /** Asks a server for TLS. */
  static final byte[] TLS_REQUEST = {0, 0, 0, 8, 4, (byte) 0xd2, 0x16, 0x2f};

  /** Ends a session. */
  static final byte[] TERMINATE = {'X', 0, 0, 0, 4};

  /** Why a session ends, as a server tells it. */
  enum Cause {
    TOO_MANY("53300"),
    NO_SERVER("08006"),
    PROTOCOL("08P01"),
    UNSUPPORTED("0A000"),
    STOPPING("57P03"),
    STOPPED("57P01"),
    REFUSED("28000"),
    BAD_PASSWORD("28P01");

    private final String state;

    Cause(String state) {
      this.state = state;
    }

    /** Its SQLSTATE. */
    String state() {
      return state;
    }
  }

  private Replies() {}

  /** The error after which a server closes the connection. */
  static byte[] fatal(Cause cause, String text) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    field(body, 'S', "FATAL");
    field(body, 'V', "FATAL");
    field(body, 'C', cause.state());
    field(body, 'M', text);
    body.write(0);
    return message('E', body.toByteArray());
  }

  private static void field(ByteArrayOutputStream body, char name, String value) {
    body.write(name);
    body.writeBytes(value.replace('\0', ' ').getBytes(StandardCharsets.UTF_8));
    body.write(0);
  }

  /** A message with its type and length. */
  static byte[] message(char type, byte[] body) {
    int length = body.length + 4;
    byte[] message = new byte[length + 1];
    message[0] = (byte) type;
    message[1] = (byte) (length >>> 24);
    message[2] = (byte) (length >>> 16);
    message[3] = (byte) (length >>> 8);
    message[4] = (byte) length;
    System.arraycopy(body, 0, message, 5, body.length);
    return message;
  }
}
