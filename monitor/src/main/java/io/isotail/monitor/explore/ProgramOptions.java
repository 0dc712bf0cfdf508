package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.SourceError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options that say which program is explored. */
final class ProgramOptions {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--example",
      paramLabel = "NAME",
      completionCandidates = Examples.class,
      description = "A program that comes with isotail: ${COMPLETION-CANDIDATES}.")
  private @Nullable String example;

  @Option(
      names = "--print",
      description = "Print the program's text, compiled if it is SQL, and explore nothing.")
  private boolean print;

  @Option(
      names = "--param",
      paramLabel = "NAME=VALUE",
      description = "Another value for a parameter of the program; repeatable.")
  private Map<String, String> parameters = new LinkedHashMap<>();

  @Option(
      names = "--mixed",
      paramLabel = "TRANSACTION=LEVEL",
      description =
          "This transaction runs at a level of its own, whatever it declares; repeatable. The levels"
              + " that are explored are those of the others.")
  private Map<String, String> mixed = new LinkedHashMap<>();

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "A program; - for standard input, which is not in SQL.")
  private @Nullable Path file;

  private @Nullable ProgramSource source;

  /** The file that is given; null if none is. */
  @Nullable Path file() {
    return file;
  }

  boolean print() {
    return print;
  }

  /** Name of the program, for people. */
  String name() {
    return example != null ? example : isStandardInput() ? "standard input" : String.valueOf(file);
  }

  /**
   * Reads the text.
   *
   * @throws ParameterException if there is none, or it is SQL that cannot be compiled
   */
  void read() throws IOException {
    try {
      source = new ProgramSource(name(), text());
    } catch (SourceError e) {
      throw wrong(name() + ": " + e.getMessage());
    }
  }

  private String text() throws IOException {
    if ((example == null) == (file == null)) {
      throw wrong("expected a FILE, or --example NAME");
    }
    if (file != null) {
      if (isStandardInput()) {
        return text(System.in.readAllBytes());
      }
      String mistake = FileMistake.wrong(file);
      if (mistake != null) {
        throw wrong(mistake);
      }
      return Files.readString(file, StandardCharsets.UTF_8);
    }
    try {
      return Examples.text(Objects.requireNonNull(example));
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private boolean isStandardInput() {
    return file != null && file.toString().equals("-");
  }

  private static String text(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  /** The text in isotail's language, once it is read. */
  String printed() {
    return Objects.requireNonNull(source).printed();
  }

  /** The program, once its text is read. */
  Program program() {
    try {
      Program program = Objects.requireNonNull(source).program(parameters);
      for (Map.Entry<String, String> one : mixed.entrySet()) {
        program = program.withLevel(one.getKey(), LevelOptions.level(one.getValue()));
      }
      return program;
    } catch (SourceError e) {
      throw wrong(name() + ": " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  /** An error of a run, at its place in the text. */
  SourceError located(SourceError error) {
    return source == null ? error : source.located(error);
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }
}
