package io.isotail.explore.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the guide shows of tests in Java. */
final class GuideTest {
  @Test
  void theCodeInTheGuideIsATestThatRuns() throws IOException {
    String test =
        Files.readString(Path.of("src/test/java/io/isotail/explore/junit/OnCallTest.java"));
    String code = test.substring(test.indexOf("final class OnCallTest"));
    assertThat(Files.readString(Path.of("../guide/exploring.md")))
        .contains("```java\n" + code + "```");
  }
}
