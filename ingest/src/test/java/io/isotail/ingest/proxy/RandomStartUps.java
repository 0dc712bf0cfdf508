package io.isotail.ingest.proxy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What a client may send before its session begins, drawn at random: well-behaved and not. */
final class RandomStartUps {
  private static final int[] PROTOCOLS = {
    2 << 16, 3 << 16 | 1, Packets.PROTOCOL_3_2, 3 << 16 | 9, 3 << 16 | 0xffff, 4 << 16, 0, 1, -1
  };

  private static final int[] LENGTHS = {
    0, 3, 4, 5, 7, 8, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 10_004, 10_005, 1 << 24
  };

  private static final int[] KEY_BYTES = {0, 3, 4, 5, 32, 256, 9_992, 9_993};

  private static final byte[] TLS_HELLO = {0x16, 3, 1, 0, (byte) 0xc8, 1, 0, 0, (byte) 0xc4, 3, 3};

  private static final List<List<String>> PARAMETERS =
      List.of(
          List.of("database", "postgres"),
          List.of("database", "nowhere"),
          List.of("database", "x".repeat(70)),
          List.of("user", "nobody"),
          List.of("user", ""),
          List.of("user", "postgres"),
          List.of("replication", "true"),
          List.of("replication", "database"),
          List.of("replication", "perhaps"),
          List.of("replication", "off"),
          List.of("_pq_.option", "x"),
          List.of("_pq_.", ""),
          List.of("options", "-c search_path=none"),
          List.of("options", "-c nothing=1"),
          List.of("options", "-c statement_timeout=soon"),
          List.of("options", "-d 5 --what"),
          List.of("client_encoding", "LATIN1"),
          List.of("client_encoding", "none"),
          List.of("application_name", "\u00e4\u20ac"),
          List.of("DateStyle", "German"),
          List.of("nothing", "at all"));

  private final Random random;

  RandomStartUps(Random random) {
    this.random = random;
  }

  /** Packets, each sent when the one before it is answered. */
  List<byte[]> packets() {
    List<byte[]> packets = new ArrayList<>();
    for (int i = random.nextInt(4) - 1; i > 0; i--) {
      packets.add(request());
    }
    packets.add(last());
    return packets;
  }

  /** A request for encryption. */
  private byte[] request() {
    byte[] request = (random.nextBoolean() ? Packets.GSS_REQUEST : Replies.TLS_REQUEST).clone();
    if (random.nextInt(8) == 0) {
      byte[] longer = Arrays.copyOf(request, request.length + random.nextInt(9));
      return withLength(longer, longer.length);
    }
    return request;
  }

  private byte[] last() {
    return switch (random.nextInt(12)) {
      case 0 -> Packets.join(request(), random.nextBoolean() ? startUp() : new byte[1]);
      case 1 -> cancel();
      case 2 -> cut(random.nextBoolean() ? startUp() : cancel());
      case 3 -> withLength(startUp(), LENGTHS[random.nextInt(LENGTHS.length)]);
      case 4 -> {
        byte[] packet = startUp();
        yield withLength(packet, packet.length - 3 + random.nextInt(7));
      }
      case 5 -> laidOutBadly(startUp());
      case 6 -> random.nextInt(3) == 0 ? noise() : giant();
      case 7 -> behind(startUp());
      default -> startUp();
    };
  }

  private byte[] startUp() {
    List<String> texts = new ArrayList<>();
    if (random.nextInt(8) > 0) {
      texts.addAll(List.of("user", "postgres"));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      texts.addAll(PARAMETERS.get(random.nextInt(PARAMETERS.size())));
    }
    int protocol =
        random.nextInt(3) > 0
            ? Packets.PROTOCOL_3_0
            : random.nextInt(12) == 0
                ? random.nextInt()
                : PROTOCOLS[random.nextInt(PROTOCOLS.length)];
    return Packets.startUp(protocol, texts.toArray(String[]::new));
  }

  /** About as long as a server takes. */
  private byte[] giant() {
    byte[] little = Packets.startUp("user", "postgres", "application_name", "");
    int size = 9_998 + random.nextInt(9) - little.length;
    return Packets.startUp("user", "postgres", "application_name", "x".repeat(size));
  }

  private byte[] cancel() {
    byte[] request = Packets.cancel(new byte[KEY_BYTES[random.nextInt(KEY_BYTES.length)]]);
    return random.nextInt(4) == 0
        ? withLength(request, LENGTHS[random.nextInt(LENGTHS.length)])
        : request;
  }

  private byte[] cut(byte[] packet) {
    return Arrays.copyOf(packet, random.nextInt(packet.length));
  }

  private byte[] laidOutBadly(byte[] packet) {
    byte[] bad = packet.clone();
    switch (random.nextInt(5)) {
      case 0 -> bad[bad.length - 1] = 'x'; // Which the server takes.
      case 1 -> bad = withLength(Arrays.copyOf(bad, bad.length - 1), bad.length - 1);
      case 2 -> bad = withLength(Arrays.copyOf(bad, StartPacket.BODY), StartPacket.BODY);
      case 3 -> bad[StartPacket.BODY + random.nextInt(bad.length - StartPacket.BODY)] = 0;
      default -> {
        for (int i = random.nextInt(4); i >= 0; i--) {
          bad[StartPacket.BODY + random.nextInt(bad.length - StartPacket.BODY)] =
              (byte) random.nextInt();
        }
      }
    }
    return bad;
  }

  /** With messages behind it that nobody has asked for yet, of which the last one ends it. */
  private byte[] behind(byte[] packet) {
    byte[] message =
        switch (random.nextInt(4)) {
          case 0 -> Packets.query("SELECT 1");
          case 1 -> Replies.message('p', "password\0".getBytes(StandardCharsets.UTF_8));
          case 2 -> Replies.message('?', new byte[3]);
          default -> Replies.message('S', new byte[0]);
        };
    return Packets.join(packet, message, Replies.TERMINATE);
  }

  private byte[] noise() {
    ByteArrayOutputStream noise = new ByteArrayOutputStream();
    switch (random.nextInt(3)) {
      case 0 -> noise.writeBytes(TLS_HELLO);
      case 1 -> noise.writeBytes("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      default -> {
        byte[] bytes = new byte[1 + random.nextInt(60)];
        random.nextBytes(bytes);
        noise.writeBytes(bytes);
      }
    }
    return noise.toByteArray();
  }

  private static byte[] withLength(byte[] packet, int length) {
    byte[] other = packet.clone();
    ByteBuffer.wrap(other).putInt(length);
    return other;
  }
}
