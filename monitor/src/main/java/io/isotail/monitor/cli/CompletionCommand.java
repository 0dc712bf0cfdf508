package io.isotail.monitor.cli;

import io.isotail.monitor.offline.ExitCode;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code isotail completion}: what a shell needs to complete commands and options. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = "Prints a script with which bash or zsh completes commands, options and values.",
    footerHeading = "%n",
    footer = {
      "For this shell:     source <(isotail completion bash)",
      "For every bash:     isotail completion bash >~/.local/share/bash-completion/completions/isotail",
      "For every zsh:      add to ~/.zshrc: source <(isotail completion zsh)",
      "",
      "Exit status: 0 when it is printed, 2 bad usage."
    })
final class CompletionCommand implements Callable<Integer> {
  private static final String NAME = "isotail";
  private static final List<String> SHELLS = List.of("bash", "zsh");

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "SHELL",
      completionCandidates = Shells.class,
      description = "${COMPLETION-CANDIDATES}.")
  private String shell = "";

  @Override
  public Integer call() {
    CommandLine here = Objects.requireNonNull(spec).commandLine();
    if (!SHELLS.contains(shell)) {
      throw new ParameterException(here, "found '%s'; expected bash or zsh".formatted(shell));
    }
    PrintWriter out = here.getOut();
    // One script for both: in zsh it loads what runs completions of bash.
    out.print(AutoComplete.bash(NAME, here.getParent()));
    out.flush();
    return ExitCode.PASSED;
  }

  /** The words that the parameter takes. */
  static final class Shells implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return SHELLS.iterator();
    }
  }
}
