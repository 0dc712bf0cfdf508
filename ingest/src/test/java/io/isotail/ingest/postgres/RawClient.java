package io.isotail.ingest.postgres;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A client that sends bytes and tells what comes back, message by message. */
public final class RawClient implements AutoCloseable {
  private static final int PROTOCOL_3_0 = 3 << 16;
  private static final int PATIENCE_MS = 20_000;
  private static final int MOST_BYTES = 64 << 20;
  private static final int MOST_SHOWN = 400;

  /** Stands for the end of the connection. */
  public static final String GONE = "gone";

  private final Socket socket;
  private final DataInputStream in;
  private int pid;
  private byte[] secret = {};

  /** Connects to a database without a password, and waits until the server is ready. */
  public RawClient(int port, String database, String options) throws IOException {
    this(port, database, options, PATIENCE_MS);
  }

  /**
   * Connects to a database without a password, and waits until the server is ready.
   *
   * @param patienceMs how long each answer is waited for
   */
  public RawClient(int port, String database, String options, int patienceMs) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(patienceMs);
    in = new DataInputStream(socket.getInputStream());
    byte[] body =
        ("user\0postgres\0database\0" + database + "\0options\0" + options + "\0\0")
            .getBytes(StandardCharsets.UTF_8);
    socket
        .getOutputStream()
        .write(
            ByteBuffer.allocate(8 + body.length)
                .putInt(8 + body.length)
                .putInt(PROTOCOL_3_0)
                .put(body)
                .array());
    try {
      read(1);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** Process of the server's session. */
  public int pid() {
    return pid;
  }

  /** What a request to cancel must have beside the process. */
  public byte[] secret() {
    return secret.clone();
  }

  /** The socket, for those who mean harm. */
  public Socket socket() {
    return socket;
  }

  /** Sends messages in pieces. */
  public void send(byte[] messages, Random cuts) throws IOException {
    int at = 0;
    while (at < messages.length) {
      int most = cuts.nextInt(4) == 0 ? 6 : 2_000;
      int size = Math.min(messages.length - at, 1 + cuts.nextInt(most));
      socket.getOutputStream().write(messages, at, size);
      at += size;
    }
  }

  /** Sends messages. */
  public void send(byte[] messages) throws IOException {
    socket.getOutputStream().write(messages);
  }

  /**
   * What the server answers up to the mark at the end of a burst, or the end of the connection.
   *
   * @param flushed whether it answers nothing more after an error
   */
  public List<String> readToEnd(boolean flushed) throws IOException {
    List<String> messages = new ArrayList<>();
    int closes = 0;
    boolean ended = false;
    while (!ended) {
      try {
        byte type = in.readByte();
        byte[] body = new byte[bodyLength()];
        in.readFully(body);
        int pid = type == 'A' ? 4 : 0; // A notification begins with the process of its sender.
        messages.add((char) type + " " + shown(Arrays.copyOfRange(body, pid, body.length)));
        boolean marked = closes >= Messages.CLOSES;
        closes = type == '3' ? closes + 1 : 0;
        ended = flushed ? type == 'E' || closes == Messages.CLOSES : marked && type == 'Z';
      } catch (SocketTimeoutException e) {
        throw e;
      } catch (IOException e) {
        messages.add(GONE);
        return messages;
      }
    }
    return messages;
  }

  /** What the server answers until it has been ready so many times. */
  public List<String> read(int readies) throws IOException {
    List<String> messages = new ArrayList<>();
    int left = readies;
    while (left > 0) {
      byte type = in.readByte();
      byte[] body = new byte[bodyLength()];
      in.readFully(body);
      if (type == MessageTypes.BACKEND_KEY_DATA) {
        pid = ByteBuffer.wrap(body).getInt();
        secret = Arrays.copyOfRange(body, 4, body.length);
      }
      messages.add((char) type + " " + shown(body));
      left -= type == 'Z' ? 1 : 0;
    }
    return messages;
  }

  private int bodyLength() throws IOException {
    int length = in.readInt() - 4;
    if (length < 0 || length > MOST_BYTES) {
      throw new ProtocolException("a message of %d bytes".formatted(length));
    }
    return length;
  }

  /** A digit that follows an escaped byte is escaped too, so that the bytes can be read back. */
  private static String shown(byte[] body) {
    StringBuilder text = new StringBuilder();
    boolean escaped = false;
    for (byte b : body) {
      boolean digit = b >= '0' && b <= '9';
      escaped = b < ' ' || b == 127 || b == '\\' || (escaped && digit);
      text.append(escaped ? "\\" + (b & 0xff) : String.valueOf((char) b));
    }
    return text.length() <= MOST_SHOWN
        ? text.toString()
        : text.substring(0, MOST_SHOWN) + "… " + text.toString().hashCode();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** Puts messages together. */
  public static final class Messages {
    /** As many in a row as nothing else asks for. */
    private static final int CLOSES = 7;

    private final SentBytes all = new SentBytes();
    private final StringBuilder told = new StringBuilder();
    private int readies;
    private boolean flushed;

    /** All bytes. */
    public byte[] bytes() {
      return all.all().toByteArray();
    }

    /**
     * Ends what was sent, and the rows of a COPY that were not ended, with a mark that the server
     * answers with as many messages of one kind, whatever has failed.
     */
    public Messages end() {
      if (told.indexOf("COPY") >= 0) {
        copyFail();
      }
      sync();
      return mark().sync();
    }

    /** Has all answered that was sent, without a Sync; if it fails there is no mark. */
    public Messages flushedEnd() {
      flushed = true;
      return mark().flush();
    }

    private Messages mark() {
      for (int i = 0; i < CLOSES; i++) {
        about(MessageTypes.CLOSE, 'S', "end");
      }
      return this;
    }

    /** Whether it is ended without a Sync. */
    public boolean isFlushed() {
      return flushed;
    }

    /** How often the server will be ready. */
    public int readies() {
      return readies;
    }

    @Override
    public String toString() {
      return told.toString();
    }

    private Messages add(MessageBuilder message, String what) {
      told.append(what).append("; ");
      message.toServer(all);
      return this;
    }

    /** What others hold. */
    public Messages add(Messages others) {
      all.all().writeBytes(others.bytes());
      told.append(others);
      readies += others.readies;
      return this;
    }

    /** Query. */
    public Messages query(String sql) {
      readies++;
      return add(new MessageBuilder().begin(MessageTypes.QUERY).text(sql).end(), "Query " + sql);
    }

    /** A Query that the server skips because something before it has failed. */
    public Messages skippedQuery(String sql) {
      query(sql);
      readies--;
      return this;
    }

    /** Parse. */
    public Messages parse(String name, String sql, int... types) {
      MessageBuilder message =
          new MessageBuilder().begin(MessageTypes.PARSE).text(name).text(sql).int16(types.length);
      for (int type : types) {
        message.int32(type);
      }
      return add(message.end(), "Parse " + name + ": " + sql);
    }

    /**
     * Bind.
     *
     * @param parameters as text; null for NULL
     */
    public Messages bind(String portal, String name, String[] parameters, int... formats) {
      MessageBuilder message =
          new MessageBuilder()
              .begin(MessageTypes.BIND)
              .text(portal)
              .text(name)
              .int16(0)
              .int16(parameters.length);
      for (String parameter : parameters) {
        byte[] text = parameter == null ? null : parameter.getBytes(StandardCharsets.UTF_8);
        message.int32(text == null ? -1 : text.length);
        if (text != null) {
          message.bytes(text, 0, text.length);
        }
      }
      message.int16(formats.length);
      for (int format : formats) {
        message.int16(format);
      }
      return add(
          message.end(),
          "Bind %s %s %s %s"
              .formatted(
                  portal,
                  name,
                  java.util.Arrays.toString(parameters),
                  java.util.Arrays.toString(formats)));
    }

    /** Describe or Close, of a statement ({@code S}) or a portal ({@code P}). */
    public Messages about(byte type, char what, String name) {
      return add(
          new MessageBuilder().begin(type).int8(what).text(name).end(),
          (char) type + "(" + what + ") " + name);
    }

    /** Execute. */
    public Messages execute(String portal, int limit) {
      return add(
          new MessageBuilder().begin(MessageTypes.EXECUTE).text(portal).int32(limit).end(),
          "Execute " + portal + " " + limit);
    }

    /** Sync. */
    public Messages sync() {
      readies++;
      return add(new MessageBuilder().begin(MessageTypes.SYNC).end(), "Sync");
    }

    /** A Sync that the server takes no notice of. */
    public Messages syncInCopy() {
      return add(new MessageBuilder().begin(MessageTypes.SYNC).end(), "(Sync)");
    }

    /** Flush. */
    public Messages flush() {
      return add(new MessageBuilder().begin((byte) 'H').end(), "Flush");
    }

    /** FunctionCall with one parameter, as text. */
    public Messages functionCall(int function, String parameter) {
      readies++;
      byte[] text = parameter.getBytes(StandardCharsets.UTF_8);
      return add(
          new MessageBuilder()
              .begin(MessageTypes.FUNCTION_CALL)
              .int32(function)
              .int16(0)
              .int16(1)
              .int32(text.length)
              .bytes(text, 0, text.length)
              .int16(0)
              .end(),
          "FunctionCall " + parameter);
    }

    /** CopyData. */
    public Messages copyData(String row) {
      byte[] text = row.getBytes(StandardCharsets.UTF_8);
      return add(
          new MessageBuilder().begin((byte) 'd').bytes(text, 0, text.length).end(),
          "CopyData " + row.strip());
    }

    /** CopyDone. */
    public Messages copyDone() {
      return add(new MessageBuilder().begin(MessageTypes.COPY_DONE).end(), "CopyDone");
    }

    /** CopyFail. */
    public Messages copyFail() {
      return add(new MessageBuilder().begin(MessageTypes.COPY_FAIL).text("no").end(), "CopyFail");
    }
  }
}
