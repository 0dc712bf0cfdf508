package io.isotail.incremental.snapshot;

import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads what {@link StateWriter} wrote, and refuses everything else. */
public final class StateReader {
  private static final byte[] NOTHING = {};
  private static final int TRUSTED_LENGTH = 1 << 16;

  private final StateSource source;
  private final CRC32C checksum = new CRC32C();
  private final BackReferenceReader<String> texts =
      new BackReferenceReader<>(this::newText, List.of());
  private byte[] chunk = NOTHING;
  private int at;
  private int end;
  private int chunks;
  private boolean last;
  private String section = "start";

  /** Reads from {@code source}. */
  public StateReader(StateSource source) {
    this.source = source;
  }

  /** What follows must have that name. */
  public void section(String name) {
    String found = text();
    if (!name.equals(found)) {
      throw damaged("section '%s' expected, '%s' found".formatted(name, found));
    }
    section = name;
  }

  /** See {@link StateWriter#flag}. */
  public boolean flag() {
    int value = octet();
    if (value > 1) {
      throw damaged("a truth value is " + value);
    }
    return value == 1;
  }

  /** See {@link StateWriter#octet}. */
  public int octet() {
    if (at == end) {
      fetch();
    }
    return chunk[at++] & 0xFF;
  }

  /** See {@link StateWriter#count}. */
  public int count() {
    long value = unsigned();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw damaged("a count is " + Long.toUnsignedString(value));
    }
    return (int) value;
  }

  /** See {@link StateWriter#number}. */
  public long number() {
    long value = unsigned();
    return (value >>> 1) ^ -(value & 1);
  }

  /** A number that fits in 32 bits. */
  public int smallNumber() {
    long value = number();
    if (value != (int) value) {
      throw damaged("number %d is out of range".formatted(value));
    }
    return (int) value;
  }

  /** See {@link StateWriter#constant}. */
  public <E extends Enum<E>> @Nullable E constantOrNull(Class<E> type) {
    String name = text();
    if (name == null) {
      return null;
    }
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(name)) {
        return constant;
      }
    }
    throw damaged("%s '%s' is unknown".formatted(type.getSimpleName(), name));
  }

  /** A constant that must be there. */
  public <E extends Enum<E>> E constant(Class<E> type) {
    return required(constantOrNull(type), type.getSimpleName());
  }

  /** See {@link StateWriter#text}. */
  public @Nullable String text() {
    return texts.refer(this);
  }

  /** A text that must be there. */
  public String requiredText() {
    return required(text(), "text");
  }

  /** See {@link StateWriter#numbers(int[])}. */
  public int[] smallNumbers() {
    int n = count();
    // A length is believed only as far as there is content for it.
    int[] values = new int[Math.min(n, TRUSTED_LENGTH)];
    for (int i = 0; i < n; i++) {
      if (i == values.length) {
        values = Arrays.copyOf(values, (int) Math.min(n, 2L * i));
      }
      values[i] = smallNumber();
    }
    return values;
  }

  /** See {@link StateWriter#numbers(long[])}. */
  public long[] numbers() {
    int n = count();
    long[] values = new long[Math.min(n, TRUSTED_LENGTH)];
    for (int i = 0; i < n; i++) {
      if (i == values.length) {
        values = Arrays.copyOf(values, (int) Math.min(n, 2L * i));
      }
      values[i] = number();
    }
    return values;
  }

  /** See {@link StateWriter#set(long[])}. */
  public long[] set() {
    long[] values = numbers();
    for (int i = 1; i < values.length; i++) {
      values[i] += values[i - 1];
    }
    return values;
  }

  /** Nothing may follow. */
  public void end() {
    if (at != end || !last) {
      throw damaged("more follows than there should be");
    }
  }

  /** {@code value}, which the writer never leaves out. */
  public <T> T required(@Nullable T value, String what) {
    if (value == null) {
      throw damaged(what + " is missing");
    }
    return value;
  }

  /** Holds what was read to what the writer can have meant. */
  public void require(boolean holds, String what) {
    if (!holds) {
      throw damaged(what);
    }
  }

  /** What to throw where the content makes no sense. */
  public StateException damaged(String what) {
    return new StateException("snapshot is damaged at " + where() + ": " + what);
  }

  /** What to throw for what was met in consequence of damage. */
  public StateException damaged(RuntimeException consequence) {
    return new StateException(
        "snapshot is damaged at " + where() + ": " + consequence, consequence);
  }

  private String where() {
    return "byte %d of chunk %d (%s)".formatted(at, Math.max(0, chunks - 1), section);
  }

  private String newText() {
    int length = count();
    StringBuilder text = new StringBuilder(Math.min(length, TRUSTED_LENGTH));
    for (int i = 0; i < length; i++) {
      text.append((char) count());
    }
    return text.toString();
  }

  private long unsigned() {
    long value = 0;
    for (int shift = 0; shift < 56; shift += 7) {
      int next = octet();
      value |= (next & 0x7FL) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    return value | (long) octet() << 56;
  }

  private void fetch() {
    byte[] next = last ? null : source.next();
    if (next == null) {
      throw new StateException(
          "snapshot ends after chunk %d (%s); expected more".formatted(chunks - 1, section));
    }
    check(next);
    chunk = next;
    at = StateWriter.HEADER_BYTES;
    end = next.length - StateWriter.CHECKSUM_BYTES;
    chunks++;
    if (at == end) {
      fetch();
    }
  }

  private void check(byte[] next) {
    String name = "snapshot chunk " + chunks;
    int least = StateWriter.HEADER_BYTES + StateWriter.CHECKSUM_BYTES;
    if (next.length < least) {
      throw new StateException(
          "%s is %d bytes long; expected at least %d".formatted(name, next.length, least));
    }
    if (getInt(next, 0) != StateWriter.MAGIC) {
      throw new StateException(name + " is no part of a checker's snapshot: wrong first bytes");
    }
    int format = (next[4] & 0xFF) << 8 | (next[5] & 0xFF);
    if (format != StateWriter.FORMAT) {
      throw new StateException(
          "%s has format %d; this version reads format %d: %s"
              .formatted(
                  name,
                  format,
                  StateWriter.FORMAT,
                  format > StateWriter.FORMAT
                      ? "a later version wrote it"
                      : "an earlier version wrote it"));
    }
    int length = getInt(next, StateWriter.LENGTH_AT);
    if (length != next.length) {
      throw new StateException(
          "%s is %d bytes long; expected %d".formatted(name, next.length, length));
    }
    int index = getInt(next, StateWriter.INDEX_AT);
    if (index != chunks) {
      throw new StateException(
          "%s is numbered %d: chunks are missing or mixed up".formatted(name, index));
    }
    int content = next.length - StateWriter.CHECKSUM_BYTES;
    checksum.update(next, 0, content);
    if (getInt(next, content) != (int) checksum.getValue()) {
      throw new StateException(
          name + " is damaged, or of another snapshot than those before: its checksum is wrong");
    }
    last = (next[6] & StateWriter.LAST) != 0;
  }

  private static int getInt(byte[] from, int at) {
    return (from[at] & 0xFF) << 24
        | (from[at + 1] & 0xFF) << 16
        | (from[at + 2] & 0xFF) << 8
        | (from[at + 3] & 0xFF);
  }
}
