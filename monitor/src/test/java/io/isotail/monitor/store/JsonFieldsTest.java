package io.isotail.monitor.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonFieldsTest {
  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE"})
  void aDocumentOfAnotherEncodingIsRefused(String encoding) {
    for (String document : List.of("{\"id\":\"a\"}", "{\"list\":[1,{}]}", " {\"id\":1 }", "[]")) {
      assertThatThrownBy(
              () -> JsonFields.of(document.getBytes(Charset.forName(encoding)), "list"), document)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aMarkOfTheByteOrderMovesNothing() throws Exception {
    JsonFields fields = of("\uFEFF{\"id\":\"é\",\"list\":[\"ü\",7]}");
    assertThat(fields.text("id")).isEqualTo("é");
    assertThat(fields.elements()).containsExactly("\"ü\"", "7");
  }

  @Test
  void ofAFieldThatOccursTwiceTheLastOneCounts() throws Exception {
    assertThat(of("{\"list\":[1,2],\"list\":3}").elements()).as("no array").isEmpty();
    assertThat(of("{\"list\":[1,2],\"list\":[3]}").elements()).containsExactly("3");
    assertThat(of("{\"list\":3,\"list\":[1,2]}").elements()).containsExactly("1", "2");
    assertThat(all(of("{\"a\":1,\"b\":2,\"a\":[4]}"))).containsExactly("b=2", "a=[4]");
  }

  @Test
  void aDocumentMayHaveManyFields() throws Exception {
    int count = 60_000;
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < count; i++) {
      text.append("\"f").append(i).append("\":").append(i).append(',');
    }
    JsonFields fields = of(text.append("\"id\":\"a\"}").toString());
    assertThat(fields.text("id")).isEqualTo("a");
    assertThat(all(fields)).hasSize(count + 1).startsWith("f0=0").endsWith("id=\"a\"");
  }

  private static JsonFields of(String document) throws IOException {
    return JsonFields.of(document.getBytes(StandardCharsets.UTF_8), "list");
  }

  private static List<String> all(JsonFields fields) {
    List<String> all = new ArrayList<>();
    fields.forEach((name, json) -> all.add(name + "=" + json));
    return all;
  }
}
