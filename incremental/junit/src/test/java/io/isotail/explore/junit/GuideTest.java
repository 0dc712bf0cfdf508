package io.isotail.explore.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** A test in a document leaves out its imports. */
  private static final String IMPORTS =
      """
      import static org.junit.jupiter.api.Assertions.*;
      import io.isotail.explore.junit.*;
      import io.isotail.incremental.explore.code.*;
      import io.isotail.incremental.level.*;
      """;

  @ParameterizedTest
  @CsvSource({"../guide/exploring.md, 1", "../README.md, 1"})
  void everyTestInADocumentCompiles(String document, int tests, @TempDir Path into)
      throws IOException {
    List<String> found =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of(document)))
            .results()
            .map(block -> block.group(1))
            .filter(code -> code.contains("@Explore"))
            .toList();
    assertThat(found).hasSize(tests);
    for (String code : found) {
      Matcher name = Pattern.compile("class (\\w+)").matcher(code);
      assertThat(name.find()).isTrue();
      Path file = Files.writeString(into.resolve(name.group(1) + ".java"), IMPORTS + code);
      ByteArrayOutputStream errors = new ByteArrayOutputStream();
      int status =
          ToolProvider.getSystemJavaCompiler()
              .run(null, null, errors, "-proc:none", "-d", into.toString(), file.toString());
      assertThat(status).as(errors.toString(StandardCharsets.UTF_8)).isZero();
    }
  }
}
