package io.isotail.incremental.verdict;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;

/**
 * One kind of thing that speaks against a pass, such as a violation of a level. It stands as long
 * as the window holds the last transaction that it was found at; found again, it goes on.
 */
final class Finding {
  /** Place in delivery order where it was found last, -1 if it never was. */
  private long place = -1;

  /** How often it was found since it stands. */
  private long count;

  private long firstOffset;
  private long firstMs;
  private long lastOffset;
  private long lastMs;

  /**
   * It is found.
   *
   * @param at place of the transaction
   * @param oldest place of the oldest transaction in the window
   */
  void found(long at, long oldest, long offset, long appendTimeMs) {
    if (place < oldest) {
      count = 0;
      firstOffset = offset;
      firstMs = appendTimeMs;
    }
    place = at;
    count++;
    lastOffset = offset;
    lastMs = appendTimeMs;
  }

  /** It may be found at what is delivered next, too. */
  void goOn(long at) {
    place = at;
  }

  /** Place in delivery order where it was found last. */
  long place() {
    return place;
  }

  /** Whether it was ever found. */
  boolean ever() {
    return place >= 0;
  }

  /** Whether it was found in the part of the stream that begins at that place. */
  boolean stands(long oldest) {
    return place >= oldest;
  }

  /** How often it was found since it stands. */
  long count() {
    return count;
  }

  /** When it came to stand. */
  Moment first() {
    return new Moment(firstOffset, firstMs);
  }

  /** When it was found last. */
  Moment last() {
    return new Moment(lastOffset, lastMs);
  }

  void save(StateWriter out) {
    out.number(place);
    out.number(count);
    out.number(firstOffset);
    out.number(firstMs);
    out.number(lastOffset);
    out.number(lastMs);
  }

  void load(StateReader in) {
    place = in.number();
    count = in.number();
    firstOffset = in.number();
    firstMs = in.number();
    lastOffset = in.number();
    lastMs = in.number();
  }
}
