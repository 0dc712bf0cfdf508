package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.reads.BadRead;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.window.Txn;
import java.util.List;

/** Says in one sentence of plain English what went wrong. */
final class Explanation {
  private Explanation() {}

  /** Of a read that is bad in itself. */
  static String of(BadRead bad) {
    Operations ops = bad.reader().operations;
    String read = bad.reader().name() + " read " + Names.assignment(ops, bad.operation());
    String own =
        bad.ownWrite() < 0
            ? ""
            : bad.reader().name() + " had written " + Names.assignment(ops, bad.ownWrite());
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

  /** Of a cycle. */
  static String of(List<Step> cycle, AnomalyKind kind, IsolationLevel strongest) {
    if (kind == AnomalyKind.CAUSALITY_CYCLE) {
      return causalityCycle(cycle);
    }
    List<Step> inferred = Classifier.inferred(cycle);
    Step repeated = Classifier.repeatedRead(inferred);
    if (kind == AnomalyKind.NON_REPEATABLE_READS && repeated != null) {
      return repeatedRead(repeated);
    }
    if (inferred.size() == 1) {
      return staleRead(inferred.get(0), kind, strongest);
    }
    StringBuilder text = new StringBuilder("No commit order exists: ");
    for (int i = 0; i < cycle.size(); i++) {
      Step step = cycle.get(i);
      text.append(i == 0 ? "" : i == cycle.size() - 1 ? ", and " : ", ");
      text.append(step.from().name()).append(" comes before ").append(step.to().name());
      text.append(" because ").append(because(step));
    }
    return text.append('.').toString();
  }

  /** The operations that justify a step, in one phrase. */
  static String because(Step step) {
    if (step.kind() == EdgeKind.SO) {
      return step.from() == Txn.INITIAL
          ? "the initial version comes before every other"
          : "they ran in this order in session " + step.to().session.info.name();
    }
    Txn reader = step.reader();
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
            Names.key(step.from(), step.key()));
  }

  private static String staleRead(Step edge, AnomalyKind kind, IsolationLevel strongest) {
    Txn t2 = edge.from();
    Txn t1 = edge.to();
    Txn t3 = edge.reader();
    if (t3 == null) {
      return because(edge);
    }
    String read =
        "%s read %s from %s".formatted(t3.name(), readOfKey(t3, edge.key(), t1), source(t1));
    String overwritten = " had overwritten it with " + writeOfKey(t2, edge.key());
    switch (kind) {
      case SESSION_GUARANTEE_VIOLATION:
        return "%s although %s, earlier in the same session,%s."
            .formatted(read, t2.name(), overwritten);
      case FRACTURED_READ, NON_MONOTONIC_READ:
        return "%s although %s, from which it also read %s,%s."
            .formatted(read, t2.name(), readName(t3, t2), overwritten);
      default:
        return "%s although %s, which %s,%s."
            .formatted(read, t2.name(), observedThrough(t2, t3, strongest), overwritten);
    }
  }

  /** How t3 came to know of t2: the first read on the way from one to the other. */
  private static String observedThrough(Txn t2, Txn t3, IsolationLevel strongest) {
    List<Step> path = PathSearch.causal(t2, t3, strongest);
    for (Step step : path == null ? List.<Step>of() : path) {
      if (step.kind() == EdgeKind.WR) {
        String read = readName(step.to(), step.from());
        return step.to() == t3
            ? "it had already observed through " + read
            : "it had already observed through %s, which read %s".formatted(step.to().name(), read);
      }
    }
    return "happens before it";
  }

  private static String repeatedRead(Step edge) {
    Txn reader = edge.reader();
    if (reader == null) {
      return because(edge);
    }
    Operations ops = reader.operations;
    int a = Classifier.readKeyFrom(reader, edge.key(), edge.to());
    int b = Classifier.readKeyFrom(reader, edge.key(), edge.from());
    Txn first = a < b ? edge.to() : edge.from();
    Txn second = a < b ? edge.from() : edge.to();
    return "%s read %s twice and got two versions: first %s from %s, then %s from %s."
        .formatted(
            reader.name(),
            Names.key(ops, a),
            Names.version(ops, Math.min(a, b)),
            source(first),
            Names.version(ops, Math.max(a, b)),
            source(second));
  }

  private static String causalityCycle(List<Step> cycle) {
    StringBuilder text = new StringBuilder("Each of these happened before the next, in a circle: ");
    for (int i = 0; i < cycle.size(); i++) {
      Step step = cycle.get(i);
      text.append(i == 0 ? "" : ", ");
      text.append(step.from().name()).append(" before ").append(step.to().name());
      text.append(" (").append(because(step)).append(')');
    }
    return text.append('.').toString();
  }

  private static String source(Txn writer) {
    return writer == Txn.INITIAL ? "the initial state" : writer.name();
  }

  private static String readName(Txn reader, Txn writer) {
    int op = Capsule.readFrom(reader, writer, 0);
    return op < 0 ? "a version" : Names.assignment(reader.operations, op);
  }

  private static String readOfKey(Txn reader, long key, Txn writer) {
    int op = Classifier.readKeyFrom(reader, key, writer);
    return op < 0 ? Names.key(reader, key) : Names.assignment(reader.operations, op);
  }

  private static String writeOfKey(Txn writer, long key) {
    int index = writer.writeIndex(key);
    return index < 0
        ? Names.key(writer, key)
        : Names.assignment(writer.operations, writer.finalWrite(index));
  }
}
