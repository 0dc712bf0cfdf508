package io.isotail.ingest.cost;

import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.NotCaptured;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.BadRecordException;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.sandbox.TopicReader;

/** What the stream tells of one history: that the driver did what its cost is measured of. */
final class Recorded {
  private static final double MOST_NOT_CAPTURED = 0.05;

  private long committed;
  private long reads;
  private long captured;
  private long notCaptured;
  private long lost;
  private boolean complete;

  private Recorded() {}

  /** Reads a history from the beginning to its goodbye. */
  static Recorded of(String bootstrap, String history) throws BadRecordException {
    Recorded recorded = new Recorded();
    TopicReader.each(
        bootstrap,
        EventCodec.TOPIC,
        message -> {
          if (EventCodec.history(message.key()).equals(history)) {
            EventCodec.decode(message.value()).forEach(recorded::add);
          }
        });
    return recorded;
  }

  private void add(StreamRecord record) {
    if (record instanceof TransactionRecord t) {
      committed += t.outcome() == Outcome.COMMITTED ? 1 : 0;
      for (int i = 0; i < t.operations().size(); i++) {
        reads += t.operations().kind(i) == OperationKind.READ ? 1 : 0;
      }
    } else if (record instanceof Gap gap) {
      lost += gap.lostRecords();
    } else if (record instanceof Goodbye) {
      complete = true;
    } else if (record instanceof Heartbeat beat && beat.counts() != null) {
      CaptureCounts counts = beat.counts();
      captured += counts.captured();
      notCaptured += counts.notCaptured().stream().mapToLong(NotCaptured::statements).sum();
    }
  }

  /** Committed transactions of which records came. */
  long committed() {
    return committed;
  }

  /** Whether nothing was lost, and no more than a few statements were not captured. */
  boolean whole() {
    return complete && lost == 0 && notCaptured <= MOST_NOT_CAPTURED * (captured + notCaptured);
  }

  @Override
  public String toString() {
    return "%d transactions, %d reads; of %d statements %d not captured; %d records lost"
        .formatted(committed, reads, captured + notCaptured, notCaptured, lost);
  }
}
