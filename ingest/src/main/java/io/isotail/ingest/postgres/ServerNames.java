package io.isotail.ingest.postgres;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Names of statements and portals as the server keeps them: of each no more than its first {@value
 * #MOST_BYTES} bytes count. A name of the protocol is cut after these wherever that is, one in SQL
 * not within a character.
 *
 * <p>They are texts with a character for each byte, so that two names are equal where the server
 * takes them for one.
 */
final class ServerNames {
  static final int MOST_BYTES = 63;

  private ServerNames() {}

  /** The name that begins at a position of a message and ends with a zero byte. */
  static String in(Message message, int position) {
    int size = Math.min(MOST_BYTES, message.afterText(position) - 1 - position);
    return new String(
        message.array(), message.offset() + position, size, StandardCharsets.ISO_8859_1);
  }

  /** A name that stands in SQL. */
  static String ofSql(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    int size = Math.min(MOST_BYTES, bytes.length);
    while (size < bytes.length && size > 0 && (bytes[size] & 0xc0) == 0x80) {
      size--; // It would end within a character.
    }
    return new String(Arrays.copyOf(bytes, size), StandardCharsets.ISO_8859_1);
  }
}
