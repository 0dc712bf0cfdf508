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
    int steps = (int) STEP.matcher(section).results().count();
    assertThat(missing).as("methods that %s names", readme).isEmpty();
    assertThat(methods).isGreaterThanOrEqualTo(steps);
    return steps;
  }

  /**
   * Fails where the README of a module, or one of its guides, names a class with its package that
   * is not there.
   *
   * @param least how often they name one; fewer say that they are written in another way
   */
  public static void checkNames(Path module, String rootPackage, int least) throws IOException {
    List<Path> documents = new ArrayList<>(List.of(module.resolve("README.md")));
    try (Stream<Path> guides = Files.list(module.resolve("guide"))) {
      guides.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
    }
    int named = 0;
    List<String> missing = new ArrayList<>();
    for (Path document : documents) {
      List<MatchResult> types = TYPE.matcher(Files.readString(document)).results().toList();
      named += types.size();
      types.stream()
          .filter(type -> find(rootPackage + "." + type.group(1) + "." + type.group(2)).isEmpty())
          .forEach(type -> missing.add(document + ": " + type.group()));
    }
    assertThat(missing).as("names of classes that are not there").isEmpty();
    assertThat(named)
        .as("how often %s name a class as `package/Class`", documents)
        .isGreaterThanOrEqualTo(least);
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
