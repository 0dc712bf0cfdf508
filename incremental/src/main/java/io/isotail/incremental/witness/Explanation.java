package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.reads.BadRead;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.window.Transaction;

/** Says in plain English what a bad read is, and what a step rests on. */
final class Explanation {
  private Explanation() {}

  /** Of a read that is bad in itself. */
  static String of(BadRead bad) {
    Operations ops = bad.reader().operations;
    String read = bad.reader().name() + " read " + OperationText.assignment(ops, bad.operation());
    String own =
        bad.ownWrite() < 0
            ? ""
            : bad.reader().name() + " had written " + OperationText.assignment(ops, bad.ownWrite());
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
        return read
            + " from "
            + writer
            + ", which had overwritten that version before it committed.";
      default:
        return read + ", a version that nobody wrote.";
    }
  }

  /** The operations that justify a step, in one phrase. */
  static String because(Step step) {
    if (step.kind() == EdgeKind.SO) {
      return step.from() == Transaction.INITIAL
          ? "the initial version comes before every other"
          : "they ran in this order in session " + step.to().session.info.name();
    }
    Transaction reader = step.reader();
    if (step.kind() == EdgeKind.WR || reader == null) {
      return "%s read %s from %s"
          .formatted(step.to().name(), readName(step.to(), step.from()), step.from().name());
    }
    return "%s read %s from %s although it had observed %s, which writes %s too"
        .formatted(
            reader.name(),
            readOfKey(reader, step.key(), step.to()),
            source(step.to()),
            step.from().name(),
            OperationText.nameOf(step.from().operations, step.key()));
  }

  /** Whose version it was. */
  static String source(Transaction writer) {
    return writer == Transaction.INITIAL ? "the initial state" : writer.name();
  }

  /** {@code key=version} that one read from the other first. */
  static String readName(Transaction reader, Transaction writer) {
    int op = Capsule.readFrom(reader, writer, 0);
    return op < 0 ? "a version" : OperationText.assignment(reader.operations, op);
  }

  /** {@code key=version} that one read of the key from the other. */
  static String readOfKey(Transaction reader, long key, Transaction writer) {
    int op = Classifier.readKeyFrom(reader, key, writer);
    return op < 0
        ? OperationText.nameOf(reader.operations, key)
        : OperationText.assignment(reader.operations, op);
  }

  /** {@code key=version} that it wrote last of the key. */
  static String writeOfKey(Transaction writer, long key) {
    int index = writer.writeIndex(key);
    return index < 0
        ? OperationText.nameOf(writer.operations, key)
        : OperationText.assignment(writer.operations, writer.finalWrite(index));
  }
}
