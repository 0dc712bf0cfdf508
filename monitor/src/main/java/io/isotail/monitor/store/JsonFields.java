package io.isotail.monitor.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where each field of a JSON object stands in its bytes: what is served is cut out of them, without
 * a tree. Of a field that occurs twice the last one counts. Immutable; takes a few hundred bytes
 * beside the document.
 */
final class JsonFields {
  private static final JsonFactory JSON = new JsonFactory();

  private final byte[] document;
  private final String[] names;

  /** Begin and end of each field's value. */
  private final int[] ranges;

  /** Begin and end of each element of the array field. */
  private final int[] elements;

  private JsonFields(byte[] document, String[] names, int[] ranges, int[] elements) {
    this.document = document;
    this.names = names;
    this.ranges = ranges;
    this.elements = elements;
  }

  /**
   * Parses a document, the only time.
   *
   * @param document JSON in UTF-8; belongs to this
   * @param array a field of which the elements are wanted one by one, if it is an array
   * @throws IOException if it is no JSON object in UTF-8
   */
  static JsonFields of(byte[] document, String array) throws IOException {
    Map<String, Range> fields = new LinkedHashMap<>();
    List<Range> elements = new ArrayList<>();
    try (JsonParser json = JSON.createParser(document)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("no JSON object");
      }
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String name = json.currentName();
        boolean wanted = name.equals(array);
        if (wanted) {
          elements.clear();
        }
        boolean inside = json.nextToken() == JsonToken.START_ARRAY && wanted;
        int begin = offset(json.currentTokenLocation());
        while (inside && json.nextToken() != JsonToken.END_ARRAY) {
          elements.add(new Range(offset(json.currentTokenLocation()), end(json)));
        }
        fields.remove(name); // the last one counts, in its place
        fields.put(name, new Range(begin, end(json)));
      }
    }
    return new JsonFields(
        document, fields.keySet().toArray(String[]::new), array(fields.values()), array(elements));
  }

  /**
   * The text of the first field of a name, whatever follows it; null if there is none before the
   * document cannot be read.
   */
  static @Nullable String firstText(byte[] document, String name) {
    try (JsonParser json = JSON.createParser(document)) {
      if (json.nextToken() == JsonToken.START_OBJECT) {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          boolean wanted = json.currentName().equals(name);
          JsonToken value = json.nextToken();
          if (wanted) {
            return value == JsonToken.VALUE_STRING ? json.getText() : null;
          }
          json.skipChildren();
        }
      }
    } catch (IOException | RuntimeException e) {
      return null; // who asks knows already that it cannot be read
    }
    return null;
  }

  /** Where a value begins and ends. */
  private record Range(int begin, int end) {}

  /** Where the value ends that begins with the present token. */
  private static int end(JsonParser json) throws IOException {
    json.skipChildren();
    json.finishToken();
    return offset(json.currentLocation());
  }

  /** The byte at which something stands; the parser counts none in UTF-16 and UTF-32. */
  private static int offset(JsonLocation location) throws IOException {
    long offset = location.getByteOffset();
    if (offset < 0) {
      throw new IOException("not in UTF-8");
    }
    return (int) offset;
  }

  private static int[] array(Collection<Range> ranges) {
    return ranges.stream().flatMapToInt(range -> IntStream.of(range.begin, range.end)).toArray();
  }

  /** Hands over each field's name and its value as it stands in the document, in order. */
  void forEach(BiConsumer<String, String> fields) {
    for (int field = 0; field < names.length; field++) {
      fields.accept(names[field], json(ranges, field));
    }
  }

  /** Bytes that the document takes. */
  int size() {
    return document.length;
  }

  /** The elements of the array field as they stand in the document. */
  List<String> elements() {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < elements.length / 2; i++) {
      texts.add(json(elements, i));
    }
    return texts;
  }

  private String json(int[] of, int at) {
    return new String(document, of[2 * at], of[2 * at + 1] - of[2 * at], StandardCharsets.UTF_8);
  }

  /** A field's text, or null if it is missing or no text. */
  @Nullable String text(String name) {
    int field = Arrays.asList(names).indexOf(name);
    if (field < 0 || document[ranges[2 * field]] != '"') {
      return null;
    }
    int begin = ranges[2 * field];
    try (JsonParser json = JSON.createParser(document, begin, ranges[2 * field + 1] - begin)) {
      return json.nextTextValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // it was read before
    }
  }
}
