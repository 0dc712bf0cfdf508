package io.isotail.ingest.proxy;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The first packet of a client, or what it is preceded by: four bytes for a length that counts
 * itself, four for a code, and no type.
 *
 * @param kind what it asks for
 * @param code its code: of a start-up message the protocol's version
 * @param parameters of a start-up message; empty of the others
 */
record StartPacket(Kind kind, int code, Map<String, String> parameters) {
  /** What it asks for. */
  enum Kind {
    TLS,
    GSS_ENCRYPTION,
    CANCEL,
    START_UP,

    /** A protocol that is not spoken here. */
    OTHER_PROTOCOL
  }

  /** Where the code stands. */
  static final int CODE = 4;

  /** Where what follows the code stands. */
  static final int BODY = 8;

  /** Bytes that PostgreSQL takes at most. */
  static final int MOST = 10_000;

  private static final int CANCEL_REQUEST = 80_877_102;
  private static final int TLS_REQUEST = 80_877_103;
  private static final int GSS_REQUEST = 80_877_104;
  private static final int PROTOCOL = 3;
  private static final Set<String> NO = Set.of("false", "off", "no", "0", "f", "n");

  /** Copies the map. */
  StartPacket {
    parameters = Map.copyOf(parameters);
  }

  /** The length that the first four bytes of a packet tell; 0 if no packet has it. */
  static int length(byte[] bytes, int at) {
    int length = int32(bytes, at);
    return length < BODY || length > MOST ? 0 : length;
  }

  /**
   * A packet that has come whole.
   *
   * @throws IllegalArgumentException when it does not hold what its code says
   */
  static StartPacket of(byte[] packet) {
    int code = int32(packet, CODE);
    return switch (code) {
      case TLS_REQUEST -> bare(Kind.TLS, packet);
      case GSS_REQUEST -> bare(Kind.GSS_ENCRYPTION, packet);
      case CANCEL_REQUEST -> new StartPacket(Kind.CANCEL, code, Map.of());
      default ->
          code >>> 16 == PROTOCOL
              ? new StartPacket(Kind.START_UP, code, parameters(packet))
              : new StartPacket(Kind.OTHER_PROTOCOL, code, Map.of());
    };
  }

  private static StartPacket bare(Kind kind, byte[] packet) {
    if (packet.length != BODY) {
      throw new IllegalArgumentException(
          "a request of %d bytes; expected %d".formatted(packet.length, BODY));
    }
    return new StartPacket(kind, int32(packet, CODE), Map.of());
  }

  private static Map<String, String> parameters(byte[] packet) {
    Map<String, String> parameters = new LinkedHashMap<>();
    int at = BODY;
    while (at < packet.length && packet[at] != 0) {
      int name = end(packet, at);
      int value = end(packet, name + 1);
      parameters.put(text(packet, at, name), text(packet, name + 1, value));
      at = value + 1;
    }
    if (at != packet.length - 1) {
      throw new IllegalArgumentException("expected a terminator as the last byte");
    }
    return parameters;
  }

  private static int end(byte[] packet, int from) {
    for (int at = from; at < packet.length; at++) {
      if (packet[at] == 0) {
        return at;
      }
    }
    throw new IllegalArgumentException("a text that does not end");
  }

  private static String text(byte[] packet, int from, int to) {
    return new String(packet, from, to - from, StandardCharsets.UTF_8);
  }

  static int int32(byte[] bytes, int at) {
    return bytes[at] << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | (bytes[at + 3] & 0xff);
  }

  /** Whether the connection carries replication, whose messages are no client's business. */
  boolean isReplication() {
    String value = parameters.get("replication");
    return value != null && !NO.contains(value.toLowerCase(Locale.ROOT));
  }
}
