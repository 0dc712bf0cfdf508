package io.isotail.monitor.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;

/** Runs a command in this process, and keeps what the last run has printed. */
final class CommandRun {
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();
  private final String command;

  CommandRun(String command) {
    this.command = command;
  }

  /** Runs it with options; returns its exit status. */
  int run(String... options) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(
        new PrintWriter(out, true),
        new PrintWriter(err, true),
        Stream.concat(Stream.of(command), Stream.of(options)).toArray(String[]::new));
  }
}
