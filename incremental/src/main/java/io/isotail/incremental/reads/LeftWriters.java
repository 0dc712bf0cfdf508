package io.isotail.incremental.reads;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Window;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;

/**
 * Which keys were written by transactions that have left the window, for as long as one of these
 * may be connected with a transaction that is in it or comes into it.
 *
 * <p>That is so while a version of the key that it wrote may still be read, or a level holds it;
 * and from then on until all have left the window that are in it at that time, since they may have
 * read the version. So what is remembered is bounded by the versions that are remembered, what the
 * levels hold, and the writes of one window.
 */
public final class LeftWriters {
  private final boolean applies;
  private final Window window;

  /** For each key, how many reasons there are to remember it. */
  private final Long2IntOpenHashMap reasons = new Long2IntOpenHashMap();

  /** Whose writers a level may hold. */
  private final HeldKeys held = new HeldKeys();

  /** A place of the window and a key, in turn: it is forgotten once the window begins later. */
  private final LongQueue fading = new LongQueue();

  /** Nobody has left. Remembers nothing where nothing is concluded from absences. */
  public LeftWriters(CheckerConfig config, Window window) {
    this.applies = Absences.decides(config);
    this.window = window;
  }

  /** Whether somebody who has left the window wrote the key, and may matter. */
  boolean any(long key) {
    return reasons.containsKey(key);
  }

  /** A version of a key is remembered whose writer has left the window, or leaves it. */
  void retired(long key) {
    if (applies) {
      reasons.addTo(key, 1);
    }
  }

  /** One that was told of is remembered no longer. */
  void forgotten(long key) {
    if (applies) {
      fading.enqueue(window.lastPlace());
      fading.enqueue(key);
    }
  }

  /** A transaction is about to leave the window, and is not stripped yet. */
  void leaves(Transaction transaction) {
    if (!applies) {
      return;
    }
    for (int i = 0; i < transaction.writeCount(); i++) {
      retired(transaction.writeKey(i));
      held.add(transaction.writeKey(i), transaction);
    }
    held.sweep(this::forgotten);
    while (fading.size() > 0 && fading.first() < window.oldestPlace()) {
      fading.dequeueLong();
      drop(fading.dequeueLong());
    }
  }

  private void drop(long key) {
    if (reasons.addTo(key, -1) == 1) {
      reasons.remove(key);
    }
  }

  void save(GraphWriter graph) {
    held.save(graph);
    graph.out.later(fading.cut());
  }

  /** Takes back what {@link #save} saved; the table of versions has told its own. */
  void load(GraphReader graph) {
    held.load(graph, this::retired);
    fading.load(graph.in);
    fading.forEachSecond(this::retired);
  }
}
