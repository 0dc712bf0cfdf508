package io.isotail.ingest.format;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads elle files (Jepsen's operations, in EDN or JSON); the format is in the package's
 * description.
 *
 * <p>State: the open operation of each process, and a counter for each session; of registers also
 * the values that were written, and the processes that crashed.
 */
final class ElleReader {
  /** Jepsen stamps every operation by the clock of its control node. */
  static final String CLOCK = "jepsen";

  /** Without times the order of the file is the order of real time: each operation is a tick. */
  static final String PLACES = "place-in-file";

  private final Path path;
  private final TransactionConsumer consumer;
  private final Map<Object, Op> open = new LinkedHashMap<>();
  private final Deque<Op> openWithoutProcess = new ArrayDeque<>();
  private final Long2LongOpenHashMap sequences = new Long2LongOpenHashMap();
  private final Map<Object, Integer> crashes = new HashMap<>();
  private final RegisterFacts facts;

  /** Whether the facts are of the whole file: then it is read for the second time. */
  private final boolean factsAreWhole;

  /** Whether a value was written once more after it was handed over as unique. */
  private boolean contradicted;

  /** Whether operations have a time; null before the first one. */
  private @Nullable Boolean timed;

  private long anonymous;
  private long lastOffset;
  private long forms;

  private ElleReader(
      Path path, TransactionConsumer consumer, RegisterFacts facts, boolean factsAreWhole) {
    this.path = path;
    this.consumer = consumer;
    this.facts = facts;
    this.factsAreWhole = factsAreWhole;
  }

  static void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    RegisterFacts facts = new RegisterFacts();
    ElleReader first = new ElleReader(path, consumer, facts, false);
    first.read();
    if (first.contradicted) {
      consumer.restart();
      new ElleReader(path, consumer, facts, true).read();
    }
  }

  /** An operation as it stands in the file. */
  private record Op(
      long line,
      long place,
      String type,
      String f,
      @Nullable Object process,
      @Nullable Object value,
      @Nullable Long number,
      long timeNs) {}

  private void read() throws IOException, HistoryFormatException {
    try (EdnReader forms = new EdnReader(path, consumer::readBytes)) {
      while (forms.next()) {
        Op op = op(forms.form(), forms.line());
        if (op != null) {
          take(op);
        }
      }
    }
    List<Op> left = new ArrayList<>(open.values());
    left.addAll(openWithoutProcess);
    left.sort((a, b) -> Long.compare(a.line(), b.line()));
    for (Op invoked : left) {
      emit(invoked, invoked, Outcome.UNKNOWN, invoked.value());
    }
  }

  /** The operation that a form is, or null if it is none of a client's. */
  private @Nullable Op op(@Nullable Object form, long line) throws HistoryFormatException {
    if (!(form instanceof Map<?, ?> map)) {
      throw new HistoryFormatException(
          path, line, ElleTransaction.describe(form), "an operation: a map with :type and :value");
    }
    String type = null;
    String f = "";
    Object process = null;
    Object value = null;
    Long index = null;
    Long number = null;
    long timeNs = TransactionRecord.NO_TIME;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      Object field = entry.getValue();
      switch (word(entry.getKey())) {
        case "type" -> type = word(field);
        case "f" -> f = word(field);
        case "process" -> process = field;
        case "value" -> value = field;
        case "index" -> index = wholeNumber(field, line, ":index");
        case "txn" -> number = wholeNumber(field, line, ":txn");
        case "time" -> {
          Long time = wholeNumber(field, line, ":time");
          timeNs = time == null ? TransactionRecord.NO_TIME : time;
        }
        default -> {
          // Whatever else a test notes beside it.
        }
      }
    }
    if (process instanceof EdnReader.Word) {
      return null; // The nemesis, not a client.
    }
    if (process != null && !(process instanceof String) && !isProcessNumber(process)) {
      throw new HistoryFormatException(
          path, line, ElleTransaction.describe(process) + " as :process", "a number of 0 or more");
    }
    if (type == null || !List.of("invoke", "ok", "fail", "info").contains(type)) {
      throw new HistoryFormatException(
          path,
          line,
          type == null ? "no :type" : "'" + type + "' as :type",
          ":invoke, :ok, :fail or :info");
    }
    return new Op(line, forms++, type, f, process, value, number == null ? index : number, timeNs);
  }

  private void take(Op op) throws HistoryFormatException {
    if (op.type().equals("invoke")) {
      check(op);
      if (op.process() == null) {
        openWithoutProcess.add(op);
      } else if (open.putIfAbsent(op.process(), op) != null) {
        throw new HistoryFormatException(
            path,
            op.line(),
            "process %s invoking again".formatted(op.process()),
            "the end of what it invoked before: :ok, :fail or :info");
      }
      return;
    }
    Op invoked = op.process() == null ? invocationOf(op) : open.remove(op.process());
    Outcome outcome =
        switch (op.type()) {
          case "ok" -> Outcome.COMMITTED;
          case "fail" -> Outcome.ABORTED;
          default -> Outcome.UNKNOWN;
        };
    Object value =
        op.value() == null && outcome != Outcome.COMMITTED && invoked != null
            ? invoked.value()
            : op.value();
    emit(invoked, op, outcome, value);
  }

  /** Refuses an invocation where it stands, not where it is missed. */
  private void check(Op invoked) throws HistoryFormatException {
    if (ElleRegister.isOne(invoked.f(), invoked.value())) {
      requireProcess(invoked);
      register(invoked, invoked.value());
    } else {
      operations(invoked, invoked.value(), false);
    }
  }

  /** An operation on a register is ordered by its invocation, which its process leads to. */
  private void requireProcess(Op op) throws HistoryFormatException {
    if (op.process() == null) {
      throw new HistoryFormatException(
          path, op.line(), "an operation on a register without :process", "a number of 0 or more");
    }
    boolean has = op.timeNs() != TransactionRecord.NO_TIME;
    if (timed == null) {
      timed = has;
    } else if (timed != has) {
      throw new HistoryFormatException(
          path,
          op.line(),
          has ? ":time after operations without it" : "no :time after operations with it",
          ":time on all operations or on none");
    }
  }

  private ElleRegister register(Op op, @Nullable Object value) throws HistoryFormatException {
    try {
      return ElleRegister.of(op.f(), value);
    } catch (ElleTransaction.UnexpectedException e) {
      throw new HistoryFormatException(path, op.line(), e.found, e.expected);
    }
  }

  private void emitRegister(@Nullable Op invoked, Op completed, Outcome outcome)
      throws HistoryFormatException {
    if (invoked == null) {
      throw new HistoryFormatException(
          path,
          completed.line(),
          "the end of an operation that process %s did not invoke".formatted(completed.process()),
          ":invoke before it");
    }
    requireProcess(completed);
    ElleRegister asked = register(invoked, invoked.value());
    Object value = ElleRegister.completed(invoked.f(), invoked.value(), completed.value());
    ElleRegister done = register(completed, outcome == Outcome.COMMITTED ? value : invoked.value());
    if (!invoked.f().equals(completed.f()) || !done.answers(asked)) {
      throw new HistoryFormatException(
          path,
          completed.line(),
          "the end of a :%s with another :f, key or value than the invocation's"
              .formatted(invoked.f()),
          "the same of each, and of a :read the same key or none");
    }
    if (!factsAreWhole && done.writes()) {
      contradicted |= facts.add(done.key(), done.written(), outcome == Outcome.ABORTED);
    }
    if (contradicted) {
      return; // Read on for the facts alone.
    }
    boolean placed = completed.timeNs() == TransactionRecord.NO_TIME;
    hand(
        completed,
        outcome,
        placed ? invoked.place() : invoked.timeNs(),
        placed ? completed.place() : completed.timeNs(),
        placed ? PLACES : CLOCK,
        done.operations(outcome, facts));
    if (outcome == Outcome.UNKNOWN) {
      crashes.merge(Objects.requireNonNull(completed.process()), 1, Integer::sum);
    }
  }

  /** Without processes, the oldest open invocation that asked for what was done. */
  private @Nullable Op invocationOf(Op op) throws HistoryFormatException {
    Operations done = op.value() == null ? null : operations(op, writesOnly(op), false);
    Iterator<Op> each = openWithoutProcess.iterator();
    while (each.hasNext()) {
      Op invoked = each.next();
      if (done == null || done.equals(operations(invoked, writesOnly(invoked), false))) {
        each.remove();
        return invoked;
      }
    }
    return null;
  }

  /** The micro-operations with the results of reads taken out: what was asked for. */
  private static @Nullable Object writesOnly(Op op) {
    if (!(op.value() instanceof List<?> micros)) {
      return op.value();
    }
    List<@Nullable Object> asked = new ArrayList<>();
    for (Object micro : micros) {
      boolean read =
          micro instanceof List<?> parts && parts.size() > 1 && word(parts.get(0)).equals("r");
      asked.add(read ? Arrays.asList("r", ((List<?>) micro).get(1), List.of()) : micro);
    }
    return asked;
  }

  private void emit(@Nullable Op invoked, Op completed, Outcome outcome, @Nullable Object value)
      throws HistoryFormatException {
    if (ElleRegister.isOne(completed.f(), value)) {
      emitRegister(invoked, completed, outcome);
      return;
    }
    hand(
        completed,
        outcome,
        invoked == null ? TransactionRecord.NO_TIME : invoked.timeNs(),
        completed.timeNs(),
        CLOCK,
        operations(completed, value, outcome == Outcome.COMMITTED));
  }

  private void hand(
      Op completed,
      Outcome outcome,
      long beginNs,
      long completedNs,
      String clock,
      Operations operations) {
    long endNs = outcome == Outcome.UNKNOWN ? TransactionRecord.NO_TIME : completedNs;
    boolean stamped = beginNs != TransactionRecord.NO_TIME || endNs != TransactionRecord.NO_TIME;
    SessionInfo session = session(completed.process());
    long sequence = sequences.addTo(session.id(), 1);
    Long number = completed.number();
    lastOffset = Math.max(lastOffset + 1, completed.line());
    consumer.accept(
        lastOffset,
        new TransactionRecord(
            session,
            sequence,
            number == null ? sequence : number,
            0,
            outcome,
            null,
            beginNs,
            endNs,
            stamped ? clock : null,
            operations));
  }

  private Operations operations(Op op, @Nullable Object value, boolean committed)
      throws HistoryFormatException {
    try {
      return ElleTransaction.operations(value, committed);
    } catch (ElleTransaction.UnexpectedException e) {
      throw new HistoryFormatException(path, op.line(), e.found, e.expected);
    }
  }

  /** An operation without a process may be of any: it is a session of its own. */
  private SessionInfo session(@Nullable Object process) {
    if (process == null) {
      String name = "txn-" + anonymous++;
      return SessionInfo.ofFile(ClearName.hash(name), name);
    }
    EdnValue id = EdnValue.of(process);
    if (id == null) {
      throw new IllegalStateException("process " + process);
    }
    Integer crashed = crashes.get(process);
    if (crashed != null) {
      String name = "%s after crash %d".formatted(process, crashed);
      return SessionInfo.ofFile(ClearName.hash(name), name);
    }
    return SessionInfo.ofFile(
        id.id(), id.name() == null ? Long.toUnsignedString(id.id()) : id.name());
  }

  private static boolean isProcessNumber(Object process) {
    EdnValue value = EdnValue.of(process);
    return value != null && value.name() == null;
  }

  private @Nullable Long wholeNumber(@Nullable Object field, long line, String name)
      throws HistoryFormatException {
    if (field == null || field instanceof Long) {
      return (Long) field;
    }
    throw new HistoryFormatException(
        path, line, ElleTransaction.describe(field) + " as " + name, "a whole number of 64 bits");
  }

  /** A keyword without its colon, or a string of JSON; of anything else, the empty word. */
  static String word(@Nullable Object form) {
    if (form instanceof EdnReader.Word word) {
      return word.text().startsWith(":") ? word.text().substring(1) : word.text();
    }
    return form instanceof String text ? text : "";
  }
}
