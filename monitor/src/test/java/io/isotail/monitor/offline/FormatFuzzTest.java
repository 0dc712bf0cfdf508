package io.isotail.monitor.offline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short run of what {@link FormatFuzzCampaign} does for an hour. */
class FormatFuzzTest {
  private static final int SEEDS = 130;

  @TempDir private Path folder;

  @Test
  void damagedFilesAreRefusedWithTheirPlaceOrCheckedRightly() throws Exception {
    try (FormatFuzz fuzz = new FormatFuzz(folder)) {
      for (long seed = 1; seed <= SEEDS; seed++) {
        fuzz.run(seed);
      }
      assertThat(fuzz.inputs).isGreaterThan(5 * SEEDS - 1);
      assertThat(fuzz.refused).isGreaterThan(SEEDS);
      assertThat(fuzz.judged).isGreaterThan(SEEDS);
      assertThat(fuzz.passed).isGreaterThan(SEEDS);
      assertThat(fuzz.failed).isGreaterThan(SEEDS);
    }
  }
}
