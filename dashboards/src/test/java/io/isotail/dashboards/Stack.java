package io.isotail.dashboards;

import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The services of the compose file as processes of this machine, with the commands, variables and
 * files that they have there. Only addresses are changed: each port of each service is a free one
 * of the loopback interface. Grafana is not started: Debian has no package of it.
 */
final class Stack implements Closeable {
  private static final Pattern PUBLISHED = Pattern.compile("\\blocalhost:(\\d+)");
  private static final Pattern LISTENING = Pattern.compile("(?<=://)(?=:\\d)|0\\.0\\.0\\.0");

  private final ComposeFile file;
  private final Path folder;
  private final String onCall;
  private final Map<String, Integer> ports = new HashMap<>();
  private final Map<String, Daemon> daemons = new HashMap<>();
  private final Deque<Closeable> started = new ArrayDeque<>();

  private Stack(ComposeFile file, Path folder, String onCall) {
    this.file = file;
    this.folder = folder;
    this.onCall = onCall;
  }

  /**
   * Starts all of it, in the order in which the services wait for each other.
   *
   * @param folder of logs, data and changed files
   * @param onCall the receiver's settings, which are the one thing that the shipped files leave
   *     open
   */
  static Stack start(Path folder, String onCall) throws Exception {
    Stack stack = new Stack(ComposeFile.read(), folder, onCall);
    try {
      stack.startKafka();
      stack.startPostgres();
      stack.isotail("monitor").awaitOk("/healthz");
      stack.isotail("workload");
      stack.isotail("proxy").awaitOk("/healthz");
      stack.debian("alertmanager", "prometheus-alertmanager", "--cluster.listen-address=");
      stack.debian("prometheus", "prometheus");
      return stack;
    } catch (Exception | Error e) {
      stack.close();
      throw e;
    }
  }

  /** The port of this machine that a service has in place of its own. */
  int port(String service, int own) {
    return ports.computeIfAbsent(
        service + ":" + own,
        name -> {
          try {
            return Daemon.freePort();
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
  }

  /** A service that is a process. */
  Daemon daemon(String service) {
    return daemons.get(service);
  }

  /** A text of the stack's files with the addresses that hold here. */
  String here(String service, String text) {
    String changed = replaced(text, PUBLISHED, m -> "localhost:" + published(m));
    for (String name : file.names()) {
      changed =
          replaced(
              changed,
              Pattern.compile("(?<![\\w.-])" + name + ":(\\d+)"),
              m -> "127.0.0.1:" + port(name, Integer.parseInt(m.group(1))));
    }
    changed = LISTENING.matcher(changed).replaceAll("127.0.0.1");
    return replaced(
        changed,
        Pattern.compile("(?<==|//)127\\.0\\.0\\.1:(\\d{4,5})\\b"),
        m -> "127.0.0.1:" + own(service, Integer.parseInt(m.group(1))));
  }

  private int published(Matcher m) {
    ComposeFile.Published published = file.published().get(Integer.valueOf(m.group(1)));
    return published == null
        ? Integer.parseInt(m.group(1))
        : port(published.service(), published.port());
  }

  /** A port that a service listens on, unless the port is one of this machine already. */
  private int own(String service, int port) {
    return ports.containsValue(port) ? port : port(service, port);
  }

  private void startKafka() {
    Map<String, String> settings = new HashMap<>();
    file.environment("kafka")
        .forEach(
            (name, value) ->
                settings.put(
                    name.replaceFirst("^KAFKA_", "").toLowerCase(Locale.ROOT).replace('_', '.'),
                    here("kafka", value)));
    settings.put("log.dirs", folder.resolve("kafka").toString());
    EmbeddedKafka kafka = EmbeddedKafka.start(port("kafka", 9092), settings);
    started.push(kafka::close);
  }

  private void startPostgres() throws IOException, SQLException {
    EmbeddedDatabase database = EmbeddedDatabase.start();
    started.push(database::close);
    ports.put("postgres:5432", database.port());
    Map<String, String> environment = file.environment("postgres");
    String user = environment.get("POSTGRES_USER");
    try (Connection c = DriverManager.getConnection(database.jdbcUrl());
        Statement s = c.createStatement()) {
      s.execute(
          "CREATE ROLE %s SUPERUSER LOGIN PASSWORD '%s'"
              .formatted(user, environment.get("POSTGRES_PASSWORD")));
      s.execute(
          "CREATE DATABASE %s OWNER %s"
              .formatted(environment.getOrDefault("POSTGRES_DB", user), user));
    }
  }

  /** A service whose image is isotail's: its entry point, then its command. */
  private Daemon isotail(String service) throws Exception {
    List<String> words = new ArrayList<>(ComposeFile.entryPoint());
    words.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.set(words.indexOf("-cp") + 1, System.getProperty("java.class.path"));
    words.addAll(words(service));
    Map<String, String> environment = new HashMap<>();
    ComposeFile.imageEnvironment().forEach((k, v) -> environment.put(k, here(service, v)));
    file.environment(service).forEach((k, v) -> environment.put(k, here(service, v)));
    int port = port(service, service.equals("proxy") ? 9618 : 9617);
    environment.put("ISOTAIL_HTTP_PORT", Integer.toString(port));
    environment.put("JAVA_TOOL_OPTIONS", "-Xmx600m -XX:TieredStopAtLevel=1");
    return run(service, port, environment, words);
  }

  /** A service that Debian has a package of. */
  private void debian(String service, String program, String... more) throws Exception {
    ComposeFile.Published published =
        file.published().values().stream()
            .filter(each -> each.service().equals(service))
            .findFirst()
            .orElseThrow();
    int port = port(service, published.port());
    List<String> words = new ArrayList<>(List.of("/usr/bin/" + program));
    words.addAll(words(service));
    words.add("--web.listen-address=127.0.0.1:" + port);
    words.add(
        (service.equals("prometheus") ? "--storage.tsdb.path=" : "--storage.path=")
            + folder.resolve(service + "-data"));
    words.addAll(List.of(more));
    run(service, port, Map.of(), words).awaitOk("/-/ready");
  }

  private Daemon run(String service, int port, Map<String, String> environment, List<String> words)
      throws IOException {
    Daemon daemon =
        Daemon.start(port, folder.resolve(service + ".log"), environment, List.copyOf(words));
    started.push(daemon::close);
    daemons.put(service, daemon);
    return daemon;
  }

  /** The command of a service, with its mounted files where they are here. */
  private List<String> words(String service) throws IOException {
    Map<String, String> mounts = new HashMap<>();
    for (Map.Entry<String, String> mount : file.mounts(service).entrySet()) {
      if (mount.getValue().startsWith(".")) {
        Path source = ComposeFile.DEPLOY.resolve(mount.getValue()).normalize();
        Path copy = folder.resolve(service).resolve(source.getFileName().toString());
        copy(service, source, copy);
        mounts.put(mount.getKey(), copy.toString());
      }
    }
    List<String> words = new ArrayList<>();
    for (String word : file.command(service)) {
      String changed = here(service, word);
      for (Map.Entry<String, String> mount : mounts.entrySet()) {
        changed = changed.replace(mount.getKey(), mount.getValue());
      }
      words.add(changed);
    }
    return words;
  }

  private void copy(String service, Path source, Path target) throws IOException {
    try (Stream<Path> files = Files.walk(source)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        Path copy = target.resolve(source.relativize(each).toString()).normalize();
        Files.createDirectories(copy.getParent());
        String text =
            here(service, Files.readString(each))
                .replace("  - name: on-call\n", "  - name: on-call\n    " + onCall + "\n");
        Files.writeString(copy, text);
      }
    }
  }

  private static String replaced(
      String text, Pattern pattern, java.util.function.Function<Matcher, String> by) {
    Matcher found = pattern.matcher(text);
    StringBuilder changed = new StringBuilder();
    while (found.find()) {
      found.appendReplacement(changed, Matcher.quoteReplacement(by.apply(found)));
    }
    return found.appendTail(changed).toString();
  }

  @Override
  public void close() throws IOException {
    while (!started.isEmpty()) {
      started.pop().close();
    }
  }
}
