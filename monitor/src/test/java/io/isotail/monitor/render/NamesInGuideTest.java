package io.isotail.monitor.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.OneServerCase;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The guide tells each name as one server shows it. */
final class NamesInGuideTest {
  private static final Path GUIDE = Path.of("guide/understanding-a-verdict.md");

  @Test
  void theGuideHasEachCase() throws IOException {
    List<String> table = rows("| name | cause | Adya | violates | ran | told |");
    assertThat(table)
        .containsExactlyElementsOf(OneServerCase.ALL.stream().map(NamesInGuideTest::row).toList());
  }

  @Test
  void theGuideSaysAtWhichLevelOneServerShowsIt() throws IOException {
    List<String> table = rows("| name | what happened | on one server | else |");
    assertThat(table).hasSize(AnomalyKind.values().length);
    for (OneServerCase each : OneServerCase.ALL) {
      assertThat(table)
          .filteredOn(row -> row.startsWith("| `" + each.kind() + "` |"))
          .singleElement()
          .satisfies(row -> assertThat(row.split(" \\| ")[2]).startsWith(level(each)));
    }
  }

  private static String row(OneServerCase each) {
    Anomaly told = each.told();
    String adya = told.adya();
    return "| `%s` | %s | %s | `%s` | %s: `%s` | %s |"
        .formatted(
            told.kind(),
            CauseText.plain(told.kind()),
            adya == null ? "none" : adya,
            told.level(),
            level(each),
            each.text(),
            told.explanation());
  }

  private static String level(OneServerCase each) {
    return each.shows() == null ? "never" : each.shows().words();
  }

  /** The rows of the table with this head. */
  private static List<String> rows(String head) throws IOException {
    return Files.readString(GUIDE)
        .lines()
        .dropWhile(line -> !line.equals(head))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .toList();
  }
}
