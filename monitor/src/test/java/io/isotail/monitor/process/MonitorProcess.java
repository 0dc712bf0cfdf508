package io.isotail.monitor.pipeline;

import io.isotail.monitor.cli.Main;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An instance of the monitor in a process of its own. */
final class MonitorProcess implements AutoCloseable {
  private final List<String> command = new ArrayList<>();
  private final File log;
  private Process process;

  MonitorProcess(Map<String, String> settings, Path log) {
    this.log = log.toFile();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Main.class.getName());
    command.add("serve");
    settings.forEach((name, value) -> command.add("--set=" + name + "=" + value));
    start();
  }

  void start() {
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The end of its log. */
  String lastWords() {
    try {
      List<String> lines = Files.readAllLines(log.toPath());
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    } catch (IOException e) {
      return "its log cannot be read: " + e;
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** As {@code kill -9}; returns when it is gone. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** As {@code kill}; returns when it is gone. */
  void stop() {
    process.destroy();
    process.onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
