package io.isotail.ingest.postgres;

import io.isotail.ingest.sql.Operand;
import java.util.function.IntFunction;

/**
 * The parameters of a Bind message, read when they are asked for. Keeps the bytes of those that are
 * no longer than {@value #MOST_VALUE_BYTES}. Longer ones are not known: no key is as long. For one
 * thread.
 */
final class BoundValues implements IntFunction<Object> {
  static final int MOST_VALUE_BYTES = 64 << 10;

  /** About what the object itself takes. */
  private static final int OWN_BYTES = 64;

  private static final int NOT_KEPT = -1;
  private static final byte[] NO_BYTES = {};
  private static final int[] NO_PLACES = {};

  private final Prepared of;
  private final WireValues values;
  private byte[] bytes;
  private int[] places;
  private final Formats formats;

  private BoundValues(Prepared of, WireValues values, byte[] bytes, int[] places, Formats formats) {
    this.of = of;
    this.values = values;
    this.bytes = bytes;
    this.places = places;
    this.formats = formats;
  }

  /**
   * Reads where the parameters stand.
   *
   * @param start position after the names in the message
   */
  static BoundValues of(Message bind, int start, Prepared prepared, WireValues values) {
    Formats formats = Formats.of(bind, start);
    int at = start + 2 + 2 * formats.codes();
    int[] places = new int[bind.int16(at)];
    at += 2;
    int first = at;
    int kept = 0;
    for (int i = 0; i < places.length; i++) {
      int size = 4 + Math.max(0, bind.int32(at));
      boolean keeps = size <= 4 + MOST_VALUE_BYTES;
      places[i] = keeps ? kept : NOT_KEPT;
      kept += keeps ? size : 0;
      at += size;
    }
    byte[] bytes = new byte[kept];
    at = first;
    for (int place : places) {
      int size = 4 + Math.max(0, bind.int32(at));
      if (place != NOT_KEPT) {
        System.arraycopy(bind.array(), bind.offset() + at, bytes, place, size);
      }
      at += size;
    }
    return new BoundValues(prepared, values, bytes, places, formats);
  }

  /** About how many bytes it keeps. */
  int bytes() {
    return OWN_BYTES + bytes.length + 4 * places.length;
  }

  /** From here on no value is known. */
  void forget() {
    bytes = NO_BYTES;
    places = NO_PLACES;
  }

  /** The position of the result's format codes. */
  static int placeOfResultFormats(Message bind, int start) {
    int at = start + 2 + 2 * bind.int16(start);
    int count = bind.int16(at);
    at += 2;
    for (int i = 0; i < count; i++) {
      at += 4 + Math.max(0, bind.int32(at));
    }
    return at;
  }

  @Override
  public Object apply(int parameter) {
    if (parameter < 1 || parameter > places.length) {
      return Operand.UNKNOWN;
    }
    int at = places[parameter - 1];
    if (at == NOT_KEPT) {
      return Operand.UNKNOWN;
    }
    int size = Message.int32(bytes, at);
    return size < 0
        ? Operand.NULL
        : values.parameter(
            of.type(parameter), formats.isBinary(parameter - 1, null), bytes, at + 4, size);
  }
}
