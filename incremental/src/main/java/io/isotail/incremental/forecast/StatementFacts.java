package io.isotail.incremental.forecast;

import java.util.Collections;
import java.util.Set;

/**
 * What a statement's text tells about how it meets others.
 *
 * @param lock the lock that a query takes on the rows that it reads
 * @param reads columns that a query names, its conditions among them; more names than columns may
 *     be in it
 * @param readsAll whether a query shows every column
 * @param sets columns that a write assigns
 * @param setsAll whether a write may change every column of a row, as an insert or a delete does
 * @param guards columns that a write compares with one value in its condition: it hits the row only
 *     while they have it
 * @param rechecks columns that a write compares otherwise in its condition: it decides by them as
 *     it finds them
 * @param relative whether a write computes what it assigns from the row as it finds it
 * @param scanned tables that a query reads, without their schemas; empty of a write
 * @param inserts whether a write makes rows, and is refused where they are there
 * @param unclear whether a statement of which nobody saw what rows it touched may lock or write
 *     some, so that it may matter
 */
public record StatementFacts(
    Lock lock,
    Set<String> reads,
    boolean readsAll,
    Set<String> sets,
    boolean setsAll,
    Set<String> guards,
    Set<String> rechecks,
    boolean relative,
    Set<String> scanned,
    boolean inserts,
    boolean unclear) {

  /** A lock on rows that are read. */
  public enum Lock {
    /** None: a plain read. */
    NONE,
    /** Others may read and lock the row so, and not write it. */
    SHARED,
    /** Others may neither lock nor write the row. */
    EXCLUSIVE
  }

  /** Nothing is known: it may read and write every column, and locks nothing. */
  public static final StatementFacts NONE =
      new StatementFacts(
          Lock.NONE, Set.of(), true, Set.of(), true, Set.of(), Set.of(), false, Set.of(), false,
          true);

  /** Copies the sets. */
  public StatementFacts {
    reads = Set.copyOf(reads);
    sets = Set.copyOf(sets);
    guards = Set.copyOf(guards);
    rechecks = Set.copyOf(rechecks);
    scanned = Set.copyOf(scanned);
  }

  /** Whether a query of this text may show a column. */
  boolean mayShow(String column) {
    return readsAll || reads.contains(column);
  }

  /** Whether a write of this text hits no row any more after a write of another text. */
  boolean isBarredBy(StatementFacts write) {
    return !Collections.disjoint(guards, write.sets);
  }
}
