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
  LONG_FORK,
  /** Elle's: lists are read and appended to. */
  LIST_APPEND,
  /** A group of rows is read by a condition, and one of them is inserted or overwritten. */
  PREDICATE_INSERT;

  private static final int WRITES_OF_A_ROW = 4;

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

  /** Whether its registers are lists of all that was ever written to them. */
  public boolean hasLists() {
    return this == LIST_APPEND;
  }

  /**
   * Whether its statements do not tell what was read, so that whoever runs them has to: of lists,
   * what stands in them, and of a condition, which rows it did not find.
   */
  public boolean isTold() {
    return this == LIST_APPEND || this == PREDICATE_INSERT;
  }

  /** How many neighbouring registers are replaced together, where rows are fresh. */
  int rowsOfAGroup() {
    return this == PREDICATE_INSERT ? PredicateInserts.GROUP : 1;
  }

  /** After how many writes other rows take the place of a group, where rows are fresh. */
  int writesOfAGroup() {
    return hasLists() ? ListAppends.APPENDS_OF_A_LIST : WRITES_OF_A_ROW;
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
      case LIST_APPEND -> new ListAppends(keys, readShare);
      case PREDICATE_INSERT -> new PredicateInserts(keys, readShare);
    };
  }
}
