package io.isotail.monitor.tail;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages of PostgreSQL's output plugin {@code pgoutput}, in version 1 of its protocol. See
 * "Logical Replication Message Formats" in PostgreSQL's documentation.
 */
final class PgOutput {
  private static final byte KEY = 'K';
  private static final byte OLD = 'O';
  private static final byte NEW = 'N';

  /** Takes what messages tell, in the order of the log. */
  interface Taker {
    /**
     * A committed transaction begins.
     *
     * @param position of its commit
     * @param xid low 32 bits of its id
     */
    void begin(long position, int xid);

    /**
     * It ends.
     *
     * @param end place behind it
     */
    void commit(long end);

    /** A table, before its first change and after each time that it was defined anew. */
    void relation(Relation relation);

    /** A row was inserted. */
    void insert(int relation, Values row);

    /**
     * A row was updated.
     *
     * @param before the row before, or its key's columns alone; null if its key is as it was
     */
    void update(int relation, @Nullable Values before, Values after);

    /**
     * A row was deleted.
     *
     * @param before the row, or its key's columns alone
     */
    void delete(int relation, Values before);

    /** Tables were emptied. */
    void truncate(List<Integer> relations);

    /** Somebody has written a message into the log. */
    void message(String prefix, String content);
  }

  /**
   * A table.
   *
   * @param id number in the catalog
   * @param columns names, in the order of a row's values
   * @param types numbers of their types
   */
  record Relation(int id, String schema, String name, List<String> columns, List<Integer> types) {}

  /** Values of a row. */
  static final class Values {
    /** In place of a value that the log does not tell, since it did not change. */
    static final String UNCHANGED = new String("unchanged");

    private final List<@Nullable String> texts;

    Values(List<@Nullable String> texts) {
      this.texts = texts;
    }

    int size() {
      return texts.size();
    }

    /** Text of a value; null for NULL. */
    @Nullable String get(int column) {
      return texts.get(column);
    }

    /** Whether a value is not told. */
    @SuppressWarnings("ReferenceEquality") // The text may be the value of a row.
    boolean isUnchanged(int column) {
      return texts.get(column) == UNCHANGED;
    }
  }

  private final Taker taker;

  PgOutput(Taker taker) {
    this.taker = taker;
  }

  /**
   * Reads a message.
   *
   * @throws IllegalArgumentException if it is of another form
   */
  void read(ByteBuffer message) {
    byte kind = message.get();
    switch (kind) {
      case 'B' -> {
        long position = message.getLong();
        message.getLong(); // when it was committed
        taker.begin(position, message.getInt());
      }
      case 'C' -> {
        message.get(); // flags, of which there are none
        message.getLong(); // where it stands
        taker.commit(message.getLong());
      }
      case 'R' -> taker.relation(relation(message));
      case 'I' -> {
        int relation = message.getInt();
        require(message.get(), NEW);
        taker.insert(relation, values(message));
      }
      case 'U' -> {
        int relation = message.getInt();
        byte next = message.get();
        Values before = next == KEY || next == OLD ? values(message) : null;
        require(before == null ? next : message.get(), NEW);
        taker.update(relation, before, values(message));
      }
      case 'D' -> {
        int relation = message.getInt();
        byte next = message.get();
        require(next == OLD ? KEY : next, KEY);
        taker.delete(relation, values(message));
      }
      case 'T' -> {
        int count = message.getInt();
        message.get(); // CASCADE, RESTART IDENTITY
        List<Integer> relations = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          relations.add(message.getInt());
        }
        taker.truncate(relations);
      }
      case 'M' -> {
        message.get(); // whether it is of a transaction
        message.getLong(); // where it stands
        String prefix = text(message);
        taker.message(prefix, text(message, message.getInt()));
      }
      case 'O', 'Y' -> {} // an origin, a type
      default ->
          throw new IllegalArgumentException(
              "a message of kind 0x%02x; expected one of pgoutput's version 1".formatted(kind));
    }
  }

  private static Relation relation(ByteBuffer message) {
    int id = message.getInt();
    String schema = text(message);
    String name = text(message);
    message.get(); // its replica identity
    int count = message.getShort();
    List<String> columns = new ArrayList<>(count);
    List<Integer> types = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      message.get(); // whether it is of the key
      columns.add(text(message));
      types.add(message.getInt());
      message.getInt(); // modifier of the type
    }
    return new Relation(id, schema, name, List.copyOf(columns), List.copyOf(types));
  }

  private static Values values(ByteBuffer message) {
    int count = message.getShort();
    List<@Nullable String> texts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      byte kind = message.get();
      switch (kind) {
        case 'n' -> texts.add(null);
        case 'u' -> texts.add(Values.UNCHANGED);
        case 't' -> texts.add(text(message, message.getInt()));
        default ->
            throw new IllegalArgumentException(
                "a value of kind 0x%02x; expected a text".formatted(kind));
      }
    }
    return new Values(texts);
  }

  private static void require(byte found, byte expected) {
    if (found != expected) {
      throw new IllegalArgumentException(
          "a row of kind 0x%02x; expected 0x%02x".formatted(found, expected));
    }
  }

  /** A text that ends with a zero. */
  private static String text(ByteBuffer message) {
    int length = 0;
    while (message.get(message.position() + length) != 0) {
      length++;
    }
    String text = text(message, length);
    message.get();
    return text;
  }

  private static String text(ByteBuffer message, int length) {
    byte[] bytes = new byte[length];
    message.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
