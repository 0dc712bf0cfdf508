package io.isotail.incremental.snapshot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes a snapshot chunk by chunk, or a part of one, which is {@link #append appended} later.
 * {@link StateReader} has a method for each one here.
 *
 * <p>A part holds what was written to it, and between that the things that are {@link #later put
 * off}: what they are is written when the part is appended. So a part is made fast, and whoever
 * appends it may take the time that it takes to number things and texts.
 */
public final class StateWriter {
  /** Version of the form; raised with every change to what any class saves. */
  public static final int FORMAT = 46;

  /** Longest chunk; it fits in a Kafka message of the default size. */
  public static final int MAX_CHUNK_BYTES = 256 << 10;

  static final int MAGIC = 0x69736F53;
  static final int LAST = 1;
  static final int INDEX_AT = 7;
  static final int LENGTH_AT = 11;
  static final int HEADER_BYTES = 15;
  static final int CHECKSUM_BYTES = 4;

  private static final int LONGEST_NUMBER_BYTES = 9;
  private static final int FIRST_CAPACITY = 4 << 10;

  /** Of a part, what it holds so far; null otherwise. */
  private final @Nullable Part part;

  private final StateSink sink;
  private final CRC32C checksum = new CRC32C();
  private final BackReferenceWriter<String> texts = new BackReferenceWriter<>();
  private byte[] chunk = new byte[FIRST_CAPACITY];
  private int at = HEADER_BYTES;
  private int index;

  /** The chunks of a part that are full, without frame, and the things that are put off. */
  private static final class Part {
    final List<byte[]> full = new ArrayList<>();

    /** Bytes in these. */
    int bytes;

    final List<Things> things = new ArrayList<>();
    Things last = new Things();

    void add(@Nullable Object thing, int place) {
      if (last.size == Things.MOST) {
        things.add(last);
        last = new Things();
      }
      last.all[last.size] = thing;
      last.places[last.size++] = place;
    }
  }

  /** Some things that are put off, and how many bytes the part holds before each. */
  private static final class Things {
    static final int MOST = 1 << 10;

    final @Nullable Object[] all = new Object[MOST];
    final int[] places = new int[MOST];
    int size;
  }

  /** Numbers that are still to be put in order. */
  private static final class Unsorted {
    final long[] values;

    Unsorted(long[] values) {
      this.values = values;
    }
  }

  /** Starts a snapshot. */
  public StateWriter(StateSink sink) {
    this.sink = sink;
    this.part = null;
  }

  private StateWriter(Part part) {
    this.sink = part.full::add;
    this.part = part;
  }

  /** A part of a snapshot, to be appended when it is whole. Each may be made by another thread. */
  public static StateWriter part() {
    return new StateWriter(new Part());
  }

  /** Puts off what a thing of a part is, and what its number is; it must not change any more. */
  public void later(@Nullable Object thing) {
    Part own = partOf(this);
    own.add(thing, own.bytes + at - HEADER_BYTES);
  }

  /**
   * Adds what a part holds, which must not be written to any more.
   *
   * @param things writes each thing that was put off
   */
  public void append(StateWriter added, Consumer<@Nullable Object> things) {
    Part other = partOf(added);
    added.flush(0);
    other.things.add(other.last);
    int chunk = 0;
    int before = 0;
    int done = 0;
    for (Things some : other.things) {
      for (int i = 0; i < some.size; i++) {
        for (byte[] full = other.full.get(chunk);
            some.places[i] > before + full.length;
            full = other.full.get(chunk)) {
          octets(full, done - before, full.length);
          before += full.length;
          done = before;
          chunk++;
        }
        octets(other.full.get(chunk), done - before, some.places[i] - before);
        done = some.places[i];
        if (some.all[i] instanceof Unsorted set) {
          set(set.values);
        } else {
          things.accept(some.all[i]);
        }
      }
    }
    for (; chunk < other.full.size(); chunk++) {
      byte[] full = other.full.get(chunk);
      octets(full, done - before, full.length);
      before += full.length;
      done = before;
    }
  }

  private static Part partOf(StateWriter writer) {
    if (writer.part == null) {
      throw new IllegalArgumentException("not a part but a snapshot");
    }
    return writer.part;
  }

  private void octets(byte[] content, int from, int to) {
    int done = from;
    while (done < to) {
      ensure();
      int n = Math.min(to - done, chunk.length - CHECKSUM_BYTES - at);
      System.arraycopy(content, done, chunk, at, n);
      at += n;
      done += n;
    }
  }

  /** Names what follows; the reader holds it against what it is about to read. */
  public void section(String name) {
    text(name);
  }

  /** A truth value. */
  public void flag(boolean value) {
    octet(value ? 1 : 0);
  }

  /** Eight bits. */
  public void octet(int value) {
    ensure();
    chunk[at++] = (byte) value;
  }

  /** Something that is not negative, such as a length. */
  public void count(int value) {
    if (value < 0) {
      throw new IllegalArgumentException("negative count " + value);
    }
    unsigned(value);
  }

  /** Any number; one near 0 is short. */
  public void number(long value) {
    unsigned((value << 1) ^ (value >> 63));
  }

  /** A constant of an enumeration, by its name. */
  public void constant(@Nullable Enum<?> value) {
    text(value == null ? null : value.name());
  }

  /** A text, or null. One that was written before is referred to by number. */
  public void text(@Nullable String value) {
    if (part != null) {
      later(value);
    } else if (texts.refer(this, value) && value != null) {
      count(value.length());
      for (int i = 0; i < value.length(); i++) {
        unsigned(value.charAt(i));
      }
    }
  }

  /** Numbers with their length. */
  public void numbers(int[] values) {
    count(values.length);
    for (int value : values) {
      number(value);
    }
  }

  /** Numbers with their length. */
  public void numbers(long[] values) {
    count(values.length);
    for (long value : values) {
      number(value);
    }
  }

  /** A set of numbers in ascending order; takes the array over. */
  public void set(long[] values) {
    if (part != null) {
      later(new Unsorted(values));
      return;
    }
    Arrays.sort(values);
    count(values.length);
    long before = 0;
    for (long value : values) {
      number(value - before);
      before = value;
    }
  }

  /** A set of texts in ascending order. */
  public void set(Collection<String> values) {
    String[] sorted = values.toArray(new String[0]);
    Arrays.sort(sorted);
    count(sorted.length);
    for (String value : sorted) {
      text(value);
    }
  }

  /** Ends the snapshot, which must not be a part, and hands its last chunk over. */
  public void end() {
    flush(LAST);
  }

  /** Seven bits a byte, lowest first, and eight in the ninth. */
  private void unsigned(long value) {
    ensure();
    long rest = value;
    for (int i = 1; i < LONGEST_NUMBER_BYTES; i++) {
      if ((rest & ~0x7FL) == 0) {
        chunk[at++] = (byte) rest;
        return;
      }
      chunk[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    chunk[at++] = (byte) rest;
  }

  private void ensure() {
    int needed = at + LONGEST_NUMBER_BYTES + CHECKSUM_BYTES;
    if (needed <= chunk.length) {
      return;
    }
    if (needed <= MAX_CHUNK_BYTES) {
      chunk = Arrays.copyOf(chunk, Math.min(MAX_CHUNK_BYTES, chunk.length * 4));
    } else {
      flush(0);
    }
  }

  private void flush(int flags) {
    if (part != null) {
      sink.accept(Arrays.copyOfRange(chunk, HEADER_BYTES, at));
      part.bytes += at - HEADER_BYTES;
      at = HEADER_BYTES;
      return;
    }
    int length = at + CHECKSUM_BYTES;
    putInt(chunk, 0, MAGIC);
    chunk[4] = (byte) (FORMAT >> 8);
    chunk[5] = (byte) FORMAT;
    chunk[6] = (byte) flags;
    putInt(chunk, INDEX_AT, index++);
    putInt(chunk, LENGTH_AT, length);
    checksum.update(chunk, 0, at);
    putInt(chunk, at, (int) checksum.getValue());
    sink.accept(Arrays.copyOf(chunk, length));
    at = HEADER_BYTES;
  }

  private static void putInt(byte[] into, int at, int value) {
    into[at] = (byte) (value >> 24);
    into[at + 1] = (byte) (value >> 16);
    into[at + 2] = (byte) (value >> 8);
    into[at + 3] = (byte) value;
  }
}
