package io.isotail.incremental.reads;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.IdentityWriter.Noted;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongLinkedOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that each id belongs to: a captured one by the ids that its writes were seen to
 * have, and one that nobody captured by the id that it stands for.
 *
 * <p>An id that two transactions show, neither of which is known to have aborted, belongs to none
 * of them: after a crash ids are given out again.
 *
 * <p>Those of transactions that have left the window are kept in the order in which they left, up
 * to a bound. Of the ones before it is known that they were captured ({@link LeftIds}), so that
 * nobody else is made to stand for their writers. One that nobody captured is forgotten at once:
 * another one may stand for the rest of what it wrote.
 */
final class WriterIds {
  private final Long2ObjectOpenHashMap<Transaction> byId = new Long2ObjectOpenHashMap<>();
  private final LongQueue retired = new LongQueue();
  private final LeftIds left = new LeftIds();
  private final int maxRetired;

  /** No ids; remembers at most so many of transactions that have left the window. */
  WriterIds(int maxRetired) {
    this.maxRetired = maxRetired;
  }

  /**
   * The transaction that an id belongs to, or null; {@link Transaction#FORGOTTEN} where no more is
   * known than that it was captured, and committed.
   */
  @Nullable Transaction of(long id) {
    Transaction writer = byId.get(id);
    if (writer == null && left.contains(id)) {
      return Transaction.FORGOTTEN;
    }
    return writer == Transaction.INITIAL ? null : writer;
  }

  /** Whether a transaction is known to have written under an id. */
  boolean belongs(long id, Transaction transaction) {
    return byId.get(id) == transaction;
  }

  /**
   * A captured transaction shows its ids. One that already stands for it as one that nobody
   * captured goes on to do so.
   */
  void add(Transaction writer) {
    if (writer.outcome == Outcome.ABORTED) {
      return;
    }
    for (long id : idsOf(writer.operations)) {
      Transaction other = byId.putIfAbsent(id, writer);
      boolean another = other == null ? left.contains(id) : other != writer;
      if (another && (other == null || !other.uncaptured())) {
        byId.put(id, Transaction.INITIAL);
      }
    }
  }

  /** One that nobody captured is known by the ids of its writes, unless somebody else is. */
  void addUncaptured(Transaction writer) {
    for (long id : idsOf(writer.operations)) {
      byId.putIfAbsent(id, writer);
    }
  }

  /** A transaction leaves the window. Called before it is stripped. */
  void retire(Transaction writer) {
    if (!writer.operations.anyNamesWriters()) {
      return;
    }
    for (long id : idsOf(writer.operations)) {
      if (writer.uncaptured()) {
        byId.remove(id, writer);
      } else {
        retired.enqueue(id);
      }
    }
    while (retired.size() > maxRetired) {
      long oldest = retired.dequeueLong();
      Transaction gone = byId.get(oldest);
      if (gone == Transaction.INITIAL
          || (gone != null && gone.state == Transaction.State.TRUNCATED)) {
        byId.remove(oldest);
        if (gone.outcome == Outcome.COMMITTED && gone != Transaction.INITIAL) {
          left.add(oldest);
        } else {
          left.remove(oldest);
        }
      }
    }
  }

  /** Whether all writes of a transaction have the same id. */
  static boolean hasOneId(Operations ops) {
    return idsOf(ops).size() == 1;
  }

  private static LongSet idsOf(Operations ops) {
    LongSet ids = LongSet.of();
    for (int i = 0; i < ops.size(); i++) {
      boolean shown =
          ops.kind(i) == OperationKind.WRITE
              && ops.versionKind(i) == VersionKind.KNOWN
              && ops.namesWriters(i);
      if (!shown || ids.contains(ops.version(i))) {
        continue;
      }
      if (ids.isEmpty()) {
        ids = LongSet.of(ops.version(i));
      } else {
        ids = new LongLinkedOpenHashSet(ids);
        ids.add(ops.version(i));
      }
    }
    return ids;
  }

  void save(GraphWriter graph) {
    Long2ObjectOpenHashMap<Transaction> all = byId.clone();
    graph.out.later(
        (Noted)
            to -> {
              long[] ids = all.keySet().toLongArray();
              Arrays.sort(ids);
              to.out.numbers(ids);
              for (long id : ids) {
                to.transaction(all.get(id));
              }
            });
    graph.out.later(retired.cut());
    left.save(graph.out);
  }

  /** Takes back what {@link #save} saved. */
  void load(GraphReader graph) {
    for (long id : graph.in.numbers()) {
      byId.put(id, graph.transaction());
    }
    retired.load(graph.in);
    left.load(graph.in);
  }
}
