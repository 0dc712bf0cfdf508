package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class DriverSettingTest {
  @Test
  void theTableOfTheReadmeIsThatOfTheCode() throws IOException {
    String expected =
        "| setting | default | what |\n|---|---|---|\n"
            + Arrays.stream(DriverSetting.values())
                .map(DriverSetting::row)
                .collect(Collectors.joining("\n"))
            + "\n\n";
    boolean same = Files.readString(Path.of("README.md")).contains(expected);
    assertThat(same).as("paste into README.md:\n%s", expected).isTrue();
  }
}
