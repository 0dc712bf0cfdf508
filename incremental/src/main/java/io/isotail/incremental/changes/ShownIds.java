package io.isotail.incremental.changes;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ids that rows of a database show, as versions, if they show who wrote them: which of them the
 * checker has a transaction of, and since when and of which tables a log tells transactions.
 */
final class ShownIds {
  /** Ids further apart are not compared, as they come again after 32 bits. */
  private static final int FARTHEST = 1 << 30;

  private final NamedIds named = new NamedIds();

  /** Tables of which a log has told. */
  private final Set<String> tables = new HashSet<>();

  /** Those of which something that was told is not known any more. */
  private final Set<String> forgotten = new HashSet<>();

  /** The first id that any log of the database told; 0 if rows do not show ids. */
  private int from;

  /** The first id that was given when this log was followed already. */
  private int next;

  /**
   * A log begins.
   *
   * @param firstWriter and {@code nextWriter} as of a {@link
   *     io.isotail.incremental.record.LogStart}
   */
  void begin(long firstWriter, long nextWriter) {
    int first = notZero((int) firstWriter);
    next = (int) nextWriter;
    from = from == 0 || first - from < 0 ? first : from;
  }

  /** A log of another database begins, or one whose rows do not show ids. */
  void end() {
    named.clear();
    tables.clear();
    forgotten.clear();
    from = 0;
  }

  /** Whether rows show ids. */
  boolean areShown() {
    return from != 0;
  }

  /** The log tells of a table. */
  void tells(String table) {
    if (areShown()) {
      tables.add(table);
    }
  }

  /** Of these tables something may have been told that is not known. */
  void forget(Set<String> of) {
    if (areShown()) {
      tables.addAll(of);
      forgotten.addAll(of);
    }
  }

  /** What was told so far is not known any more, of these tables, or of all for null. */
  void forgetTold(@Nullable Set<String> of) {
    tables.stream().filter(table -> of == null || of.contains(table)).forEach(forgotten::add);
  }

  /** The checker has a transaction with this id. */
  void add(int id) {
    named.add(id);
    if (id - from > FARTHEST) {
      from = notZero(id - FARTHEST);
    }
  }

  /** The checker has a transaction with the ids that these writes were done under. */
  void add(Operations writes) {
    named.add(writes);
  }

  private static int notZero(int id) {
    return id == 0 ? 1 : id;
  }

  /** Whether the checker perhaps has no transaction with an id, and a log has told of the table. */
  boolean isUnknown(@Nullable String table, int id) {
    return areShown() && id - from >= 0 && !named.contains(id) && tables.contains(table);
  }

  /** Whether something that was told of a table is not known any more. */
  boolean isForgotten(String table) {
    return forgotten.contains(table);
  }

  /** Whether an id is of before all logs. */
  boolean isBeforeLogs(int id) {
    return id - from < 0;
  }

  /** Whether an id is perhaps of before this log. */
  boolean mayBeBefore(int id) {
    return id - next < 0;
  }

  /** Whether an id may be of a part of a transaction, if the row is one that it wrote. */
  boolean mayBePartOf(long writer, long id) {
    return (int) id - (int) writer > 0 && !named.contains((int) id);
  }

  void save(StateWriter out) {
    named.save(out);
    out.set(tables);
    out.set(forgotten);
    out.number(from);
    out.number(next);
  }

  void load(StateReader in) {
    named.load(in);
    for (int n = in.count(); n > 0; n--) {
      tables.add(in.requiredText());
    }
    for (int n = in.count(); n > 0; n--) {
      forgotten.add(in.requiredText());
    }
    from = (int) in.number();
    next = (int) in.number();
  }
}
