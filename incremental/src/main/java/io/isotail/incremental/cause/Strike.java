package io.isotail.incremental.cause;

import io.isotail.incremental.verdict.Moment;
import io.isotail.incremental.window.Transaction;
import java.util.List;

/**
 * A left-out thing as it is counted.
 *
 * @param pattern what it is told by
 * @param leftOut the transaction that was left out, or whose read was
 * @param culprit the transaction that did what it should not have; mostly the same
 * @param rows the rows that it is about
 * @param now the record that showed it
 * @param delivered committed transactions delivered so far
 */
public record Strike(
    Pattern pattern,
    Transaction leftOut,
    Transaction culprit,
    List<HurtRow> rows,
    Moment now,
    long delivered) {
  /** Copies the list. */
  public Strike {
    rows = List.copyOf(rows);
  }
}
