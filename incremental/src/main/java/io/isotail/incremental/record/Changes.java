package io.isotail.incremental.record;

import java.util.List;

/**
 * What a committed transaction has changed, or a part of it, as the log of its database shows it.
 *
 * @param source as of {@link LogStart}
 * @param sequence number of this record in its source, from 0 and without holes
 * @param writer id of the transaction, of 64 bits, above 0
 * @param position where its commit stands in the log: it grows from one transaction to the next
 * @param last whether it has no further part
 * @param rows the changes in their order; of one row there may be several
 */
public record Changes(
    String source, long sequence, long writer, long position, boolean last, List<RowChange> rows)
    implements StreamRecord {
  /** Copies the list. */
  public Changes {
    rows = List.copyOf(rows);
  }

  /** Of a log in which ids grow. */
  public Changes(String source, long sequence, long writer, boolean last, List<RowChange> rows) {
    this(source, sequence, writer, writer, last, rows);
  }
}
