package io.isotail.ingest.format;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A key or a version of an EDN file. Whole numbers from 0 to 2^64 - 1 stand for themselves;
 * anything else for the hash of its text, which is kept as its name.
 *
 * @param name null for a number that stands for itself
 */
record EdnValue(long id, @Nullable String name) {

  /** What a form stands for; null if it is no such thing: nil, or a collection. */
  static @Nullable EdnValue of(@Nullable Object form) {
    if (form instanceof Long number) {
      return number >= 0 ? new EdnValue(number, null) : named(number.toString());
    }
    if (form instanceof BigInteger number) {
      return number.signum() > 0 && number.bitLength() <= Long.SIZE
          ? new EdnValue(number.longValue(), null)
          : named(number.toString());
    }
    if (form instanceof EdnReader.Word word) {
      return named(word.text());
    }
    return form instanceof String || form instanceof Boolean ? named(form.toString()) : null;
  }

  private static EdnValue named(String name) {
    return new EdnValue(ClearName.hash(name), name);
  }
}
