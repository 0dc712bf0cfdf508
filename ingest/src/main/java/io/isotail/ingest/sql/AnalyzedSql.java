package io.isotail.ingest.sql;

import java.util.List;

/**
 * A statement text, analysed.
 *
 * @param analysis what it does to the observed tables
 * @param fingerprint its text without any value
 * @param slots where its values come from
 * @param definesTables whether it may have created, changed or dropped a table
 */
public record AnalyzedSql(
    Analysis analysis, String fingerprint, List<Slot> slots, boolean definesTables) {}
