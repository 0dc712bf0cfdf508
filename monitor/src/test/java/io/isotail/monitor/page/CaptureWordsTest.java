package io.isotail.monitor.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.StatementTally;
import io.isotail.ingest.sql.Uninterpreted;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page has words and advice for each reason for which a driver does not capture. */
final class CaptureWordsTest {
  private static final Pattern ENTRY =
      Pattern.compile("(?m)^  '?([a-z-]+)'?: \\{ why: '([^']+)', advice: '([^']+)' },$");

  @Test
  void everyReasonOfTheDriverHasWords() throws IOException {
    Map<String, String> described = new TreeMap<>();
    String resource = "/io/isotail/monitor/page/capture-words.js";
    try (InputStream in = CaptureWordsTest.class.getResourceAsStream(resource)) {
      Matcher entries =
          ENTRY.matcher(
              new String(
                  Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8));
      while (entries.find()) {
        described.put(entries.group(1), entries.group(2) + " " + entries.group(3));
      }
    }
    assertThat(described.keySet()).isEqualTo(StatementTally.reasons());
    for (Uninterpreted reason : Uninterpreted.values()) {
      assertThat(described)
          .containsEntry(
              reason.name().toLowerCase(Locale.ROOT).replace('_', '-'),
              reason.words() + " " + reason.advice());
    }
  }
}
