package io.isotail.ingest.proxy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** What a server may say before a session begins, drawn at random: well-behaved and not. */
final class RandomServerStarts {
  private static final int[] KEY_BYTES = {0, 4, 7, 8, 9, 12, 36, 260, 70_000};
  private static final int[] AUTHENTICATIONS = {2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 99, -1};

  private static final int[] LENGTHS = {
    0, 3, 4, 5, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x3fff_ffff, 0x4000_0000, 70_000
  };

  private final Random random;

  RandomServerStarts(Random random) {
    this.random = random;
  }

  /** All that it says, before it closes the connection. */
  byte[] messages() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    if (random.nextInt(5) == 0) {
      all.writeBytes(negotiation());
    }
    if (random.nextInt(4) > 0) {
      all.writeBytes(authentication(0));
    }
    for (int i = random.nextInt(6); i > 0; i--) {
      byte[] message = message();
      all.writeBytes(random.nextInt(6) == 0 ? spoilt(message) : message);
    }
    byte[] bytes = all.toByteArray();
    return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)) : bytes;
  }

  private byte[] message() {
    return switch (random.nextInt(12)) {
      case 0 -> negotiation();
      case 1 -> authentication(AUTHENTICATIONS[random.nextInt(AUTHENTICATIONS.length)]);
      case 2 -> authentication(random.nextInt());
      case 3 -> Replies.message('K', noise(KEY_BYTES[random.nextInt(KEY_BYTES.length)]));
      case 4 -> text('S', "server_version\0" + "1".repeat(random.nextInt(100_000)) + "\0");
      case 5 -> text('S', "client_encoding");
      case 6 -> Replies.fatal(Replies.Cause.REFUSED, "x".repeat(random.nextInt(80_000)));
      case 7 -> text('N', "SNOTICE\0Mnoted\0\0");
      case 8 -> Replies.message('Z', noise(random.nextInt(3)));
      case 9 -> Replies.message((char) random.nextInt(256), noise(random.nextInt(40)));
      default -> text('S', "client_encoding\0UTF8\0");
    };
  }

  private byte[] negotiation() {
    ByteBuffer body = ByteBuffer.allocate(8 + 6).putInt(random.nextInt(4)).putInt(1);
    return Replies.message('v', body.put("_pq_.\0".getBytes(StandardCharsets.US_ASCII)).array());
  }

  private byte[] authentication(int kind) {
    byte[] more = kind == 10 ? "SCRAM-SHA-256\0".getBytes(StandardCharsets.US_ASCII) : noise(4);
    byte[] body = ByteBuffer.allocate(4 + more.length).putInt(kind).put(more).array();
    boolean whole = kind == 0 || random.nextInt(3) > 0;
    int length = kind == 0 ? 4 : whole ? body.length : random.nextInt(body.length + 1);
    return Replies.message('R', Arrays.copyOf(body, length));
  }

  private byte[] spoilt(byte[] message) {
    byte[] spoilt = message.clone();
    if (random.nextBoolean()) {
      ByteBuffer.wrap(spoilt).putInt(1, LENGTHS[random.nextInt(LENGTHS.length)]);
    } else {
      spoilt[random.nextInt(spoilt.length)] = (byte) random.nextInt();
    }
    return spoilt;
  }

  private byte[] text(char type, String text) {
    return Replies.message(type, text.getBytes(StandardCharsets.UTF_8));
  }

  private byte[] noise(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }
}
