package io.isotail.monitor.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions that are open on a partition, and of which the broker's coordinator knows nothing or
 * that they have ended. A broker that is killed may forget to write the end of one whose outcome it
 * has settled (seen with Kafka 4.3.1 where it is the only broker). Nobody's timeout ends that: a
 * group's offsets are withheld for ever, and readers of what is committed stand still. A producer
 * of the same name can end it; one that died had a name of its own.
 *
 * <p>The same as {@code kafka-transactions.sh find-hanging} and {@code abort}, without waiting for
 * a quarter of an hour: it must be older than {@value #OLD_MS} ms, and whether it is open is asked
 * again after the coordinator has answered.
 */
public final class ForgottenTransactions {
  private static final Logger log = LoggerFactory.getLogger(ForgottenTransactions.class);
  private static final String OFFSETS = "__consumer_offsets";
  private static final Set<TransactionState> UNDER_WAY =
      EnumSet.of(
          TransactionState.ONGOING,
          TransactionState.PREPARE_COMMIT,
          TransactionState.PREPARE_ABORT,
          TransactionState.PREPARE_EPOCH_FENCE,
          TransactionState.UNKNOWN);

  /** Older than any of this program's that a coordinator still knows, wherever that is moving. */
  private static final long OLD_MS = 30_000;

  /** What is open where. */
  private record Open(TopicPartition partition, long producer, long begin) {}

  private final Admin admin;

  /** Asks by this client, which stays the caller's. */
  public ForgottenTransactions(Admin admin) {
    this.admin = admin;
  }

  /**
   * Aborts those on a group's offsets and on some partitions. Where this user may see them and not
   * abort them, the log says how somebody else can.
   *
   * @param own how transactional ids begin whose transactions are left as they are
   */
  public void abort(String group, Collection<TopicPartition> partitions, String own)
      throws InterruptedException {
    try {
      List<TopicPartition> all = new ArrayList<>(partitions);
      all.addAll(offsetsOf(group));
      Map<Open, ProducerState> open = open(all);
      if (open.isEmpty()) {
        return;
      }
      open.keySet().removeIf(underWay(open.keySet(), own)::contains);
      Map<Open, ProducerState> still = open.isEmpty() ? Map.of() : open(all);
      for (Map.Entry<Open, ProducerState> each : open.entrySet()) {
        if (still.containsKey(each.getKey())) {
          abort(each.getKey(), each.getValue());
        }
      }
    } catch (ExecutionException e) {
      String why = String.valueOf(e.getCause());
      if (e.getCause() instanceof AuthorizationException) {
        log.debug("this user may not ask for transactions that a broker has forgotten: {}", why);
      } else {
        log.warn("whether a killed broker has forgotten transactions cannot be told: {}", why);
      }
    }
  }

  private List<TopicPartition> offsetsOf(String group)
      throws ExecutionException, InterruptedException {
    try {
      TopicDescription offsets =
          admin.describeTopics(List.of(OFFSETS)).topicNameValues().values().iterator().next().get();
      int partitions = offsets.partitions().size();
      return List.of(new TopicPartition(OFFSETS, Utils.abs(group.hashCode()) % partitions));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return List.of(); // no group has committed anything yet
      }
      throw e;
    }
  }

  private Map<Open, ProducerState> open(List<TopicPartition> partitions)
      throws ExecutionException, InterruptedException {
    Map<Open, ProducerState> open = new HashMap<>();
    for (var each : admin.describeProducers(partitions).all().get().entrySet()) {
      for (ProducerState producer : each.getValue().activeProducers()) {
        if (producer.currentTransactionStartOffset().isPresent()
            && producer.lastTimestamp() < System.currentTimeMillis() - OLD_MS) {
          long begin = producer.currentTransactionStartOffset().getAsLong();
          open.put(new Open(each.getKey(), producer.producerId(), begin), producer);
        }
      }
    }
    return open;
  }

  /** Those that will end as they should, and this program's own. */
  private Set<Open> underWay(Set<Open> open, String own)
      throws ExecutionException, InterruptedException {
    Set<Long> producers = new HashSet<>();
    open.forEach(each -> producers.add(each.producer()));
    Set<Long> known = new HashSet<>();
    for (TransactionListing each :
        admin
            .listTransactions(new ListTransactionsOptions().filterProducerIds(producers))
            .all()
            .get()) {
      if (UNDER_WAY.contains(each.state()) || each.transactionalId().startsWith(own)) {
        known.add(each.producerId());
      }
    }
    Set<Open> underWay = new HashSet<>(open);
    underWay.removeIf(each -> !known.contains(each.producer()));
    return underWay;
  }

  private void abort(Open open, ProducerState producer) throws InterruptedException {
    AbortTransactionSpec spec =
        new AbortTransactionSpec(
            open.partition(),
            open.producer(),
            (short) producer.producerEpoch(),
            producer.coordinatorEpoch().orElse(0));
    try {
      admin.abortTransaction(spec).all().get();
      log.warn(
          "gave up a transaction that a killed broker had forgotten: {} from offset {} on",
          open.partition(),
          open.begin());
    } catch (ExecutionException e) {
      log.warn(
          "a killed broker has forgotten a transaction, which holds up what comes after it, and this"
              + " user may not give it up ({}): kafka-transactions.sh --bootstrap-server … abort"
              + " --topic {} --partition {} --start-offset {}",
          String.valueOf(e.getCause()),
          open.partition().topic(),
          open.partition().partition(),
          open.begin());
    }
  }
}
