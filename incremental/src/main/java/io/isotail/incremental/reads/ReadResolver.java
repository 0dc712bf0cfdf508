package io.isotail.incremental.reads;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.verdict.VerdictLedger;
import io.isotail.incremental.window.Counters;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides the writer of each read of a transaction and checks the axioms of [1] Def. 2.3 ([1]
 * Algorithm 4). A read of which the axioms have more to say is handed to {@link ReadAxioms}.
 *
 * <p>Differs from [1]: a read can also be undecided, namely when something that the stream did not
 * show could explain what it returned. Undecided reads are removed like bad ones.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
public final class ReadResolver {
  /** Transactions with more operations keep their own writes in a map. */
  private static final int SCAN_AT_MOST = 16;

  private final WriterEvidence evidence;
  private final ReadAxioms axioms;
  private final ListAxioms lists;
  private final Counters counters;
  private final VerdictLedger ledger;
  private final Long2IntOpenHashMap lastOwnWrite = new Long2IntOpenHashMap();
  private int[] readOperations = new int[SCAN_AT_MOST];
  private @Nullable Transaction[] readWriters = new Transaction[SCAN_AT_MOST];
  private final IntArrayList listedVersions = new IntArrayList(0);
  private final IntArrayList unclearLists = new IntArrayList(0);

  /** Number of reads of the transaction that are decided so far. */
  private int decided;

  /** Resolves against {@code versions}, as far as {@code evidence} goes. */
  public ReadResolver(
      CheckerConfig config,
      VersionTable versions,
      WriterEvidence evidence,
      BeforeCapture beforeCapture,
      Counters counters,
      VerdictLedger ledger) {
    this.evidence = evidence;
    this.axioms = new ReadAxioms(config, versions, evidence, beforeCapture, ledger);
    this.lists = new ListAxioms(axioms, versions);
    this.counters = counters;
    this.ledger = ledger;
    lastOwnWrite.defaultReturnValue(-1);
  }

  /**
   * Resolves the reads of a committed transaction into {@link Transaction#readOperations} and
   * {@link Transaction#readWriters}.
   *
   * @return the bad ones, in program order
   */
  public List<BadRead> resolve(Transaction t) {
    Operations ops = t.operations;
    int n = ops.size();
    List<BadRead> bad = List.of();
    if (readOperations.length < n) {
      readOperations = new int[2 * n];
      readWriters = new Transaction[2 * n];
    }
    decided = 0;
    listedVersions.clear();
    unclearLists.clear();
    boolean ownWrites = t.writeCount() > 0;
    boolean byMap = ownWrites && n > SCAN_AT_MOST;
    lastOwnWrite.clear();
    for (int i = 0; i < n; i++) {
      if (ops.undone(i)) {
        continue;
      }
      OperationKind kind = ops.kind(i);
      if (kind == OperationKind.WRITE || kind == OperationKind.DELETE) {
        if (byMap) {
          lastOwnWrite.put(ops.key(i), i);
        }
      } else if (kind == OperationKind.READ) {
        counters.reads++;
        int own =
            byMap
                ? lastOwnWrite.get(ops.key(i))
                : ownWrites && t.writes(ops.key(i)) ? lastOwnWrite(ops, i) : -1;
        UndecidedReason doubt = own < 0 ? evidence.againstAny(ops.statement(i).table()) : null;
        if (doubt != null) {
          ledger.undecidedRead(t, doubt);
          continue;
        }
        Transaction writer = own < 0 ? axioms.undoubted(t, i) : null;
        if (writer == null) {
          ReadResult result =
              own >= 0 ? axioms.afterOwnWrite(t, i, own) : axioms.withoutOwnWrite(t, i);
          writer = writerOf(t, result);
          if (result instanceof BadRead badRead) {
            bad = with(bad, badRead);
          }
        }
        if (writer != null) {
          noteDecided(t, i, writer);
          add(t, i, writer);
        }
      } else if (kind == OperationKind.LISTED) {
        int end = ops.listEnd(i);
        BadRead badRead = end == i || ops.undone(end) ? null : resolveList(t, i, end);
        if (badRead != null) {
          bad = with(bad, badRead);
        }
        i = end;
      }
    }
    if (decided > 0) {
      t.readOperations = Arrays.copyOf(readOperations, decided);
      t.readWriters = Arrays.copyOf(readWriters, decided);
      Arrays.fill(readWriters, 0, decided, null);
    }
    if (!listedVersions.isEmpty()) {
      t.listedVersions = listedVersions.toIntArray();
    }
    if (!unclearLists.isEmpty()) {
      t.unclearLists = unclearLists.toIntArray();
    }
    return bad;
  }

  private void add(Transaction t, int read, Transaction writer) {
    if (writer != t) {
      readOperations[decided] = read;
      readWriters[decided++] = writer;
    }
  }

  /**
   * Resolves a list, which is one read: it is decided if each of its elements is.
   *
   * @param first operation of the list
   * @param end the read that ends it
   * @return the first element that is bad, or null
   */
  private @Nullable BadRead resolveList(Transaction t, int first, int end) {
    counters.reads++;
    lists.apply(t, first, end, lastReadOf(t, t.operations.key(end)));
    BadRead bad = lists.bad();
    UndecidedReason doubt = lists.doubt();
    if (lists.isUnclear()) {
      unclearLists.add(end);
    }
    if (bad != null) {
      counters.readsDecided++;
    } else {
      if (doubt != null) {
        ledger.undecidedRead(t, doubt);
      } else {
        Transaction last = lists.writer(end);
        noteDecided(t, end, last == null ? t : last);
      }
      addList(t, first, end);
    }
    lists.clear();
    return bad;
  }

  private void addList(Transaction t, int first, int end) {
    int version = lists.version();
    for (int i = first; i <= end; i++) {
      Transaction writer = lists.writer(i);
      if (writer != null) {
        if (i == version && i < end) {
          listedVersions.add(i);
        }
        add(t, i, writer);
      }
    }
    if (version < end && lists.isDecided()) {
      listedVersions.add(end);
    }
  }

  /** The last operation so far by which a transaction read of a key what others wrote, or -1. */
  private int lastReadOf(Transaction t, long key) {
    for (int r = decided - 1; r >= 0 && t.writeCount() > 0; r--) {
      if (t.operations.key(readOperations[r]) == key && readWriters[r] != Transaction.INITIAL) {
        return readOperations[r];
      }
    }
    return -1;
  }

  /**
   * A read from a transaction that was not captured. Up to the level that binds that writer it is
   * as good as decided, and it is undecided where the writer may be a captured transaction whose
   * version was not seen.
   */
  private void noteUncaptured(Transaction t, int read, Transaction writer) {
    Operations ops = t.operations;
    UndecidedReason doubt = evidence.againstUncaptured(ops.statement(read).table(), ops.key(read));
    if (doubt != null) {
      ledger.undecidedRead(t, doubt);
      return;
    }
    counters.readsForeign++;
    if (!writer.promise.atLeast(t.promise)) {
      ledger.undecided(writer.promise.nextStronger(), t.promise, UndecidedReason.UNKNOWN_WRITER);
    }
  }

  private void noteDecided(Transaction t, int read, Transaction writer) {
    if (writer.uncaptured()) {
      noteUncaptured(t, read, writer);
    } else {
      counters.readsDecided++;
      counters.readsBeforeCapture += t.operations.beforeCapture(read) ? 1 : 0;
    }
  }

  private static int lastOwnWrite(Operations ops, int read) {
    for (int i = read - 1; i >= 0; i--) {
      if (ops.isWrite(i) && ops.key(i) == ops.key(read)) {
        return i;
      }
    }
    return -1;
  }

  /** The writer that was read from, null if there is none to be named. */
  private @Nullable Transaction writerOf(Transaction t, ReadResult result) {
    if (result instanceof ReadResult.From from) {
      return from.writer();
    }
    if (result instanceof ReadResult.Undecided undecided) {
      ledger.undecidedRead(t, undecided.reason());
    } else {
      counters.readsDecided++;
    }
    return null;
  }

  private static List<BadRead> with(List<BadRead> bad, BadRead more) {
    List<BadRead> longer = bad.isEmpty() ? new ArrayList<>(1) : bad;
    longer.add(more);
    return longer;
  }
}
