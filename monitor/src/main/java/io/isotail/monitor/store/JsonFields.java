package io.isotail.monitor.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
   * @throws IOException if it is no JSON object
   */
  static JsonFields of(byte[] document, String array) throws IOException {
    List<String> names = new ArrayList<>();
    List<Integer> ranges = new ArrayList<>();
    List<Integer> elements = new ArrayList<>();
    try (JsonParser json = JSON.createParser(document)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("no JSON object");
      }
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String name = json.currentName();
        int before = names.indexOf(name);
        if (before >= 0) {
          names.remove(before);
          ranges.subList(2 * before, 2 * before + 2).clear();
        }
        names.add(name);
        boolean inside = json.nextToken() == JsonToken.START_ARRAY && name.equals(array);
        ranges.add((int) json.currentTokenLocation().getByteOffset());
        if (inside) {
          elements.clear();
          while (json.nextToken() != JsonToken.END_ARRAY) {
            elements.add((int) json.currentTokenLocation().getByteOffset());
            elements.add(end(json));
          }
        }
        ranges.add(end(json));
      }
    }
    return new JsonFields(document, names.toArray(String[]::new), array(ranges), array(elements));
  }

  /** Where the value ends that begins with the present token. */
  private static int end(JsonParser json) throws IOException {
    json.skipChildren();
    json.finishToken();
    return (int) json.currentLocation().getByteOffset();
  }

  private static int[] array(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The names, in order. */
  List<String> names() {
    return Arrays.asList(names);
  }

  /** Bytes that the document takes. */
  int size() {
    return document.length;
  }

  /** A field's value as it stands in the document, or null if there is none. */
  @Nullable String json(String name) {
    int field = names().indexOf(name);
    return field < 0 ? null : json(ranges, field);
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
    int field = names().indexOf(name);
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
