package io.isotail.monitor.process;

import io.isotail.monitor.cli.Main;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An instance of the monitor in a process of its own. */
public final class MonitorProcess implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("isotail: (\\S+) reads .*");

  private final List<String> command = new ArrayList<>();
  private final File log;
  private Process process;

  /** A small one that is there soon. */
  public static MonitorProcess small(Map<String, String> settings, Path log) {
    return new MonitorProcess(settings, log, "-Xmx256m", "-XX:TieredStopAtLevel=1");
  }

  /** One that bears a load, with the collector that {@code deploy/isotail} chooses for it. */
  public static MonitorProcess large(Map<String, String> settings, Path log, int heapMegabytes) {
    return new MonitorProcess(
        settings,
        log,
        "-Xmx" + heapMegabytes + "m",
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:+UseShenandoahGC");
  }

  /** Starts it with these options of the JVM. */
  public MonitorProcess(Map<String, String> settings, Path log, String... options) {
    this(
        settings.entrySet().stream().map(s -> "--set=" + s.getKey() + "=" + s.getValue()).toList(),
        log,
        options);
  }

  /** A small one with a configuration file. */
  public static MonitorProcess small(Path config, Path log) {
    return new MonitorProcess(
        List.of("--config=" + config), log, "-Xmx256m", "-XX:TieredStopAtLevel=1");
  }

  private MonitorProcess(List<String> arguments, Path log, String... options) {
    this.log = log.toFile();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Main.class.getName());
    command.add("serve");
    command.addAll(arguments);
    start();
  }

  /** Starts it again. */
  public void start() {
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
  public String lastWords() {
    try {
      List<String> lines = Files.readAllLines(log.toPath());
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    } catch (IOException e) {
      return "its log cannot be read: " + e;
    }
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Address of its page, once it listens. */
  public URI awaitAddress() throws InterruptedException {
    while (true) {
      String last = null;
      try {
        for (String line : Files.readAllLines(log.toPath())) {
          Matcher said = ADDRESS.matcher(line);
          last = said.matches() ? said.group(1) : last;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (last != null) {
        return URI.create(last);
      }
      if (!process.isAlive()) {
        throw new IllegalStateException("the monitor ended: " + lastWords());
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** The process. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** As {@code kill -9}; returns when it is gone. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** As {@code kill}; returns when it is gone. */
  public void stop() {
    process.destroy();
    process.onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
