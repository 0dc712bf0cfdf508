package io.isotail.ingest.chaos;

import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.BadRecordException;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.sandbox.TopicReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What stands on Kafka when all proxies have ended. */
final class RecordedStream {
  private static final String BOOKINGS = "booking";

  private final Map<Long, Set<Outcome>> outcomes = new HashMap<>();
  private final Map<String, Incarnation> incarnations = new HashMap<>();
  private final Map<Outcome, Long> transactions = new EnumMap<>(Outcome.class);
  private final Map<String, Long> levels = new TreeMap<>();

  /**
   * What one process of a proxy has announced. Times are those at which Kafka has appended records,
   * which is much later than they were made where Kafka was away. A heartbeat is made when the one
   * before it is acknowledged, and all losses before it are announced before it: so what a gap
   * announces has ended after the last but one heartbeat before it was appended.
   */
  static final class Incarnation {
    private final String instance;
    private final List<Long> heartbeatsMs = new ArrayList<>();
    private final List<Announced> gaps = new ArrayList<>();
    private boolean goodbye;

    private Incarnation(String instance) {
      this.instance = instance;
    }

    String instance() {
      return instance;
    }

    private void gap(long ms, long records) {
      gaps.add(new Announced(lastMadeMs(), ms, records));
    }

    /** The last heartbeat was made then, or later. */
    private long lastMadeMs() {
      return heartbeatsMs.size() < 2 ? 0 : heartbeatsMs.get(heartbeatsMs.size() - 2);
    }

    boolean saidGoodbye() {
      return goodbye;
    }

    /** Records that it has announced as lost. */
    long lost() {
      return gaps.stream().mapToLong(Announced::records).sum();
    }

    /** Whether a gap may be about what ended at this time, give or take some time. */
    boolean announcesGap(long ms, long slackMs) {
      return gaps.stream()
          .anyMatch(gap -> ms >= gap.afterMs() - slackMs && ms <= gap.ms() + slackMs);
    }

    /** Whether it fell silent, with nothing said about this time or later. */
    boolean isSilentFrom(long ms, long slackMs) {
      return !goodbye && ms >= lastMadeMs() - slackMs;
    }
  }

  /**
   * A gap.
   *
   * @param afterMs what it announces has ended then, or later
   */
  private record Announced(long afterMs, long ms, long records) {}

  private RecordedStream() {}

  /** Reads a history from the beginning to the end. */
  static RecordedStream of(String bootstrap, String history) throws BadRecordException {
    RecordedStream stream = new RecordedStream();
    TopicReader.each(
        bootstrap,
        EventCodec.TOPIC,
        message -> {
          if (EventCodec.history(message.key()).equals(history)) {
            stream.add(message);
          }
        });
    return stream;
  }

  private void add(ConsumerRecord<byte[], byte[]> message) throws BadRecordException {
    for (StreamRecord record : EventCodec.decode(message.value())) {
      add(record, message.timestamp());
    }
  }

  private void add(StreamRecord record, long ms) {
    if (record instanceof Hello hello) {
      incarnations.put(hello.proxy(), new Incarnation(hello.instance()));
    } else if (record instanceof Heartbeat beat) {
      incarnation(beat.proxy()).heartbeatsMs.add(ms);
    } else if (record instanceof Gap gap) {
      incarnation(gap.proxy()).gap(ms, gap.lostRecords());
    } else if (record instanceof Goodbye goodbye) {
      incarnation(goodbye.proxy()).goodbye = true;
    } else if (record instanceof TransactionRecord transaction) {
      add(transaction);
    }
  }

  private Incarnation incarnation(String proxy) {
    return incarnations.computeIfAbsent(proxy, id -> new Incarnation("without a hello"));
  }

  private void add(TransactionRecord transaction) {
    Outcome outcome = transaction.outcome();
    transactions.merge(outcome, 1L, Long::sum);
    String level = String.valueOf(transaction.ranAt());
    levels.merge(level, 1L, Long::sum);
    Operations operations = transaction.operations();
    for (int i = 0; i < operations.size(); i++) {
      if (operations.kind(i) == OperationKind.WRITE
          && BOOKINGS.equals(operations.statement(i).table())) {
        outcomes
            .computeIfAbsent(operations.key(i), key -> EnumSet.noneOf(Outcome.class))
            .add(outcome);
      }
    }
  }

  /** How the transactions ended that have written a row, by the identity of its key. */
  Set<Outcome> outcomes(long key) {
    return outcomes.getOrDefault(key, Set.of());
  }

  /** Transactions that ended so. */
  long transactions(Outcome outcome) {
    return transactions.getOrDefault(outcome, 0L);
  }

  /** Transactions of each level that they ran at. */
  Map<String, Long> levels() {
    return levels;
  }

  /** Those that a process of a proxy has announced. */
  List<Incarnation> of(String instance) {
    return incarnations.values().stream().filter(i -> i.instance.equals(instance)).toList();
  }

  /** All of them. */
  Collection<Incarnation> incarnations() {
    return incarnations.values();
  }
}
