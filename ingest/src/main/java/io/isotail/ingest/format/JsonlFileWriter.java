package io.isotail.ingest.format;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import io.isotail.incremental.record.TransactionRecord;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes jsonl files. The format holds whatever a history file can say. */
final class JsonlFileWriter implements HistoryWriter {
  private static final int BUFFER_BYTES = 1 << 18;

  private final JsonGenerator json;
  private final OutputStream out;

  JsonlFileWriter(Path path) throws IOException {
    out = new BufferedOutputStream(Files.newOutputStream(path), BUFFER_BYTES);
    json = JsonlReader.JSON.createGenerator(out);
    json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
    json.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
  }

  @Override
  public void write(TransactionRecord transaction) throws IOException {
    JsonlWriter.write(json, transaction);
  }

  @Override
  public void close() throws IOException {
    try (out) {
      json.writeRaw('\n');
      json.close();
    }
  }
}
