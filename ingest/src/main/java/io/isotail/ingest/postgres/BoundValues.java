package io.isotail.ingest.postgres;

import io.isotail.ingest.sql.Operand;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * The parameters of a Bind message, read when they are asked for. Keeps the bytes of the message's
 * parameters. For one thread.
 */
final class BoundValues implements IntFunction<Object> {
  private final Prepared of;
  private final WireValues values;
  private final byte[] bytes;
  private final int[] places;
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
    for (int i = 0; i < places.length; i++) {
      places[i] = at - first;
      at += 4 + Math.max(0, bind.int32(at));
    }
    byte[] bytes = Arrays.copyOfRange(bind.array(), bind.offset() + first, bind.offset() + at);
    return new BoundValues(prepared, values, bytes, places, formats);
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
    int size = Message.int32(bytes, at);
    return size < 0
        ? Operand.NULL
        : values.parameter(
            of.type(parameter), formats.isBinary(parameter - 1, null), bytes, at + 4, size);
  }
}
