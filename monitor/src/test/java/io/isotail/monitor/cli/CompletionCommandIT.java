package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.isotail.monitor.offline.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion script in a real shell. */
final class CompletionCommandIT {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void bashCompletesCommandsOptionsAndValues() throws Exception {
    assertThat(completed("bash", "che")).containsExactly("check");
    assertThat(completed("bash", "d")).containsExactlyInAnyOrder("demo", "doctor");
    assertThat(completed("bash", "explain", "--form")).containsExactly("--format");
    assertThat(completed("bash", "explain", "--format", "s")).containsExactly("svg");
    assertThat(completed("bash", "check", "--level", "snap")).containsExactly("snapshot-isolation");
    assertThat(completed("bash", "check", "--color", "n")).containsExactly("never");
    assertThat(completed("bash", "completion", "z")).containsExactly("zsh");
  }

  @Test
  void zshCompletesTheSame() throws Exception {
    assumeTrue(isThere("zsh"), "zsh is not installed");
    assertThat(output("zsh", "-f", script("zsh").toString())).isEmpty();
  }

  @Test
  void anUnknownShellIsRefused() {
    assertThat(run("completion", "fish")).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("found 'fish'; expected bash or zsh");
    assertThat(run("completion")).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("SHELL");
  }

  /** What the shell offers for the last word. */
  private List<String> completed(String shell, String... words) throws Exception {
    String all = List.of(words).stream().collect(Collectors.joining(" "));
    Path asking = folder.resolve("ask");
    Files.writeString(
        asking,
        """
        set -e
        compopt() { :; } # works only while bash completes by itself
        source '%s'
        COMP_WORDS=(isotail %s); COMP_CWORD=%d; COMP_LINE="isotail %s"; COMP_POINT=${#COMP_LINE}
        complete -p isotail >/dev/null
        set +e
        _complete_isotail
        printf '%%s\\n' "${COMPREPLY[@]}"
        """
            .formatted(script(shell), all, words.length, all));
    return output(shell, asking.toString()).lines().map(String::strip).toList();
  }

  private Path script(String shell) throws Exception {
    out.getBuffer().setLength(0);
    assertThat(run("completion", shell)).as(err.toString()).isZero();
    return Files.writeString(folder.resolve("script"), out.toString());
  }

  private static String output(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  private static boolean isThere(String program) throws Exception {
    return new ProcessBuilder("sh", "-c", "command -v " + program).start().waitFor() == 0;
  }

  private int run(String... arguments) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }
}
