package io.isotail.ingest.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.isotail.incremental.record.TransactionRecord;
import java.io.IOException;

/** One line of a jsonl file that stands alone, as an anomaly's document holds its transactions. */
public final class JsonlLine {
  private JsonlLine() {}

  /**
   * Reads what {@link JsonlWriter#line} wrote.
   *
   * @param sequence place of the transaction in its session
   * @throws IllegalArgumentException saying what was found and what was expected
   */
  public static TransactionRecord read(String line, long sequence) {
    try (JsonParser parser = JsonlReader.JSON.createParser(line)) {
      JsonlTransaction transaction = new JsonlTransaction(parser);
      transaction.read();
      return transaction.record(sequence);
    } catch (JsonlTransaction.UnexpectedException e) {
      throw new IllegalArgumentException("found %s; expected %s".formatted(e.found, e.expected), e);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "found no JSON at column %d; expected one JSON object"
              .formatted(e.getLocation().getColumnNr()),
          e);
    } catch (IOException e) {
      throw new IllegalArgumentException("found no text; expected one JSON object", e);
    }
  }
}
