package io.isotail.ingest.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A client that sends its first packets and tells what comes back. */
final class StartTalk {
  /** Stands for the end of the connection, by whatever means. */
  static final String CLOSED = "closed";

  /** Stands for an answer that did not come. */
  static final String STUCK = "stuck";

  /** No answer takes as long. */
  private static final int STUCK_MS = 20_000;

  private static final int MOST_SHOWN = 300;

  private StartTalk() {}

  /**
   * Sends each packet when the one before it is answered.
   *
   * @param cuts says how a packet is cut into pieces
   */
  static List<String> talk(int port, List<byte[]> packets, Random cuts) throws IOException {
    List<String> told = new ArrayList<>();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(STUCK_MS);
      socket.setTcpNoDelay(true);
      for (byte[] packet : packets) {
        boolean whole = isWhole(packet);
        send(socket, packet, cuts);
        if (!whole) {
          socket.shutdownOutput(); // It waits for more, which does not come.
        }
        if (!read(socket.getInputStream(), isRequest(packet), packet, told)) {
          break;
        }
      }
    } catch (SocketTimeoutException e) {
      told.add(STUCK);
    } catch (IOException e) {
      told.add(CLOSED);
    }
    return told;
  }

  private static void send(Socket socket, byte[] packet, Random cuts) throws IOException {
    // A server that has refused the first piece may reset the connection for the second one.
    boolean alone = isWhole(packet) && ByteBuffer.wrap(packet).getInt() == packet.length;
    int cut = alone && cuts.nextInt(4) == 0 ? cuts.nextInt(packet.length) : 0;
    socket.getOutputStream().write(packet, 0, cut);
    socket.getOutputStream().write(packet, cut, packet.length - cut);
  }

  /** Whether a server has nothing to wait for. */
  private static boolean isWhole(byte[] packet) {
    if (packet.length < 4) {
      return false;
    }
    int length = ByteBuffer.wrap(packet).getInt();
    return length < StartPacket.BODY || length > StartPacket.MOST || length <= packet.length;
  }

  private static boolean isRequest(byte[] packet) {
    return isWhole(packet)
        && packet.length >= StartPacket.BODY
        && (StartPacket.int32(packet, 4) == StartPacket.int32(Replies.TLS_REQUEST, 4)
            || StartPacket.int32(packet, 4) == StartPacket.int32(Packets.GSS_REQUEST, 4));
  }

  /** Reads up to the end of an answer; returns whether more may be sent. */
  private static boolean read(InputStream in, boolean request, byte[] packet, List<String> told)
      throws IOException {
    ByteArrayOutputStream came = new ByteArrayOutputStream();
    boolean alone = packet.length == StartPacket.int32(Arrays.copyOf(packet, 4), 0);
    boolean toEnd = packet.length > 4 && packet[packet.length - 5] == 'X' && !alone;
    try {
      for (int b = in.read(); b >= 0; b = in.read()) {
        came.write(b);
        byte[] bytes = came.toByteArray();
        if (request && alone && (bytes[0] == 'N' || bytes[0] == 'S')) {
          told.add(text(bytes, 0, 1));
          return true;
        }
        if (!toEnd && b == 'I' && endsInReady(bytes)) {
          told.addAll(messages(bytes));
          return false;
        }
      }
    } catch (SocketTimeoutException e) {
      told.addAll(messages(came.toByteArray()));
      throw e;
    } catch (IOException e) {
      // Closed too: which of both it is says how much was not read.
    }
    told.addAll(messages(came.toByteArray()));
    told.add(CLOSED);
    return false;
  }

  private static boolean endsInReady(byte[] bytes) {
    int at = bytes.length - 6;
    return at >= 0 && bytes[at] == 'Z' && StartPacket.int32(bytes, at + 1) == 5;
  }

  /** Messages as text, without what no two sessions have in common. */
  private static List<String> messages(byte[] bytes) {
    List<String> messages = new ArrayList<>();
    int at = 0;
    if (bytes.length > 0 && bytes[0] == 'N' && (bytes.length == 1 || bytes[1] == 'E')) {
      messages.add("N");
      at = 1;
    }
    while (at < bytes.length) {
      int length = at + 5 <= bytes.length ? StartPacket.int32(bytes, at + 1) : -1;
      if (length < 4 || length > bytes.length - at - 1) {
        messages.add("not a message: " + text(bytes, at, bytes.length));
        break;
      }
      messages.add(message((char) bytes[at], bytes, at + 5, at + 1 + length));
      at += 1 + length;
    }
    return messages;
  }

  private static String message(char type, byte[] bytes, int from, int to) {
    if (type == 'K') {
      return "K of " + (to - from) + " bytes";
    }
    if (type != 'E') {
      return type + " " + text(bytes, from, to);
    }
    StringBuilder fields = new StringBuilder("E [");
    for (String field : new String(bytes, from, to - from, StandardCharsets.UTF_8).split("\0")) {
      if (!field.isEmpty()) {
        fields.append(' ').append(field.charAt(0)).append('=').append(field.substring(1));
        fields.append(',');
      }
    }
    return fields.append(']').toString();
  }

  /** Packets as text. */
  static List<String> shown(List<byte[]> packets) {
    return packets.stream().map(packet -> text(packet, 0, packet.length)).toList();
  }

  private static String text(byte[] bytes, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to && text.length() < MOST_SHOWN; i++) {
      byte b = bytes[i];
      text.append(b >= ' ' && b < 127 ? String.valueOf((char) b) : "\\" + (b & 0xff));
    }
    return text.length() < MOST_SHOWN ? text.toString() : text + "…";
  }
}
