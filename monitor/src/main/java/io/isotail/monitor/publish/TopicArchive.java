package io.isotail.monitor.publish;

import io.isotail.monitor.kafka.KafkaClients;
import io.isotail.monitor.publish.PublishedPlaces.Of;
import io.isotail.monitor.store.Archive;
import io.isotail.monitor.store.StoredAnomaly;
import io.isotail.monitor.store.StoredCause;
import io.isotail.monitor.store.StoredIncident;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads back from the anomalies topic what the store has given up, so that a link opens for as long
 * as the topic keeps what it leads to.
 *
 * <p>Design. A thread of its own reads the topic once from its beginning, only for the ids, and
 * notes where each stands; what is published later is noted by {@link AnomalyFeed}. Then it answers
 * one question after the other, each with a look at one offset. Nobody who asks waits on a thread,
 * and the thread that checks is not concerned.
 */
public final class TopicArchive implements Archive, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TopicArchive.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);
  private static final long PAUSE_MS = 1_000;

  /** Questions that wait; more are refused. */
  private static final int MOST_WAITING = 1_000;

  private record Question(
      Of of, String id, CompletableFuture<Optional<AnomalyRecord.Content>> answer) {
    /** There is no answer, unless one was given. */
    void refuse(String why) {
      answer.completeExceptionally(new IllegalStateException(why));
    }
  }

  private final KafkaClients clients;
  private final String topic;
  private final PublishedPlaces places = new PublishedPlaces();
  private final BlockingQueue<Question> questions = new LinkedBlockingQueue<>(MOST_WAITING);
  private final Thread thread;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Whether the ids of everything are noted that was there before the feed began. */
  private volatile boolean scanned;

  /** Does nothing until begun. */
  @SuppressWarnings("this-escape") // the thread starts later
  public TopicArchive(KafkaClients clients, String topic) {
    this.clients = clients;
    this.topic = topic;
    this.thread = new Thread(this::run, "isotail-archive");
    thread.setDaemon(true);
  }

  /** Where what was published stands. */
  PublishedPlaces places() {
    return places;
  }

  /** Starts the thread, after the feed has taken its place in the topic. */
  public void begin() {
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    }
  }

  @Override
  public CompletionStage<Optional<StoredAnomaly>> anomaly(String id) {
    return ask(
        Of.ANOMALY, id, AnomalyRecord.Known.class, AnomalyRecord.Known::anomaly, StoredAnomaly::id);
  }

  @Override
  public CompletionStage<Optional<StoredCause>> cause(String id) {
    return ask(
        Of.CAUSE,
        id,
        AnomalyRecord.KnownCause.class,
        AnomalyRecord.KnownCause::cause,
        StoredCause::id);
  }

  @Override
  public CompletionStage<Optional<StoredIncident>> incident(String id) {
    return ask(
        Of.INCIDENT,
        id,
        AnomalyRecord.KnownIncident.class,
        AnomalyRecord.KnownIncident::incident,
        StoredIncident::id);
  }

  /** Two ids may have one place: what stands there is looked at. */
  private <C extends AnomalyRecord.Content, T> CompletionStage<Optional<T>> ask(
      Of of, String id, Class<C> form, Function<C, T> stored, Function<T, String> idOf) {
    return ask(of, id)
        .thenApply(
            found ->
                found
                    .filter(form::isInstance)
                    .map(form::cast)
                    .map(stored)
                    .filter(each -> idOf.apply(each).equals(id)));
  }

  private CompletableFuture<Optional<AnomalyRecord.Content>> ask(Of of, String id) {
    if (scanned && places.find(of, id).isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    Question question = new Question(of, id, new CompletableFuture<>());
    if (isClosed() || !questions.offer(question)) {
      question.refuse("too many ask for what is not in memory");
    }
    return question.answer;
  }

  private void run() {
    try {
      do {
        try {
          work();
        } catch (RuntimeException e) { // whatever it is, what is asked for next may be found
          log.debug("the anomalies topic cannot be read back", e);
        }
      } while (!closed.await(PAUSE_MS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void work() throws InterruptedException {
    try (Consumer<byte[], byte[]> lookup = clients.consumer()) {
      if (!scanned) {
        List<Question> early = new ArrayList<>();
        try {
          scan(lookup, early);
          scanned = true;
          early.forEach(question -> answer(question, lookup));
        } finally {
          early.forEach(question -> question.refuse("the anomalies topic cannot be read"));
        }
      }
      while (!isClosed()) {
        Question question = questions.poll(PAUSE_MS, TimeUnit.MILLISECONDS);
        if (question != null) {
          answer(question, lookup);
        }
      }
    }
  }

  /**
   * Notes where everything stands; answers meanwhile what it can.
   *
   * @param early takes the questions of which is not known yet whether they have an answer
   */
  private void scan(Consumer<byte[], byte[]> lookup, List<Question> early) {
    try (Consumer<byte[], byte[]> scan = clients.consumer()) {
      List<TopicPartition> partitions =
          scan.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      scan.assign(partitions);
      scan.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = scan.endOffsets(partitions);
      while (!isClosed() && ends.entrySet().stream().anyMatch(e -> isBefore(scan, e))) {
        for (ConsumerRecord<byte[], byte[]> record : scan.poll(POLL)) {
          noteOld(record);
        }
        for (Question question = questions.poll(); question != null; question = questions.poll()) {
          if (places.find(question.of, question.id).isPresent()) {
            answer(question, lookup);
          } else {
            early.add(question);
          }
        }
      }
    }
  }

  private static boolean isBefore(
      Consumer<byte[], byte[]> scan, Map.Entry<TopicPartition, Long> end) {
    return scan.position(end.getKey()) < end.getValue();
  }

  /** What comes later is rather remembered. */
  private void noteOld(ConsumerRecord<byte[], byte[]> record) {
    if (places.hasRoom()) {
      note(places, record);
    }
  }

  /** Notes where a record stands. */
  static void note(PublishedPlaces places, ConsumerRecord<byte[], byte[]> record) {
    String anomaly = AnomalyRecord.anomalyId(record);
    if (anomaly != null) {
      places.note(Of.ANOMALY, anomaly, record.partition(), record.offset());
    }
    String cause = AnomalyRecord.causeId(record);
    if (cause != null) {
      places.note(Of.CAUSE, cause, record.partition(), record.offset());
    }
    String incident = AnomalyRecord.incidentId(record);
    if (incident != null) {
      places.note(Of.INCIDENT, incident, record.partition(), record.offset());
    }
  }

  private void answer(Question question, Consumer<byte[], byte[]> lookup) {
    try {
      OptionalLong place = places.find(question.of, question.id);
      question.answer.complete(
          place.isEmpty()
              ? Optional.empty()
              : Optional.ofNullable(read(place.getAsLong(), lookup)));
    } catch (RuntimeException e) { // of this record, or of a broker that will be back
      log.debug("{} {} cannot be read back", question.of, question.id, e);
      question.answer.completeExceptionally(e);
    }
  }

  /** What stands there; null if the topic does not keep it any more. */
  private AnomalyRecord.@Nullable Content read(long place, Consumer<byte[], byte[]> lookup) {
    TopicPartition partition = new TopicPartition(topic, PublishedPlaces.partition(place));
    long offset = PublishedPlaces.offset(place);
    lookup.assign(List.of(partition));
    lookup.seek(partition, offset);
    long deadlineNs = System.nanoTime() + READ_TIMEOUT.toNanos();
    while (System.nanoTime() < deadlineNs) {
      for (ConsumerRecord<byte[], byte[]> record : lookup.poll(POLL).records(partition)) {
        return record.offset() == offset ? AnomalyRecord.read(record) : null;
      }
      if (lookup.position(partition) > offset) {
        return null; // all that is left begins behind it
      }
    }
    throw new KafkaException(
        "%s offset %d was not read within %d s"
            .formatted(partition, offset, READ_TIMEOUT.toSeconds()));
  }

  /** Stops the thread; whoever still asks is told so. */
  @Override
  public void close() {
    closed.countDown();
    for (Question question = questions.poll(); question != null; question = questions.poll()) {
      question.refuse("the monitor stops");
    }
  }
}
