package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.offline.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

final class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource({
    "chek, check",
    "serv, serve",
    "Check f, check",
    "chek --level causal f, check",
    "check --levle causal f, --level",
    "check f --levle=causal, --level",
    "resolve --anomoly f, --anomaly",
    "--verison, --version"
  })
  void aWrongNameIsAnsweredWithTheOneThatIsMostLikeIt(String line, String meant) {
    assertThat(run(line)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString().lines().findFirst().orElseThrow())
        .startsWith("isotail")
        .endsWith("'; did you mean '" + meant + "'?");
  }

  @Test
  void whatIsLikeNothingIsAnsweredWithoutASuggestion() {
    assertThat(run("check --zzz f")).isEqualTo(ExitCode.BAD);
    assertThat(err.toString().lines())
        .containsExactly(
            "isotail check: Unknown option: '--zzz'", "'isotail check --help' says more.");
  }

  /**
   * A command is described alone where it is asked for, and then it must be the one of that name.
   */
  @Test
  void eachCommandIsFoundByItsName() {
    assertThat(Main.COMMANDS).hasSizeGreaterThan(10);
    for (Class<?> command : Main.COMMANDS) {
      String name = command.getAnnotation(Command.class).name();
      assertThat(Main.commandsFor(name, "--help")).contains(command);
      assertThat(run(name + " --help")).isZero();
      assertThat(out.toString()).contains("isotail " + name);
    }
    assertThat(Main.commandsFor("check")).hasSize(1);
    assertThat(Main.commandsFor("--help")).isEqualTo(Main.COMMANDS);
  }

  /** A JVM that a signal ends has the signal's status, in whatever order it ends. */
  @ParameterizedTest
  @ValueSource(strings = {"serve", "proxy", "tail", "workload"})
  void whatRunsUntilASignalTellsItsStatus(String command) {
    assertThat(run(command + " --help")).isZero();
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("143 after SIGTERM, 130 after Ctrl-C");
  }

  @ParameterizedTest
  @ValueSource(strings = {"overflow", "throw"})
  void anInternalErrorIsNoVerdict(String how) {
    CommandLine line = Main.line(new PrintWriter(out, true), new PrintWriter(err, true), "broken");
    line.addSubcommand(new BrokenCommand());
    assertThat(Main.execute(line, new PrintWriter(err, true), "broken", how))
        .isEqualTo(ExitCode.INTERNAL_ERROR);
    assertThat(err.toString())
        .startsWith("isotail broken: internal error: java.lang.")
        .contains(
            "Nothing was decided", "a defect of isotail", "at " + BrokenCommand.class.getName());
    assertThat(err.toString().lines().count()).isLessThan(60);
  }

  @Command(name = "broken")
  private static final class BrokenCommand implements Callable<Integer> {
    @Parameters private String how = "";

    @Override
    public Integer call() {
      if (how.equals("throw")) {
        throw new IllegalStateException("never");
      }
      return deeper(0);
    }

    private int deeper(int depth) {
      return depth < 0 ? 0 : deeper(depth + 1) + 1;
    }
  }

  private int run(String line) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), line.split(" "));
  }
}
