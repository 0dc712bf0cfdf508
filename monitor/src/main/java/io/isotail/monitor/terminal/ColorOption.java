package io.isotail.monitor.terminal;

import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option {@code --color} of the commands that print for people. */
public final class ColorOption {
  /** Set by the launcher, which knows it whatever standard input is. */
  private static final String LAUNCHER_KNOWS = "isotail.terminal.out";

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      defaultValue = "auto",
      converter = Converter.class,
      completionCandidates = Names.class,
      description =
          "Colours: ${COMPLETION-CANDIDATES} (default: auto: if standard output is a terminal and"
              + " NO_COLOR is not set). JSON never has any.")
  private Paint.When when = Paint.When.AUTO;

  /** How standard output is coloured. */
  public Paint paint() {
    return Paint.choose(when, isTerminal(), System.getenv("NO_COLOR"), System.getenv("TERM"));
  }

  /** Plain for what machines read, else as {@link #paint()}. */
  public Paint paintUnless(boolean forMachines) {
    return forMachines ? Paint.PLAIN : paint();
  }

  /**
   * Whether standard output is a terminal. Without the launcher Java tells: up to 21 it has a
   * console only if both standard input and output are terminals, later the console says itself.
   */
  @SuppressWarnings("SystemConsoleNull") // where it is not null it is asked
  public static boolean isTerminal() {
    String known = System.getProperty(LAUNCHER_KNOWS);
    if (known != null) {
      return Boolean.parseBoolean(known);
    }
    Object console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return Boolean.TRUE.equals(java.io.Console.class.getMethod("isTerminal").invoke(console));
    } catch (ReflectiveOperationException e) {
      return true; // Java 21 or older.
    }
  }

  /** The words that the option takes. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Paint.When.values()).map(Paint.When::label).iterator();
    }
  }

  /** From a word. */
  static final class Converter implements ITypeConverter<Paint.When> {
    @Override
    public Paint.When convert(@Nullable String word) {
      return Arrays.stream(Paint.When.values())
          .filter(each -> each.label().equals(word))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "found '%s'; expected auto, always or never".formatted(word)));
    }
  }
}
