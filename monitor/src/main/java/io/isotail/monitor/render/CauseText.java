package io.isotail.monitor.render;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.cause.CauseReport;
import java.util.List;

/** What a cause is in a few plain words, for a list, a chat or a terminal. */
public final class CauseText {
  private CauseText() {}

  /** One line that stands alone: the kind in plain words, the tables, the applications. */
  public static String title(CauseReport cause) {
    StringBuilder title = new StringBuilder(plain(cause.kind()));
    add(title, " on ", cause.tables());
    add(title, " by ", cause.services());
    add(title, " in ", cause.endpoints());
    return title.toString();
  }

  private static void add(StringBuilder title, String before, List<String> names) {
    if (!names.isEmpty()) {
      title.append(before).append(String.join(", ", names));
    }
  }

  /** The kind of an anomaly for somebody who never heard of it. */
  public static String plain(AnomalyKind kind) {
    return switch (kind) {
      case THIN_AIR_READ -> "A version was read that nobody wrote";
      case LOST_COMMIT -> "A commit was acknowledged and never made";
      case UNASKED_COMMIT -> "What was rolled back was committed";
      case ABORTED_READ -> "What was read was rolled back";
      case FUTURE_READ -> "A transaction read what it wrote only later";
      case NOT_MY_LAST_WRITE, NOT_MY_OWN_WRITE -> "A transaction did not see its own write";
      case DUPLICATE_ELEMENT -> "A list showed an element more often than it was appended";
      case INTERNAL_READ -> "A list lost what its reader had seen in it";
      case INCOMPATIBLE_ORDER -> "Lists showed elements in orders that contradict each other";
      case INTERMEDIATE_READ -> "Half of a transaction's work was read";
      case NON_REPEATABLE_READS -> "A row changed between two reads of one transaction";
      case SESSION_GUARANTEE_VIOLATION -> "A session did not see its own write";
      case NON_MONOTONIC_READ -> "A transaction went back in time between two reads";
      case FRACTURED_READ -> "Part of another transaction was seen, and part was not";
      case CAUSALITY_VIOLATION -> "An effect was seen without its cause";
      case LONG_FORK -> "Two transactions saw two changes in opposite orders";
      case LOST_UPDATE -> "An update was lost";
      case BLIND_LOST_UPDATE -> "A write overwrote one that it had not seen";
      case WRITE_SKEW -> "Two transactions decided by what the other was changing";
      case CAUSALITY_CYCLE -> "Transactions saw each other's writes in a circle";
      case COMMIT_ORDER_CYCLE -> "No order of the commits explains what was seen";
      case STALE_READ -> "A read missed a commit that had been acknowledged";
      case READ_SKEW -> "A transaction saw two rows as they never were together";
      case DIRTY_WRITE -> "Two transactions overwrote each other's uncommitted writes";
      case DANGEROUS_STRUCTURE -> "Transactions decided by what others were changing, in a circle";
      case READ_ONLY_ANOMALY -> "A report saw what no order of the commits explains";
    };
  }
}
