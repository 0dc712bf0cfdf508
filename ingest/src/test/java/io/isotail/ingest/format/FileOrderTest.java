package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transactions come in the order in which they begin, as far as the bounds allow. */
final class FileOrderTest {
  private final List<String> told = new ArrayList<>();

  private final TransactionConsumer consumer =
      new TransactionConsumer() {
        @Override
        public void accept(long line, TransactionRecord transaction) {
          told.add(line + ":" + transaction.session().name());
        }

        @Override
        public void restart() {
          throw new AssertionError("nobody asked for it");
        }
      };

  @Test
  void oneThatBeganFirstIsHandedOverFirst() {
    FileOrder order = new FileOrder(consumer);
    FileOrder.Place a = order.begin();
    FileOrder.Place b = order.begin();
    order.add(b, record("b", 1), 5);
    order.end(b);
    assertThat(told).isEmpty();
    order.add(a, record("a", 1), 3);
    assertThat(told).isEmpty();
    order.end(a);
    assertThat(told).containsExactly("3:a", "5:b");
  }

  @Test
  void everyRecordHasItsOwnLineAndNoneTheSame() {
    FileOrder order = new FileOrder(consumer);
    FileOrder.Place a = order.begin();
    order.add(a, record("aborted", 1), 2);
    order.add(a, record("a", 1), 3);
    order.end(a);
    FileOrder.Place b = order.begin();
    order.add(b, record("b", 1), 3);
    order.end(b);
    assertThat(told).containsExactly("2:aborted", "3:a", "4:b");
  }

  @Test
  void whoHoldsUpTooManyIsPassedOver() {
    FileOrder order = new FileOrder(consumer, 2, 1_000);
    FileOrder.Place slow = order.begin();
    order.add(slow, record("aborted", 1), 1);
    for (int i = 0; i < 2; i++) {
      FileOrder.Place quick = order.begin();
      order.add(quick, record("quick" + i, 1), 2 + i);
      order.end(quick);
    }
    assertThat(told).containsExactly("1:aborted", "2:quick0", "3:quick1");
    order.add(slow, record("aborted again", 1), 4);
    assertThat(told).endsWith("4:aborted again");
    order.add(slow, record("slow", 1), 5);
    order.end(slow);
    assertThat(told).endsWith("5:slow").hasSize(5);
  }

  @Test
  void whatOneTransactionCollectsDoesNotPileUp() {
    FileOrder order = new FileOrder(consumer, 100, 10);
    FileOrder.Place open = order.begin();
    for (int i = 0; i < 1_000; i++) {
      order.add(open, record("aborted", 3), i);
      assertThat(told).hasSizeGreaterThanOrEqualTo(i + 1 - 3);
    }
    FileOrder.Place next = order.begin();
    order.add(next, record("next", 1), 2_000);
    order.end(next);
    assertThat(told).last().isEqualTo("2000:next");
  }

  private static TransactionRecord record(String session, int operations) {
    Operations.Builder builder = new Operations.Builder();
    for (int i = 0; i < operations; i++) {
      builder.write(i, i);
    }
    return new TransactionRecord(
        SessionInfo.ofFile(session.hashCode(), session),
        0,
        0,
        0,
        Outcome.COMMITTED,
        null,
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        builder.build());
  }
}
