package io.isotail.monitor.offline;

import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.format.Fidelity;
import io.isotail.ingest.format.HistoryFormat;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.ingest.format.HistoryWriter;
import io.isotail.ingest.format.TransactionConsumer;
import io.isotail.ingest.format.WritableFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** One history into a file of another format, which appears whole or not at all. */
final class FileConversion implements TransactionConsumer {
  private final Path path;
  private final WritableFormat format;
  private final Fidelity fidelity;
  private HistoryWriter writer;
  private long transactions;
  private long operations;

  private FileConversion(Path path, WritableFormat format, Fidelity fidelity) throws IOException {
    this.path = path;
    this.format = format;
    this.fidelity = fidelity;
    this.writer = format.create(path, fidelity);
  }

  /** What was read. */
  record Counts(long transactions, long operations) {}

  /**
   * Converts into a folder beside the target, then moves the result there.
   *
   * @throws IllegalArgumentException if the target's format cannot hold the history
   */
  static Counts run(
      Path in, HistoryFormat source, Path out, WritableFormat target, Fidelity fidelity)
      throws IOException, HistoryFormatException {
    Path beside = out.toAbsolutePath().getParent();
    if (beside == null) {
      throw new IOException(out + " is no new path");
    }
    Path folder = Files.createTempDirectory(beside, ".isotail-convert-");
    try {
      Path result = folder.resolve("result");
      Counts counts = convert(in, source, result, target, fidelity);
      Files.move(result, out);
      return counts;
    } finally {
      remove(folder);
    }
  }

  private static Counts convert(
      Path in, HistoryFormat source, Path out, WritableFormat target, Fidelity fidelity)
      throws IOException, HistoryFormatException {
    FileConversion conversion = new FileConversion(out, target, fidelity);
    boolean whole = false;
    try {
      source.read(in, conversion);
      whole = true;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      if (!whole) {
        conversion.abandon();
      }
    }
    conversion.writer.close();
    return new Counts(conversion.transactions, conversion.operations);
  }

  @Override
  public void accept(long line, TransactionRecord transaction) {
    transactions++;
    operations += transaction.operations().size();
    try {
      writer.write(transaction);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void restart() {
    transactions = 0;
    operations = 0;
    abandon();
    try {
      remove(path);
      writer = format.create(path, fidelity);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Gives the writer's files back; what it says about them no longer matters. */
  private void abandon() {
    try {
      writer.close();
    } catch (IOException | IllegalArgumentException e) {
      // The reason why it is abandoned is what counts.
    }
  }

  private static void remove(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> walk = Files.walk(root)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) {
      Files.delete(each);
    }
  }
}
