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
 * <p>What waits is bounded: a transaction that holds up too much is passed over, and its records
 * are handed over as they come, behind the others.
 */
final class FileOrder {
  /** So many transactions may wait for one that has not ended. */
  private static final int MAX_WAITING = 16_384;

  /** So many operations may wait. */
  private static final long MAX_WAITING_OPERATIONS = 2_000_000;

  private record Line(long number, TransactionRecord record) {}

  /** A transaction's place in the order. */
  static final class Place {
    private final List<Line> lines = new ArrayList<>(1);
    private boolean ended;
    private boolean passed;
  }

  private final ArrayDeque<Place> places = new ArrayDeque<>();
  private final TransactionConsumer consumer;
  private final int maxWaiting;
  private final long maxWaitingOperations;
  private long waitingOperations;
  private long lastOffset;

  FileOrder(TransactionConsumer consumer) {
    this(consumer, MAX_WAITING, MAX_WAITING_OPERATIONS);
  }

  /** With other bounds. */
  FileOrder(TransactionConsumer consumer, int maxWaiting, long maxWaitingOperations) {
    this.consumer = consumer;
    this.maxWaiting = maxWaiting;
    this.maxWaitingOperations = maxWaitingOperations;
  }

  /** The next place. */
  Place begin() {
    Place place = new Place();
    places.add(place);
    return place;
  }

  /**
   * Puts a record into a place, behind those that are there.
   *
   * @param lastLine line of its last operation
   */
  void add(Place place, TransactionRecord record, long lastLine) {
    place.lines.add(new Line(lastLine, record));
    waitingOperations += record.operations().size();
    drain(place);
  }

  /** Nothing more comes into the place. */
  void end(Place place) {
    place.ended = true;
    drain(place);
  }

  private void drain(Place changed) {
    if (changed.passed) {
      handOver(changed);
    }
    while (!places.isEmpty() && (places.element().ended || tooMuchWaits())) {
      Place next = places.remove();
      next.passed = true;
      handOver(next);
    }
  }

  private boolean tooMuchWaits() {
    return places.size() > maxWaiting || waitingOperations > maxWaitingOperations;
  }

  private void handOver(Place place) {
    for (Line line : place.lines) {
      lastOffset = Math.max(lastOffset + 1, line.number);
      waitingOperations -= line.record.operations().size();
      consumer.accept(lastOffset, line.record);
    }
    place.lines.clear();
  }
}
