package io.isotail.monitor.offline;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.format.Fidelity;
import io.isotail.ingest.format.HistoryWriter;
import io.isotail.ingest.format.WritableFormat;
import io.isotail.ingest.generate.GenerateConfig;
import io.isotail.ingest.generate.HistoryGenerator;
import io.isotail.ingest.generate.HistoryOrder;
import io.isotail.ingest.generate.Injection;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A generated history on its way into a file. */
final class GeneratedFile {
  private static final JsonFactory JSON = new JsonFactory();

  private final GenerateConfig config;
  private final WritableFormat format;
  private final HistoryOrder order;
  private final HistoryGenerator generator;
  private final long[] byOutcome = new long[Outcome.values().length];
  private long operations;

  GeneratedFile(GenerateConfig config, WritableFormat format, HistoryOrder order) {
    this.config = config;
    this.format = format;
    this.order = order;
    this.generator = new HistoryGenerator(config);
  }

  /**
   * Writes the history, and beside it the list of the anomalies in it if there are any.
   *
   * @return a summary for people, which ends with a new line
   * @throws IllegalArgumentException if the format cannot hold the history
   */
  String write(Path path, Progress progress) throws IOException {
    long startNs = System.nanoTime();
    try {
      writeHistory(path, progress);
    } catch (IllegalArgumentException e) {
      progress.done();
      if (Files.isRegularFile(path)) {
        Files.delete(path);
      }
      throw e;
    }
    List<Injection> injected = generator.injected();
    Path list = injectedList(path);
    Files.deleteIfExists(list);
    if (!injected.isEmpty()) {
      writeInjected(list, injected);
    }
    progress.done();
    return summary(path, injected.size(), (System.nanoTime() - startNs) / 1e9);
  }

  private void writeHistory(Path path, Progress progress) throws IOException {
    try (HistoryWriter writer = format.create(path, Fidelity.LOSSY)) {
      if (order == HistoryOrder.COMMIT) {
        stream(writer::write, progress);
        return;
      }
      List<TransactionRecord> history = new ArrayList<>();
      stream(history::add, progress);
      for (TransactionRecord transaction : order.arrange(history, config.seed())) {
        writer.write(transaction);
      }
    }
  }

  /** Takes transactions in commit order. */
  private interface Sink {
    void accept(TransactionRecord transaction) throws IOException;
  }

  /** Where the anomalies of a history file are listed. */
  static Path injectedList(Path path) {
    return path.resolveSibling(path.getFileName() + ".injected.jsonl");
  }

  private void stream(Sink sink, Progress progress) throws IOException {
    for (TransactionRecord transaction = generator.next();
        transaction != null;
        transaction = generator.next()) {
      sink.accept(transaction);
      byOutcome[transaction.outcome().ordinal()]++;
      operations += transaction.operations().size();
      progress.step();
    }
    progress.allRead();
  }

  private static void writeInjected(Path path, List<Injection> injected) throws IOException {
    try (Writer out = Files.newBufferedWriter(path);
        JsonGenerator json = JSON.createGenerator(out)) {
      json.setRootValueSeparator(null);
      for (Injection injection : injected) {
        json.writeStartObject();
        json.writeStringField("kind", injection.kind().label());
        json.writeNumberField("group", injection.group());
        json.writeArrayFieldStart("transactions");
        for (Injection.Member member : injection.transactions()) {
          json.writeStartObject();
          json.writeNumberField("session", member.session());
          json.writeNumberField("txn", member.transaction());
          json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("keys");
        for (long key : injection.keys()) {
          json.writeNumber(key);
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeRaw('\n');
      }
    }
  }

  private String summary(Path path, int injected, double seconds) {
    long committed = byOutcome[Outcome.COMMITTED.ordinal()];
    long aborted = byOutcome[Outcome.ABORTED.ordinal()];
    long unknown = byOutcome[Outcome.UNKNOWN.ordinal()];
    return String.format(
        Locale.ROOT,
        "%s: %,d transactions (%,d committed, %,d aborted, %,d unknown), %,d operations, %,d"
            + " anomalies put in; seed %d; %.1f s%n",
        path,
        committed + aborted + unknown,
        committed,
        aborted,
        unknown,
        operations,
        injected,
        config.seed(),
        seconds);
  }
}
