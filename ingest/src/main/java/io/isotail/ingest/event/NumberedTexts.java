package io.isotail.ingest.event;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Texts that stand once in a message, and elsewhere by number. For one thread. */
final class NumberedTexts {
  private final int field;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final MessageBytes written = new MessageBytes();

  /**
   * None yet.
   *
   * @param field number of the field that holds them
   */
  NumberedTexts(int field) {
    this.field = field;
  }

  /** The number of a text, its index plus one; 0 for null. */
  int number(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    Integer known = numbers.get(text);
    return known == null ? add(text) : known;
  }

  private int add(String text) {
    int number = numbers.size() + 1;
    numbers.put(text, number);
    written.addTextField(field, text);
    return number;
  }

  /** The texts as they are written. */
  MessageBytes written() {
    return written;
  }

  /** Forgets them. */
  void clear() {
    numbers.clear();
    written.clear();
  }
}
