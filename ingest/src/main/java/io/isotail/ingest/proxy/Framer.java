package io.isotail.ingest.proxy;

import io.isotail.ingest.postgres.Message;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of one side into messages. What is not looked at is passed on in ranges of the
 * bytes it came in, as long as they can be; what is looked at is shown whole, and put together
 * first if it came in pieces.
 *
 * <p>For one thread. Bound: one message that is looked at, and never more than twice the bytes of
 * it that came.
 */
final class Framer {
  /** Where the bytes of a side go. */
  interface Sink {
    /**
     * Whether a message that begins is to be shown whole.
     *
     * @param length in bytes, its type and length included
     */
    boolean looksAt(byte type, int length);

    /** So many bytes go on unseen, after all that went on before. */
    void pass(byte[] bytes, int offset, int length);

    /** A message that is looked at. */
    void message(Message message);

    /** Whether nothing more is to be cut for now; asked at least after each message shown. */
    boolean stops();

    /** No message has such a length. From here on every byte is passed on. */
    void lost(byte type, int length);
  }

  private static final int FIRST_PIECE = 8_192;
  private static final byte[] NONE = {};
  private static final byte[] NOTHING = new byte[Message.BODY];

  private final Sink sink;
  private final Message message = new Message();
  private final byte[] head = new byte[Message.BODY];
  private int headLength;

  /** Bytes of a message that goes on unseen that have not come yet. */
  private int unseen;

  /** The part that has come of a message that is looked at; null if there is none. */
  private byte @Nullable [] pieces;

  private int piecesLength;
  private int wholeLength;
  private boolean lost;

  Framer(Sink sink) {
    this.sink = sink;
  }

  /** Whether the next byte begins a message. */
  boolean isBetweenMessages() {
    return headLength == 0 && unseen == 0 && pieces == null && !lost;
  }

  /** Whether some bytes of a message have gone on unseen, and others are still to come. */
  boolean isPassing() {
    return unseen > 0 || lost;
  }

  /**
   * Takes bytes, which must not be changed any more.
   *
   * @return where it stopped: {@code to} unless the sink {@linkplain Sink#stops stops} it
   */
  int take(byte[] bytes, int from, int to) {
    int at = cut(bytes, from, to);
    message.show(NOTHING, 0, NOTHING.length); // keeps no bytes of an idle connection alive
    return at;
  }

  private int cut(byte[] bytes, int from, int to) {
    int at = from;
    int passedFrom = from;
    while (at < to) {
      if (lost) {
        at = to;
      } else if (unseen > 0) {
        int size = Math.min(unseen, to - at);
        unseen -= size;
        at += size;
      } else if (pieces != null) {
        at = collect(bytes, at, to);
        passedFrom = at;
        if (piecesLength == wholeLength) {
          showPieces();
          if (sink.stops()) {
            return at;
          }
        }
      } else if (headLength > 0 || to - at < Message.BODY) {
        at = takeHead(bytes, at, to, passedFrom);
        passedFrom = at;
        if (sink.stops()) {
          return at;
        }
      } else {
        int length = length(bytes, at);
        byte type = bytes[at];
        if (length < Message.BODY) {
          lose(type, length);
        } else if (!sink.looksAt(type, length)) {
          if (sink.stops()) {
            pass(bytes, passedFrom, at);
            return at;
          }
          unseen = length;
        } else {
          pass(bytes, passedFrom, at);
          if (length <= to - at) {
            sink.message(message.show(bytes, at, length));
            at += length;
            passedFrom = at;
            if (sink.stops()) {
              return at;
            }
          } else {
            begin(length, to - at);
            at = collect(bytes, at, to);
            passedFrom = at;
          }
        }
      }
    }
    pass(bytes, passedFrom, to);
    return to;
  }

  /** The side has ended: passes on what has come of a message that will not be whole. */
  void end() {
    pass(head, 0, headLength);
    headLength = 0;
    byte[] begun = pieces;
    pieces = null;
    if (begun != null) {
      pass(begun, 0, piecesLength);
    }
  }

  /** Collects type and length, which do not stand together in the bytes at hand. */
  private int takeHead(byte[] bytes, int from, int to, int passedFrom) {
    pass(bytes, passedFrom, from);
    int size = Math.min(Message.BODY - headLength, to - from);
    System.arraycopy(bytes, from, head, headLength, size);
    headLength += size;
    if (headLength == Message.BODY) {
      int length = length(head, 0);
      boolean looks = length >= Message.BODY && sink.looksAt(head[0], length);
      if (length >= Message.BODY && !looks && sink.stops()) {
        headLength--; // Its last byte stays, so that it is asked for again.
        return from + size - 1;
      }
      headLength = 0;
      if (length < Message.BODY) {
        lose(head[0], length);
        pass(head.clone(), 0, Message.BODY);
      } else if (looks) {
        begin(length, Message.BODY);
        collect(head, 0, Message.BODY);
        if (piecesLength == wholeLength) {
          showPieces();
        }
      } else {
        unseen = length - Message.BODY;
        pass(head.clone(), 0, Message.BODY);
      }
    }
    return from + size;
  }

  /** The length with the type: the one on the wire counts itself, and not the type. */
  private static int length(byte[] bytes, int at) {
    int onWire =
        bytes[at + 1] << 24
            | (bytes[at + 2] & 0xff) << 16
            | (bytes[at + 3] & 0xff) << 8
            | (bytes[at + 4] & 0xff);
    return onWire + 1;
  }

  private void lose(byte type, int length) {
    lost = true;
    sink.lost(type, length);
  }

  private void begin(int length, int have) {
    pieces = new byte[Math.min(length, Math.max(FIRST_PIECE, have))];
    piecesLength = 0;
    wholeLength = length;
  }

  private int collect(byte[] bytes, int from, int to) {
    byte[] into = pieces == null ? NONE : pieces;
    int size = Math.min(wholeLength - piecesLength, to - from);
    if (piecesLength + size > into.length) {
      long doubled = Math.max(2L * into.length, (long) piecesLength + size);
      into = Arrays.copyOf(into, (int) Math.min(doubled, wholeLength));
      pieces = into;
    }
    System.arraycopy(bytes, from, into, piecesLength, size);
    piecesLength += size;
    return from + size;
  }

  private void showPieces() {
    byte[] whole = pieces == null ? NONE : pieces;
    pieces = null;
    sink.message(message.show(whole, 0, wholeLength));
  }

  private void pass(byte[] bytes, int from, int to) {
    if (from < to) {
      sink.pass(bytes, from, to - from);
    }
  }
}
