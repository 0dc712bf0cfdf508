package io.isotail.ingest.format;

import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Hands transactions over in the order in which they begin in the file, though that one has ended
 * shows only when its session goes on. In that order, which most files owe to their commits, a
 * checker finds the writers before the readers and has nothing to put aside.
 *
 * <p>What waits is bounded: a transaction that holds up too many others is handed over when it has
 * ended, behind them.
 */
final class FileOrder {
  /** So many transactions may wait for one that has not ended. */
  private static final int MAX_WAITING = 16_384;

  /** So many operations may wait. */
  private static final long MAX_WAITING_OPERATIONS = 2_000_000;

  /** A transaction's place in the order. */
  static final class Place {
    private final List<TransactionRecord> records = new ArrayList<>(1);
    private long lastLine;
    private boolean ended;
    private boolean passed;
  }

  private final ArrayDeque<Place> places = new ArrayDeque<>();
  private final TransactionConsumer consumer;
  private long waitingOperations;
  private long lastOffset;

  FileOrder(TransactionConsumer consumer) {
    this.consumer = consumer;
  }

  /** The next place. */
  Place begin() {
    Place place = new Place();
    places.add(place);
    return place;
  }

  /** Puts a record into a place, behind those that are there. */
  void add(Place place, TransactionRecord record, long lastLine) {
    place.records.add(record);
    place.lastLine = lastLine;
    waitingOperations += record.operations().size();
  }

  /** Nothing more comes into the place. */
  void end(Place place) {
    place.ended = true;
    if (place.passed) {
      handOver(place);
      return;
    }
    while (!places.isEmpty() && (places.element().ended || tooMuchWaits())) {
      Place next = places.remove();
      if (next.ended) {
        handOver(next);
      } else {
        next.passed = true;
      }
    }
  }

  private boolean tooMuchWaits() {
    return places.size() > MAX_WAITING || waitingOperations > MAX_WAITING_OPERATIONS;
  }

  private void handOver(Place place) {
    for (TransactionRecord record : place.records) {
      lastOffset = Math.max(lastOffset + 1, place.lastLine);
      waitingOperations -= record.operations().size();
      consumer.accept(lastOffset, record);
    }
  }
}
