package io.isotail.monitor.offline;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.ingest.format.HistoryFormat;
import io.isotail.ingest.format.HistoryFormats;
import io.isotail.ingest.format.JsonlFormat;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short run of what {@link DefinitionsCampaign} does for long. */
class DefinitionsTest {
  private static final int HISTORIES = 70;
  private static final long FIRST_SEED = Seeds.FIRST;

  @TempDir private Path folder;

  @Test
  void randomHistoriesInFilesOfEveryFormatGetTheVerdictsOfTheDefinitions() throws Exception {
    RandomHistoriesInFiles run = new RandomHistoriesInFiles(folder);
    for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      run.run(seed);
    }
    assertThat(run.files)
        .containsOnlyKeys(HistoryFormats.all().stream().map(HistoryFormat::label).toList());
    assertThat(run.files.get(new JsonlFormat().label())).isEqualTo(2L * HISTORIES);
    assertThat(run.files.values()).allMatch(files -> files > HISTORIES);
    assertThat(run.passed).isGreaterThan(HISTORIES);
    assertThat(run.failed).isGreaterThan(HISTORIES);
  }
}
