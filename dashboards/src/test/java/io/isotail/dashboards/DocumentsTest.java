package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documents of the repository lead to each other. */
final class DocumentsTest {
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s:#]*)(#[^)\\s]+)?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```");
  private static final Pattern BUILT = Pattern.compile("(^|/)(target|\\.git|node_modules)(/|$)");

  @Test
  void everyLinkLeadsToAFileAndAHeading() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path document : documents()) {
      for (MatchResult link : LINK.matcher(prose(document)).results().toList()) {
        links++;
        Path target =
            link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1)).normalize();
        boolean leads = Files.exists(target);
        if (leads && link.group(2) != null) {
          leads = anchors(target).contains(link.group(2).substring(1));
        }
        if (!leads) {
          broken.add(Repository.ROOT.relativize(document) + ": " + link.group());
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(links).isGreaterThan(30);
  }

  @Test
  void everyDocumentWithCommandsIsRead() throws IOException {
    List<String> withCommands = new ArrayList<>();
    for (Path document : documents()) {
      String name = Repository.ROOT.relativize(document).toString();
      if (!CommandBlock.of(name).isEmpty() && !name.startsWith("deploy/results/")) {
        withCommands.add(name);
      }
    }
    assertThat(withCommands).containsExactlyInAnyOrderElementsOf(GuideReader.DOCUMENTS);
  }

  /** All of them. */
  static List<Path> documents() throws IOException {
    try (Stream<Path> files = Files.walk(Repository.ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !BUILT.matcher(Repository.ROOT.relativize(file).toString()).find())
          .toList();
    }
  }

  /** The text without its blocks of code. */
  private static String prose(Path document) throws IOException {
    return CODE.matcher(Files.readString(document)).replaceAll("");
  }

  /** What GitHub calls the headings. */
  private static Set<String> anchors(Path document) throws IOException {
    Map<String, Integer> seen = new HashMap<>();
    Set<String> anchors = new HashSet<>();
    for (MatchResult heading : HEADING.matcher(prose(document)).results().toList()) {
      String name =
          heading
              .group(1)
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N}_ -]", "")
              .replace(' ', '-');
      int before = seen.merge(name, 1, Integer::sum) - 1;
      anchors.add(before == 0 ? name : name + "-" + before);
    }
    return anchors;
  }
}
