package io.isotail.ingest.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What every message by column keeps to: columns of one length, and numbers of what is there. */
final class Columns {
  private Columns() {}

  /**
   * Requires as many entries as there are things.
   *
   * @param of what has the columns
   * @param mayBeEmpty whether a column may be left out
   */
  static void require(String of, String name, int found, int expected, boolean mayBeEmpty)
      throws BadRecordException {
    if (found != expected && !(mayBeEmpty && found == 0)) {
      throw new BadRecordException(
          "%s with %d entries of %s; expected %d".formatted(of, found, name, expected));
    }
  }

  /**
   * The entry that a number stands for, which is its index plus one; null for 0.
   *
   * @param of what has the number
   * @param what an entry is
   */
  static <T> @Nullable T entry(List<T> entries, int number, String of, String what)
      throws BadRecordException {
    return number == 0 ? null : at(entries, number - 1, number, of, what);
  }

  /**
   * The entry at an index.
   *
   * @param told the number that stands for it in the message
   */
  static <T> T at(List<T> entries, int index, int told, String of, String what)
      throws BadRecordException {
    if (index < 0 || index >= entries.size()) {
      throw new BadRecordException(
          "%s with %s %s of %d; expected one that is there"
              .formatted(of, what, Integer.toUnsignedString(told), entries.size()));
    }
    return entries.get(index);
  }
}
