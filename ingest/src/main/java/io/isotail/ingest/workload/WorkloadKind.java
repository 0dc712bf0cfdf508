package io.isotail.ingest.workload;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The workloads there are, by what their transactions look like. */
public enum WorkloadKind {
  /**
   * Transactions whose anomalies have names: re-reading, pairs that are written and read together,
   * overwriting, relays from one register to another.
   */
  NAMED,
  /** Mini-transactions: no more than two registers, each read before it is written. */
  MINI,
  /** As Cobra's clients: one in five only reads, two only write, two read what they overwrite. */
  GENERAL,
  /** One register is read and overwritten. */
  READ_MODIFY_WRITE,
  /** One register: it is read, or read and overwritten, as by a compare-and-set. */
  LIGHTWEIGHT,
  /** Both registers of a pair are read, and one of them is overwritten. */
  WRITE_SKEW,
  /** One register is overwritten, or several are read, in any order. */
  LONG_FORK;

  /** Its name on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The workload of that name.
   *
   * @throws IllegalArgumentException naming those that exist
   */
  public static WorkloadKind ofLabel(String label) {
    for (WorkloadKind kind : values()) {
      if (kind.label().equals(label)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "'%s' is no workload; expected one of %s".formatted(label, labels()));
  }

  /** The names of all. */
  public static String labels() {
    return Arrays.stream(values()).map(WorkloadKind::label).collect(Collectors.joining(", "));
  }

  /**
   * Its transactions.
   *
   * @param readShare of transactions that only read, from 0 to 1
   * @param operations of a general transaction
   */
  TransactionMix over(KeyDistribution.Keys keys, double readShare, int operations) {
    return switch (this) {
      case NAMED -> new NamedAnomalies(keys);
      case MINI -> new MiniTransactions(keys, readShare);
      case GENERAL -> new GeneralTransactions(keys, readShare, operations);
      case READ_MODIFY_WRITE ->
          random -> new TransactionPlan.Builder().overwrite(keys.next(random)).commit();
      case LIGHTWEIGHT -> new LightweightTransactions(keys, readShare);
      case WRITE_SKEW -> new WriteSkews(keys, readShare);
      case LONG_FORK -> new LongForks(keys, readShare);
    };
  }
}
