package io.isotail.monitor.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This program's transactions that are open on a partition although the broker has settled them. A
 * broker that is killed may forget to write the end of one (seen with Kafka 4.3.1 where it is the
 * only broker). Nobody's timeout writes it: a group's offsets are withheld for ever, and readers of
 * what is committed stand still. Here the end is written anew, by a transaction under the same id,
 * which shuts out who had it.
 *
 * <p>Which end: one that was settled as committed is committed, unless its offsets are open: those
 * are given up, and with them all the rest, since it is found and published again.
 *
 * <p>Of other programs nothing is touched. One that goes on is not taken for settled: it is listed
 * as going on before anything of it is written, and as settled after all its ends are; so the
 * partitions are asked before the coordinator, and again after it.
 */
public final class ForgottenTransactions {
  private static final Logger log = LoggerFactory.getLogger(ForgottenTransactions.class);
  private static final String OFFSETS = "__consumer_offsets";
  private static final Set<TransactionState> SETTLED =
      EnumSet.of(
          TransactionState.COMPLETE_COMMIT,
          TransactionState.COMPLETE_ABORT,
          TransactionState.EMPTY);

  /** What is open where. */
  private record Open(TopicPartition partition, long producer, long begin) {}

  private final KafkaClients clients;
  private final Admin admin;

  /** Asks by this client, which stays the caller's. */
  public ForgottenTransactions(KafkaClients clients, Admin admin) {
    this.clients = clients;
    this.admin = admin;
  }

  /**
   * Ends those on the group's offsets and on some partitions. Does nothing where this user may not
   * see them; what else fails is logged, and tried again at the next call.
   */
  public void end(Collection<TopicPartition> partitions) throws InterruptedException {
    try {
      List<TopicPartition> all = new ArrayList<>(partitions);
      all.addAll(offsets());
      Set<Open> open = open(all);
      List<TransactionListing> settled = open.isEmpty() ? List.of() : settled(open);
      if (settled.isEmpty()) {
        return;
      }
      Set<Open> still = open(all);
      still.retainAll(open);
      for (TransactionListing each : settled) {
        List<TopicPartition> of =
            still.stream()
                .filter(at -> at.producer() == each.producerId())
                .map(Open::partition)
                .toList();
        if (!of.isEmpty()) {
          end(each, of);
        }
      }
    } catch (ExecutionException e) {
      String why = String.valueOf(e.getCause());
      if (e.getCause() instanceof AuthorizationException) {
        log.debug("this user may not ask for transactions that a broker has forgotten: {}", why);
      } else {
        log.warn("whether a broker has forgotten transactions cannot be told: {}", why);
      }
    }
  }

  private List<TopicPartition> offsets() throws ExecutionException, InterruptedException {
    try {
      TopicDescription topic =
          admin.describeTopics(List.of(OFFSETS)).topicNameValues().values().iterator().next().get();
      int partition = Utils.abs(clients.group().hashCode()) % topic.partitions().size();
      return List.of(new TopicPartition(OFFSETS, partition));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return List.of(); // no group has committed anything yet
      }
      throw e;
    }
  }

  private Set<Open> open(List<TopicPartition> partitions)
      throws ExecutionException, InterruptedException {
    Set<Open> open = new HashSet<>();
    for (var each : admin.describeProducers(partitions).all().get().entrySet()) {
      for (ProducerState producer : each.getValue().activeProducers()) {
        producer
            .currentTransactionStartOffset()
            .ifPresent(begin -> open.add(new Open(each.getKey(), producer.producerId(), begin)));
      }
    }
    return open;
  }

  private List<TransactionListing> settled(Set<Open> open)
      throws ExecutionException, InterruptedException {
    Set<Long> producers = open.stream().map(Open::producer).collect(Collectors.toSet());
    return admin
        .listTransactions(new ListTransactionsOptions().filterProducerIds(producers))
        .all()
        .get()
        .stream()
        .filter(each -> each.transactionalId().startsWith(clients.group() + "-"))
        .filter(each -> SETTLED.contains(each.state()))
        .toList();
  }

  private void end(TransactionListing transaction, List<TopicPartition> open)
      throws ExecutionException, InterruptedException {
    boolean withOffsets = open.stream().anyMatch(each -> each.topic().equals(OFFSETS));
    boolean commits = transaction.state() == TransactionState.COMPLETE_COMMIT && !withOffsets;
    try (Producer<byte[], byte[]> producer = clients.producerOf(transaction.transactionalId())) {
      producer.initTransactions();
      producer.beginTransaction();
      for (TopicPartition each : open) {
        if (!each.topic().equals(OFFSETS)) {
          // A compacted topic takes no record without a key.
          var unused =
              producer.send(
                  new ProducerRecord<>(each.topic(), each.partition(), new byte[0], new byte[0]));
        }
      }
      producer.flush();
      if (withOffsets) {
        TopicPartition any = new TopicPartition(clients.eventsTopic(), 0);
        producer.sendOffsetsToTransaction(
            Map.of(any, new OffsetAndMetadata(0)), clients.outsider());
      }
      if (commits) {
        producer.commitTransaction();
      } else {
        producer.abortTransaction();
      }
      log.warn(
          "{} a transaction that a killed broker had forgotten to end on {}",
          commits ? "committed" : "gave up",
          new TreeSet<>(open.stream().map(TopicPartition::toString).toList()));
    } catch (KafkaException e) {
      log.warn(
          "a killed broker has forgotten to end {} on {}, which holds up what comes after it: {}",
          transaction.transactionalId(),
          open,
          e.toString());
    }
  }
}
