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

    /** A start-up message that a server refuses: of another protocol, or not laid out as one. */
    REFUSED
  }

  /** Where the code stands. */
  static final int CODE = 4;

  /** Where what follows the code stands. */
  static final int BODY = 8;

  /** Bytes that PostgreSQL takes at most: it does not count those of the length. */
  static final int MOST = 10_004;

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
   * A packet that has come whole. A server looks at nothing but the code of a request for
   * encryption, whatever its length.
   */
  static StartPacket of(byte[] packet) {
    int code = int32(packet, CODE);
    return switch (code) {
      case TLS_REQUEST -> new StartPacket(Kind.TLS, code, Map.of());
      case GSS_REQUEST -> new StartPacket(Kind.GSS_ENCRYPTION, code, Map.of());
      case CANCEL_REQUEST -> new StartPacket(Kind.CANCEL, code, Map.of());
      default -> startUp(code, packet);
    };
  }

  /** Reads as PostgreSQL does, so that what it takes is a start-up message here too. */
  private static StartPacket startUp(int code, byte[] packet) {
    Map<String, String> parameters = new LinkedHashMap<>();
    int at = BODY;
    while (at < packet.length && packet[at] != 0) {
      int name = end(packet, at);
      if (name + 1 >= packet.length) {
        break;
      }
      int value = end(packet, name + 1);
      parameters.put(text(packet, at, name), text(packet, name + 1, value));
      at = value + 1;
    }
    return code >>> 16 == PROTOCOL && at == packet.length - 1
        ? new StartPacket(Kind.START_UP, code, parameters)
        : new StartPacket(Kind.REFUSED, code, Map.of());
  }

  /** Where a text ends: at the latest where the packet does. */
  private static int end(byte[] packet, int from) {
    int at = from;
    while (at < packet.length && packet[at] != 0) {
      at++;
    }
    return at;
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
