package io.isotail.ingest.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One JSON array of transactions, as Chronos and Aion read it. Only read. */
public record ChronosFormat() implements HistoryFormat {
  static final String LABEL = "chronos";
  private static final Set<String> FIELDS = Set.of("tid", "sid", "sts", "cts", "ops");

  @Override
  public String label() {
    return LABEL;
  }

  @Override
  public String summary() {
    return "one JSON array of transactions; also of Aion";
  }

  @Override
  public Set<Content> holds() {
    return EnumSet.of(Content.LIST_READS);
  }

  @Override
  public String fileMark() {
    return "'[{\"' with a field sid";
  }

  @Override
  public @Nullable String directoryMark() {
    return null;
  }

  /** The first object has one of the fields; that of an elle file has a type first. */
  @Override
  public boolean recognises(HistoryHead head) throws IOException, HistoryFormatException {
    if (!head.startsWith("[")) {
      return false;
    }
    try (JsonParser parser = JsonlReader.parserOf(head.beginning())) {
      if (parser.nextToken() != JsonToken.START_ARRAY
          || parser.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        if (FIELDS.contains(parser.currentName())) {
          return true;
        }
        if (parser.currentName().equals("type")) {
          return false;
        }
        parser.nextToken();
        parser.skipChildren();
      }
    } catch (JsonProcessingException | CharConversionException e) {
      return false; // The reader of elle, which may be EDN, says what is wrong.
    }
    return false;
  }

  @Override
  public void read(Path path, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    HistoryHead.requireFile(path);
    ChronosReader.read(path, consumer);
  }
}
