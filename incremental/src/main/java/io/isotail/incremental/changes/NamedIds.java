package io.isotail.incremental.changes;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.longs.Long2LongLinkedOpenHashMap;

/**
 * The ids, as rows show them, that the checker has of a transaction: those that the log told, and
 * those that captured transactions wrote under. Another one is perhaps of a part of a transaction
 * that the log told under its own id.
 *
 * <p>Bound: {@value #MOST_WORDS} groups of 64 ids that follow each other; those to which none was
 * added for the longest are forgotten first.
 */
final class NamedIds {
  private static final int MOST_WORDS = 100_000;
  private static final int WORD_BITS = 6;

  /** Bits of 64 ids each. */
  private final Long2LongLinkedOpenHashMap words = new Long2LongLinkedOpenHashMap();

  /** Adds the id of which this is the version. */
  void add(int version) {
    long unsigned = Integer.toUnsignedLong(version);
    long word = words.getAndMoveToLast(unsigned >>> WORD_BITS);
    words.putAndMoveToLast(unsigned >>> WORD_BITS, word | 1L << unsigned);
    if (words.size() > MOST_WORDS) {
      words.removeFirstLong();
    }
  }

  /** Adds the ids that these writes were done under. */
  void add(Operations writes) {
    for (int i = 0; i < writes.size(); i++) {
      if (Claim.isNamed(writes, i)) {
        add((int) writes.version(i));
      }
    }
  }

  boolean contains(int version) {
    long unsigned = Integer.toUnsignedLong(version);
    return (words.get(unsigned >>> WORD_BITS) & 1L << unsigned) != 0;
  }

  void clear() {
    words.clear();
  }

  void save(StateWriter out) {
    out.count(words.size());
    words.forEach(
        (word, bits) -> {
          out.number(word);
          out.number(bits);
        });
  }

  void load(StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      words.putAndMoveToLast(in.number(), in.number());
    }
  }
}
