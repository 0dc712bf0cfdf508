package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forms are read alike wherever the end of the reader's buffer falls. */
class EdnReaderTest {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final String FORMS =
      """
      {:type :ok, :value [[:append -12 345678] [:r 7 [1 22 333 #_skipped 4444]]]}
      [123456789012345678 1234567890123456789 -9223372036854775808 12345678901234567890 +5]
      (nil true false "a \\"b\\" \\n ü" :key/word sym.bol 1/2 3.5 \\c) ; a comment
      #{7} #tag 8 :last
      """;

  @TempDir private Path folder;

  @Test
  void theEndOfTheBufferMayFallAnywhere() throws Exception {
    List<@Nullable Object> expected = forms(FORMS);
    assertThat(expected).hasSize(6).endsWith(8L, new EdnReader.Word(":last"));
    int bytes = FORMS.getBytes(StandardCharsets.UTF_8).length;
    for (int before = 0; before <= bytes; before++) {
      // The first form stands in front, so that the file is not taken for one list.
      String text = ":first" + " ".repeat(BUFFER_BYTES - before - 6) + FORMS;
      assertThat(forms(text)).as("%d bytes before the end of the buffer", before).hasSize(7);
      assertThat(forms(text).subList(1, 7)).isEqualTo(expected);
    }
  }

  private List<@Nullable Object> forms(String text) throws Exception {
    Path file = Files.writeString(folder.resolve("forms.edn"), text);
    List<@Nullable Object> forms = new ArrayList<>();
    try (EdnReader reader = new EdnReader(file)) {
      while (reader.next()) {
        forms.add(reader.form());
      }
    }
    return forms;
  }
}
