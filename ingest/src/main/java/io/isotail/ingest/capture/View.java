package io.isotail.ingest.capture;

import io.isotail.ingest.sql.SqlDialect;

/**
 * From where sessions see the tables. What the catalog says of a table holds for those of one view
 * alone: another role may not read it, another search path finds another table by its name, and a
 * standby's catalog is as old as the standby lags.
 *
 * @param dialect how statements are written
 * @param standby whether it is a standby
 * @param names what decides at connect what names mean and what may be done; see {@link
 *     Server#names}
 */
record View(SqlDialect dialect, boolean standby, String names) {
  /** Of sessions whose names are not told apart. */
  View withoutNames() {
    return new View(dialect, standby, "");
  }
}
