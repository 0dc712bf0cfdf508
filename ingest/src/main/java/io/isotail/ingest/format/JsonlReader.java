package io.isotail.ingest.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** Reads jsonl files; the format is in the package's description. */
final class JsonlReader {
  static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private JsonlReader() {}

  static void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    Long2LongOpenHashMap sequences = new Long2LongOpenHashMap();
    try (LineReader lines = new LineReader(path, consumer::readBytes)) {
      while (lines.next()) {
        if (lines.skipBlank(lines.start()) == lines.end()) {
          continue;
        }
        try (JsonParser parser = parserOf(lines)) {
          JsonlTransaction transaction = new JsonlTransaction(parser);
          transaction.read();
          long sequence = sequences.addTo(transaction.sessionId(), 1);
          consumer.accept(lines.number(), transaction.record(sequence));
        } catch (JsonlTransaction.UnexpectedException e) {
          throw new HistoryFormatException(path, lines.number(), e.found, e.expected);
        } catch (CharConversionException e) {
          throw new HistoryFormatException(path, lines.number(), "bytes that are no text", "UTF-8");
        } catch (JsonProcessingException e) {
          throw new HistoryFormatException(
              path,
              lines.number(),
              "no JSON at column %d".formatted(e.getLocation().getColumnNr()),
              "one JSON object, whole, with each field once");
        }
      }
    }
  }

  static JsonParser parserOf(InputStream line) throws IOException {
    return JSON.createParser(line);
  }

  static JsonParser parserOf(LineReader line) throws IOException {
    return JSON.createParser(line.bytes(), line.start(), line.end() - line.start());
  }
}
