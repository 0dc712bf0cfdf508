package io.isotail.monitor.resolve;

import io.isotail.ingest.capture.RowIdentities;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.ObservedTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which versions of a row hashes stand for: the present one, and of a version column that counts
 * those around it.
 */
final class VersionSearch {
  /** Versions tried on either side of the present one, or of 0 if that is not known. */
  static final int REACH = 100_000;

  private final RowIdentities rows;

  VersionSearch(RowIdentities rows) {
    this.rows = rows;
  }

  /**
   * The versions.
   *
   * @param present canonical text of the row's version, null if it is not known
   * @param counts whether the table's version column is known at all
   */
  List<ResolvedKey.Version> search(
      ObservedTable table, long key, @Nullable String present, boolean counts, Set<Long> wanted) {
    List<ResolvedKey.Version> versions = new ArrayList<>();
    Set<Long> left = new HashSet<>(wanted);
    if (present != null) {
      tell(key, present, true, left, versions);
    }
    if (counts && rows.type(table, table.version()) == ColumnType.INTEGER) {
      long base = present == null ? 0 : Long.parseLong(present);
      for (int i = 0; i <= REACH && !left.isEmpty(); i++) {
        tell(key, Long.toString(base - i), false, left, versions);
        tell(key, Long.toString(base + i), false, left, versions);
      }
    }
    left.forEach(id -> versions.add(new ResolvedKey.Version(id, null, false)));
    return versions;
  }

  private void tell(
      long key, String text, boolean present, Set<Long> left, List<ResolvedKey.Version> versions) {
    long id = rows.version(key, text);
    if (left.remove(id)) {
      versions.add(new ResolvedKey.Version(id, text, present));
    }
  }
}
