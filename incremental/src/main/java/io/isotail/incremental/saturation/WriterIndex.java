package io.isotail.incremental.saturation;

import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import org.jspecify.annotations.Nullable;

/** For each key, the delivered transactions in the window that wrote it. */
public final class WriterIndex {
  private final KeyTable byKey = new KeyTable();
  private @Nullable KeyWriters[] guesses = new KeyWriters[16];

  /** What was read in advance goes here, so that the loads are not dropped as useless. */
  @SuppressWarnings("UnusedVariable")
  private int prefetched;

  private final Places scratch = new Places();
  private final WriterMemory memory;

  /** No writers yet. */
  public WriterIndex(Tuning tuning) {
    this.memory = new WriterMemory(tuning);
  }

  /** The writers of {@code key}, or null if there are none. */
  public @Nullable KeyWriters of(long key) {
    return byKey.get(key);
  }

  /**
   * Brings into the processor's cache what the keys of these operations will be asked for: all at
   * once, since none of these loads waits for another one. Changes nothing.
   */
  public void prefetch(Operations ops) {
    int n = ops.size();
    if (guesses.length < n) {
      guesses = new KeyWriters[2 * n];
    }
    for (int i = 0; i < n; i++) {
      guesses[i] = byKey.guess(ops.key(i));
    }
    int sum = 0;
    for (int i = 0; i < n; i++) {
      KeyWriters guess = guesses[i];
      sum += guess == null ? 0 : guess.prefetch();
      guesses[i] = null;
    }
    prefetched = sum;
  }

  /** Enters a delivered transaction that has its clock. */
  public void add(Transaction writer) {
    memory.noteSession(writer);
    for (int i = 0; i < writer.writeCount(); i++) {
      writer.writePlace(i, findOrAdd(writer.writeKey(i)).add(writer, scratch));
    }
  }

  /** Enters a delivered transaction, as long as nobody is to be asked what it has seen. */
  public void addUnordered(Transaction writer) {
    memory.noteSession(writer);
    for (int i = 0; i < writer.writeCount(); i++) {
      writer.writePlace(i, findOrAdd(writer.writeKey(i)).addUnordered(writer));
    }
  }

  /**
   * Enters a settled transaction as the last one that wrote a key, where others are not entered.
   */
  public void addLastSettled(long key, Transaction writer) {
    memory.noteSession(writer);
    writer.writePlace(writer.writeIndex(key), findOrAdd(key).addLastSettled(writer));
  }

  /**
   * Takes back a transaction, as far as it is here, to be added again. Those that were added with
   * their clocks are taken back before, the last one first.
   */
  public void takeBack(Transaction writer) {
    for (int i = 0; i < writer.writeCount(); i++) {
      KeyWriters writers = byKey.get(writer.writeKey(i));
      if (writers != null) {
        writers.takeBack(writer, writer.writePlace(i));
      }
    }
  }

  /** Enters a delivered transaction that is part of the relation, and is not asked what it saw. */
  public void append(Transaction writer) {
    memory.noteSession(writer);
    for (int i = 0; i < writer.writeCount(); i++) {
      writer.writePlace(i, findOrAdd(writer.writeKey(i)).append(writer));
    }
  }

  /** It has become known of a delivered transaction that it wrote a key too. */
  public void addLate(Transaction writer, long key) {
    writer.writePlace(writer.writeIndex(key), findOrAdd(key).addLate(writer));
  }

  private KeyWriters findOrAdd(long key) {
    KeyWriters writers = byKey.get(key);
    if (writers == null) {
      writers = new KeyWriters(key, memory);
      byKey.add(writers);
    }
    return writers;
  }

  /** Forgets all. */
  public void clear() {
    byKey.clear();
    memory.clear();
  }

  /**
   * Takes out a transaction that leaves the window. Called before it is stripped.
   *
   * @param anySettled whether any transaction of the window is settled
   */
  public void remove(Transaction writer, boolean anySettled) {
    prefetchPlaces(writer);
    for (int i = 0; i < writer.writeCount(); i++) {
      long key = writer.writeKey(i);
      KeyWriters writers = byKey.get(key);
      if (writers != null) {
        writers.remove(writer, writer.writePlace(i));
        if (writers.isEmpty() && !(anySettled && writers.settledMayBeMissing())) {
          byKey.remove(key);
        }
      }
    }
  }

  /** What {@link #remove} will look at. */
  private void prefetchPlaces(Transaction writer) {
    int n = writer.writeCount();
    if (guesses.length < n) {
      guesses = new KeyWriters[2 * n];
    }
    for (int i = 0; i < n; i++) {
      guesses[i] = byKey.guess(writer.writeKey(i));
    }
    int sum = 0;
    for (int i = 0; i < n; i++) {
      KeyWriters guess = guesses[i];
      if (guess != null && guess.key == writer.writeKey(i)) {
        sum += guess.prefetch(writer.writePlace(i));
      }
      guesses[i] = null;
    }
    prefetched = sum;
  }

  /**
   * Saves the writers of each key.
   *
   * @param ordered whether they may know what they have seen; others follow from the window
   */
  public void save(GraphWriter out, boolean ordered) {
    out.out.flag(ordered);
    if (ordered) {
      byKey.save(out);
    }
    memory.save(out.out);
  }

  /** Takes back what {@link #save} saved. */
  public void load(GraphReader in) {
    if (in.in.flag()) {
      byKey.load(in, memory);
    }
    memory.load(in.in);
  }
}
