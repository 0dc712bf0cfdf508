package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.reads.BadRead;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import java.util.List;

/**
 * What a read that is bad in itself is called and how it is told. It is told from the transactions
 * of the kernel: the read of a version that nobody wrote has no capsule.
 */
final class BadReadExplanation {
  private BadReadExplanation() {}

  /** Its name and sentence; there is no cycle. */
  static Explanation of(BadRead bad) {
    return new Explanation(bad.kind(), CycleNames.adya(bad.kind()), sentence(bad), List.of());
  }

  private static boolean isList(BadRead bad) {
    return bad.reader().operations.kind(bad.operation()) == OperationKind.LISTED;
  }

  private static String sentence(BadRead bad) {
    Operations ops = bad.reader().operations;
    OperationText text = OperationText.of(ops, bad.reader().ranAt);
    String read = bad.reader().name() + " read " + text.assignment(ops, bad.operation());
    String own =
        bad.ownWrite() < 0
            ? ""
            : bad.reader().name() + " had written " + text.assignment(ops, bad.ownWrite());
    String writer = bad.source() == null ? "" : bad.source().writer.name();
    switch (bad.kind()) {
      case ABORTED_READ:
        return read
            + (bad.source() != null && bad.source().undone
                ? ", a write that %s had undone.".formatted(writer)
                : ", which %s wrote and then aborted.".formatted(writer));
      case FUTURE_READ:
        return read + " before it wrote that version itself.";
      case NOT_MY_LAST_WRITE:
        return read + " although it had itself overwritten that version: " + own + ".";
      case NOT_MY_OWN_WRITE:
        return read
            + (writer.isEmpty() ? "" : " from " + writer)
            + " although it had written the key itself: "
            + own
            + ".";
      case INTERMEDIATE_READ:
        return isList(bad)
            ? "%s read a list of %s with %s of %s, but not all that %s appended right beside it."
                .formatted(
                    bad.reader().name(),
                    OperationText.key(ops, bad.operation()),
                    text.version(ops, bad.operation()),
                    writer,
                    writer)
            : read
                + " from "
                + writer
                + ", which had overwritten that version before it committed.";
      case DUPLICATE_ELEMENT:
        return "%s read a list of %s with %s more often than that was appended."
            .formatted(
                bad.reader().name(),
                OperationText.key(ops, bad.operation()),
                text.version(ops, bad.operation()));
      case INTERNAL_READ:
        return "%s read a list of %s with nothing but its own appends, though it had read what %s appended."
            .formatted(bad.reader().name(), OperationText.key(ops, bad.operation()), writer);
      default:
        return read + ", a version that nobody wrote.";
    }
  }
}
