package io.isotail.incremental.record;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The log of a database begins to be followed. From here on each of its committed transactions with
 * this id or a higher one is in the stream, as {@link Changes}, with {@link LogMark}s between.
 * Whoever follows the log ends with a {@link Goodbye}, and tells with a {@link Gap} that something
 * is missing. After what no change tells, such as TRUNCATE, another column, or a table that was
 * there and is told of from now on, the log begins again, or goes on.
 *
 * @param source id of who follows the log; another one each time it begins
 * @param database which database that is, as of a {@link SessionInfo#database session}
 * @param firstWriter of 64 bits: transactions with a lower id had committed before the log was
 *     followed, and are not told
 * @param nextWriter no transaction had this id or a higher one when the log was followed first; not
 *     below {@code firstWriter}. Some between them may have committed before, and are not told
 * @param rowsNameWriters whether each row shows the id that it was written under. That may be one
 *     of a part of the transaction, such as a savepoint's, which the log does not tell
 * @param tables names of the tables of which every change is told; so are those of tables that are
 *     made later
 * @param goesOn source that this one goes on from: of the log nothing is missing between that one's
 *     last mark and this one's first transaction, and ids grow. Some may be told by both; if that
 *     one has told a part of a transaction without its end, the log begins. Null for none
 * @param anew tables of which that does not hold: what that source told of them does not count, as
 *     after ALTER or TRUNCATE
 */
public record LogStart(
    String source,
    long database,
    long firstWriter,
    long nextWriter,
    boolean rowsNameWriters,
    Set<String> tables,
    @Nullable String goesOn,
    Set<String> anew)
    implements StreamRecord {
  /** Copies the sets. */
  public LogStart {
    tables = Set.copyOf(tables);
    anew = Set.copyOf(anew);
  }

  /** A log that tells ids in their order, of rows that do not show them. */
  public LogStart(
      String source,
      long database,
      long firstWriter,
      Set<String> tables,
      @Nullable String goesOn,
      Set<String> anew) {
    this(source, database, firstWriter, firstWriter, false, tables, goesOn, anew);
  }

  /** Such a log that goes on from none. */
  public LogStart(String source, long database, long firstWriter, Set<String> tables) {
    this(source, database, firstWriter, tables, null, Set.of());
  }
}
