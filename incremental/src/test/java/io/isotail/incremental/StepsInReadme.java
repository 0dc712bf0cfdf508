package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a module's README names of the code must exist: each method of the list of steps, and each
 * class that is written with its package; so must the classes that guides name.
 */
public final class StepsInReadme {
  private static final String HEADING = "## A transaction, step by step";
  private static final Pattern STEP = Pattern.compile("^\\d+\\. ", Pattern.MULTILINE);
  private static final Pattern TYPE = Pattern.compile("`([a-z]+)/([A-Z]\\w+)(?:\\.(?!md`)\\w+)?`");
  private static final Pattern METHOD =
      Pattern.compile("`(?:([a-z]+)/)?([A-Z]\\w+)\\.(?!md`)(\\w+)`");

  private StepsInReadme() {}

  /** Number of steps; fails where one names a method that is not there. */
  public static int check(Path readme, String rootPackage) throws IOException {
    String text = Files.readString(readme);
    assertThat(text).contains(HEADING);
    String section = text.substring(text.indexOf(HEADING) + HEADING.length()).split("\n## ")[0];
    List<String> missing = new ArrayList<>();
    Matcher named = METHOD.matcher(section);
    int methods = 0;
    while (named.find()) {
      methods++;
      String in = named.group(1) == null ? "" : "." + named.group(1);
      if (!exists(rootPackage + in + "." + named.group(2), named.group(3))) {
        missing.add(named.group());
      }
    }
    missing.addAll(missingTypes(text, rootPackage));
    int steps = (int) STEP.matcher(section).results().count();
    assertThat(missing).as("classes and methods that %s names", readme).isEmpty();
    assertThat(methods).isGreaterThanOrEqualTo(steps);
    return steps;
  }

  /** Fails where a guide beside the README names a class with its package that is not there. */
  public static void checkGuides(Path folder, String rootPackage) throws IOException {
    try (Stream<Path> guides = Files.list(folder)) {
      for (Path guide : guides.toList()) {
        assertThat(missingTypes(Files.readString(guide), rootPackage)).as("%s", guide).isEmpty();
      }
    }
  }

  private static List<String> missingTypes(String text, String rootPackage) {
    return TYPE.matcher(text)
        .results()
        .filter(type -> find(rootPackage + "." + type.group(1) + "." + type.group(2)).isEmpty())
        .map(MatchResult::group)
        .toList();
  }

  private static boolean exists(String type, String method) {
    return find(type).stream()
        .flatMap(owner -> Arrays.stream(owner.getDeclaredMethods()))
        .anyMatch(declared -> declared.getName().equals(method));
  }

  private static Optional<Class<?>> find(String type) {
    try {
      return Optional.of(Class.forName(type, false, StepsInReadme.class.getClassLoader()));
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
  }
}
