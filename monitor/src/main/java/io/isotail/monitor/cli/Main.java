package io.isotail.monitor.cli;

import io.isotail.monitor.explore.ExploreCommand;
import io.isotail.monitor.offline.CheckCommand;
import io.isotail.monitor.offline.ConvertCommand;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.offline.ExplainCommand;
import io.isotail.monitor.offline.GenerateCommand;
import io.isotail.monitor.offline.ResolveCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line: {@code isotail COMMAND}. */
@Command(
    name = "isotail",
    versionProvider = Main.Version.class,
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Finds where a database breaks the isolation level that it promised.",
    footerHeading = "%n",
    footer =
        "Exit status: 0 passed, 1 violation found, 2 bad usage or bad input, 3 undecided without"
            + " a violation, 4 internal error. 'isotail COMMAND --help' describes a command.")
public final class Main {
  /** All, in the order of the help. */
  static final List<Class<?>> COMMANDS =
      List.of(
          DemoCommand.class,
          CheckCommand.class,
          ExplainCommand.class,
          ExploreCommand.class,
          ForecastCommand.class,
          GenerateCommand.class,
          ConvertCommand.class,
          ServeCommand.class,
          ProxyCommand.class,
          TailCommand.class,
          ControlCommand.class,
          RulesCommand.class,
          DoctorCommand.class,
          ResolveCommand.class,
          WorkloadCommand.class,
          VerifyDatabaseCommand.class,
          CompletionCommand.class);

  private Main() {}

  /**
   * The commands that are needed where these are the arguments. To describe all of them takes
   * longer than to check a small file.
   */
  static List<Class<?>> commandsFor(String... args) {
    return switch (args.length == 0 ? "" : args[0]) {
      case "check" -> List.of(CheckCommand.class);
      case "convert" -> List.of(ConvertCommand.class);
      case "explain" -> List.of(ExplainCommand.class);
      case "explore" -> List.of(ExploreCommand.class);
      case "forecast" -> List.of(ForecastCommand.class);
      case "generate" -> List.of(GenerateCommand.class);
      case "proxy" -> List.of(ProxyCommand.class);
      case "serve" -> List.of(ServeCommand.class);
      case "tail" -> List.of(TailCommand.class);
      case "--version", "-V" -> List.of();
      default -> COMMANDS;
    };
  }

  /** Runs a command and ends the process with its exit status. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int status = run(out, err, args);
    out.flush();
    System.exit(status);
  }

  /** Runs a command; returns its exit status. */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    CommandLine line = line(out, err, args);
    if (args.length == 0) {
      line.usage(err);
      return ExitCode.BAD;
    }
    return execute(line, err, args);
  }

  /** The command line for these arguments. */
  static CommandLine line(PrintWriter out, PrintWriter err, String... args) {
    CommandLine line = new CommandLine(new Main());
    commandsFor(args).forEach(line::addSubcommand);
    line.setOut(out).setErr(err);
    line.setUsageHelpAutoWidth(true);
    line.setParameterExceptionHandler(
        (exception, given) -> {
          String name = exception.getCommandLine().getCommandSpec().qualifiedName();
          err.printf(
              "%s: %s%s%n'%s --help' says more.%n",
              name, exception.getMessage(), suggestion(exception), name);
          return ExitCode.BAD;
        });
    line.setExecutionExceptionHandler(
        (exception, command, parsed) -> {
          String name = command.getCommandSpec().qualifiedName();
          if (exception instanceof IOException || exception instanceof UncheckedIOException) {
            err.printf("%s: %s%n", name, exception.getMessage());
            return ExitCode.BAD;
          }
          InternalErrorText.print(err, name, exception);
          return ExitCode.INTERNAL_ERROR;
        });
    return line;
  }

  /** Runs it; an error that no command has an answer to is none of a verdict's statuses. */
  static int execute(CommandLine line, PrintWriter err, String... args) {
    try {
      return line.execute(args);
    } catch (StackOverflowError | OutOfMemoryError | AssertionError | LinkageError e) {
      InternalErrorText.print(err, line.getCommandName() + " " + args[0], e);
      return ExitCode.INTERNAL_ERROR;
    }
  }

  /** The option or command that is most like one that does not exist; empty if none is. */
  private static String suggestion(ParameterException exception) {
    return exception instanceof UnmatchedArgumentException unmatched
        ? unmatched.getSuggestions().stream()
            .findFirst()
            .map("; did you mean '%s'?"::formatted)
            .orElse("")
        : "";
  }

  /** The version that Maven built, from a file that it fills in. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
      Properties build = new Properties();
      try (InputStream file = Main.class.getResourceAsStream("build.properties")) {
        build.load(file);
      }
      return new String[] {"isotail " + build.getProperty("version")};
    }
  }
}
