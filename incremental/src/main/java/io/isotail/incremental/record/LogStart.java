package io.isotail.incremental.record;

import java.util.Set;

/**
 * The log of a database begins to be followed. From here on each of its committed transactions with
 * this id or a higher one is in the stream, as {@link Changes}, with {@link LogMark}s between.
 * Whoever follows the log ends with a {@link Goodbye}, and tells with a {@link Gap} that something
 * is missing.
 *
 * @param source id of who follows the log; another one each time it begins
 * @param database which database that is, as of a {@link SessionInfo#database session}
 * @param firstWriter the least id of a transaction that is told, of 64 bits; ids ascend in the
 *     order of commits
 * @param tables names of the tables of which every change is told; so are those of tables that are
 *     made later
 */
public record LogStart(String source, long database, long firstWriter, Set<String> tables)
    implements StreamRecord {
  /** Copies the set. */
  public LogStart {
    tables = Set.copyOf(tables);
  }
}
