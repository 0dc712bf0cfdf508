package io.isotail.ingest.format;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads chronos files; the format is in the package's description.
 *
 * <p>State: a counter for each session, the keys of which 0 was read as the initial value, and
 * those to which 0 was written. It takes the whole file to know the last. The first pass assumes
 * that there is none which was read as 0 before; where that does not hold, reading starts again
 * with all of them.
 */
final class ChronosReader {
  private static final String TRANSACTION = "a transaction: an object with sid and ops";
  private static final String OPERATION = "an operation: an object with t, k and v";
  private static final String NUMBER = "a whole number of 64 bits";
  private static final Pattern DIGITS = Pattern.compile("0|[1-9][0-9]{0,17}");

  private final Path path;
  private final TransactionConsumer consumer;
  private final Long2LongOpenHashMap sequences = new Long2LongOpenHashMap();
  private final LongOpenHashSet initialReads = new LongOpenHashSet();
  private final LongOpenHashSet zeroWritten;

  /** Whether that is of the whole file: then it is read for the second time. */
  private final boolean zerosAreWhole;

  private boolean contradicted;
  private long lastOffset;

  private ChronosReader(
      Path path, TransactionConsumer consumer, LongOpenHashSet zeroWritten, boolean zerosAreWhole) {
    this.path = path;
    this.consumer = consumer;
    this.zeroWritten = zeroWritten;
    this.zerosAreWhole = zerosAreWhole;
  }

  static void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    LongOpenHashSet zeroWritten = new LongOpenHashSet();
    ChronosReader first = new ChronosReader(path, consumer, zeroWritten, false);
    first.read();
    if (first.contradicted) {
      consumer.restart();
      new ChronosReader(path, consumer, zeroWritten, true).read();
    }
  }

  private void read() throws IOException, HistoryFormatException {
    try (EdnReader forms = new EdnReader(path, consumer::readBytes)) {
      while (forms.next()) {
        Object form = forms.form();
        try {
          take(form, forms.line());
        } catch (ElleTransaction.UnexpectedException e) {
          throw new HistoryFormatException(path, forms.line(), e.found, e.expected);
        }
      }
    }
  }

  private void take(@Nullable Object form, long line) throws ElleTransaction.UnexpectedException {
    if (!(form instanceof Map<?, ?> transaction)) {
      throw unexpected(form, null, TRANSACTION);
    }
    EdnValue session = identity(transaction.get("sid"));
    if (session == null) {
      throw unexpected(transaction.get("sid"), "sid", "a number or a string");
    }
    Object tid = transaction.get("tid");
    EdnValue number = identity(tid);
    if (number == null && tid != null) {
      throw unexpected(tid, "tid", "a number or a string");
    }
    Operations operations = operations(transaction.get("ops"));
    if (contradicted) {
      return; // Read on for what is written alone.
    }
    long sequence = sequences.addTo(session.id(), 1);
    lastOffset = Math.max(lastOffset + 1, line);
    consumer.accept(
        lastOffset,
        new TransactionRecord(
            SessionInfo.ofFile(
                session.id(),
                session.name() == null ? Long.toUnsignedString(session.id()) : session.name()),
            sequence,
            number == null ? sequence : number.id(),
            0,
            Outcome.COMMITTED,
            null,
            TransactionRecord.NO_TIME,
            TransactionRecord.NO_TIME,
            null,
            operations));
  }

  private Operations operations(@Nullable Object ops) throws ElleTransaction.UnexpectedException {
    if (!(ops instanceof List<?> forms)) {
      throw unexpected(ops, "ops", "a list of operations");
    }
    List<Object> micros = new ArrayList<>(forms.size());
    for (Object form : forms) {
      if (!(form instanceof Map<?, ?> operation)) {
        throw unexpected(form, "an operation", OPERATION);
      }
      EdnValue key = number(operation.get("k"), "k");
      Object type = operation.get("t");
      Object value = operation.get("v");
      switch (type instanceof String text ? text.toLowerCase(Locale.ROOT) : "") {
        case "w", "write", "a", "append" -> {
          write(key, value);
          micros.add(Arrays.asList("append", operation.get("k"), value));
        }
        case "r", "read" -> micros.add(Arrays.asList("r", operation.get("k"), read(key, value)));
        default -> throw unexpected(type, "t", "r, read, w, write, a or append");
      }
    }
    return ElleTransaction.operations(micros, !contradicted);
  }

  private void write(EdnValue key, @Nullable Object value)
      throws ElleTransaction.UnexpectedException {
    if (value == null) {
      throw new ElleTransaction.UnexpectedException(
          "a write of null", NUMBER + ": null is the initial value");
    }
    if (isZero(number(value, "v"))) {
      zeroWritten.add(key.id());
      contradicted |= !zerosAreWhole && initialReads.contains(key.id());
    }
  }

  /** The value, or null for the initial one. */
  private @Nullable Object read(EdnValue key, @Nullable Object value)
      throws ElleTransaction.UnexpectedException {
    if (value instanceof List<?> list) {
      for (Object element : list) {
        number(element, "an element of a list");
      }
      return list;
    }
    if (value == null) {
      return null;
    }
    if (!isZero(number(value, "v")) || zeroWritten.contains(key.id())) {
      return value;
    }
    initialReads.add(key.id());
    return null;
  }

  private static boolean isZero(EdnValue value) {
    return value.id() == 0 && value.name() == null;
  }

  private static EdnValue number(@Nullable Object form, String what)
      throws ElleTransaction.UnexpectedException {
    EdnValue value = form instanceof Long ? EdnValue.of(form) : null;
    if (value == null) {
      throw unexpected(form, what, NUMBER);
    }
    return value;
  }

  /** Digits are the same number whether they stand in quotes or not. */
  private static @Nullable EdnValue identity(@Nullable Object form) {
    return EdnValue.of(
        form instanceof String text && DIGITS.matcher(text).matches() ? Long.valueOf(text) : form);
  }

  private static ElleTransaction.UnexpectedException unexpected(
      @Nullable Object form, @Nullable String what, String expected) {
    String found = form == null ? "null" : ElleTransaction.describe(form);
    return new ElleTransaction.UnexpectedException(
        what == null ? found : found + " as " + what, expected);
  }
}
