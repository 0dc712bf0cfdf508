package io.isotail.monitor.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.StatementTally;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page has words and advice for each reason for which a driver does not capture. */
final class CaptureWordsTest {
  private static final Pattern ENTRY =
      Pattern.compile("(?m)^  '?([a-z-]+)'?: \\{ why: '([^']+)', advice: '([^']+)' },$");

  @Test
  void everyReasonOfTheDriverHasWords() throws IOException {
    Set<String> described = new TreeSet<>();
    String resource = "/io/isotail/monitor/page/capture-words.js";
    try (InputStream in = CaptureWordsTest.class.getResourceAsStream(resource)) {
      Matcher entries =
          ENTRY.matcher(
              new String(
                  Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8));
      while (entries.find()) {
        described.add(entries.group(1));
      }
    }
    assertThat(described).isEqualTo(StatementTally.reasons());
  }
}
