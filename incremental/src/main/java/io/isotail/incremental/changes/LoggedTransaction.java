package io.isotail.incremental.changes;

import io.isotail.incremental.record.LoggedTable;
import io.isotail.incremental.record.RecordReader;
import io.isotail.incremental.record.RecordWriter;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;

/** A committed transaction, as the log shows it. */
final class LoggedTransaction {
  final long writer;

  /** When it came, in ms of the stream. */
  long toldMs;

  /** The rows that it changed, by their keys, with their tables. */
  final Long2ObjectLinkedOpenHashMap<LoggedTable> rows = new Long2ObjectLinkedOpenHashMap<>();

  /** The keys of those that it has removed, for good or not. */
  final LongOpenHashSet removed = new LongOpenHashSet();

  /**
   * The keys of those that it has changed more than once, so that it may have left more contents.
   */
  final LongOpenHashSet rewritten = new LongOpenHashSet();

  /** Whether a captured transaction is this one. */
  boolean captured;

  /** Whether one of them has shown its id. */
  boolean owned;

  LoggedTransaction(long writer) {
    this.writer = writer;
  }

  void save(StateWriter out, RecordWriter records) {
    out.number(writer);
    out.number(toldMs);
    out.flag(captured);
    out.flag(owned);
    out.count(rows.size());
    rows.forEach(
        (key, table) -> {
          out.number(key);
          records.table(table);
        });
    save(removed, out);
    save(rewritten, out);
  }

  private static void save(LongOpenHashSet keys, StateWriter out) {
    long[] sorted = keys.toLongArray();
    Arrays.sort(sorted);
    out.numbers(sorted);
  }

  static LoggedTransaction load(StateReader in, RecordReader records) {
    LoggedTransaction each = new LoggedTransaction(in.number());
    each.toldMs = in.number();
    each.captured = in.flag();
    each.owned = in.flag();
    for (int n = in.count(); n > 0; n--) {
      each.rows.putAndMoveToLast(in.number(), records.table());
    }
    for (long key : in.numbers()) {
      each.removed.add(key);
    }
    for (long key : in.numbers()) {
      each.rewritten.add(key);
    }
    return each;
  }
}
