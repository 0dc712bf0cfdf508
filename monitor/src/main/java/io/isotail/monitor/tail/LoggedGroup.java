package io.isotail.monitor.tail;

import io.isotail.incremental.record.RowChange;
import java.util.List;

/**
 * What one committed transaction has changed of the tables that are told, or a part of it.
 *
 * @param sequence number of its GTID
 * @param last whether it has no further part
 * @param rows the changes in their order
 */
record LoggedGroup(long sequence, boolean last, List<RowChange> rows) {
  /** Copies the list. */
  LoggedGroup {
    rows = List.copyOf(rows);
  }
}
