package io.isotail.dashboards;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Types the commands of the documents, one document after the other, and ends with 1 when one of
 * them fails. Only what stands for something else in a document is filled in, and a broker is one
 * where a document has three.
 */
final class GuideReader {
  /** The property by which what takes long is typed too. */
  static final String ALL = "isotail.guides.all";

  /** Each with its commands in the order in which they stand. */
  static final List<String> DOCUMENTS =
      List.of(
          "README.md",
          "ingest/guide/getting-started.md",
          "ingest/guide/proxy.md",
          "monitor/README.md",
          "monitor/guide/operating.md",
          "monitor/guide/understanding-a-verdict.md",
          "monitor/guide/verify-database.md",
          "dashboards/README.md",
          "dashboards/runbooks/IsotailAnomaly.md",
          "deploy/README.md");

  /** Those whose reader has a monitor that has found something. */
  private static final List<String> WITH_FINDINGS =
      List.of(
          "monitor/README.md",
          "monitor/guide/understanding-a-verdict.md",
          "dashboards/runbooks/IsotailAnomaly.md");

  /** How a command begins that cannot be typed in here, and why. */
  private static final Map<String, String> ELSEWHERE = new LinkedHashMap<>();

  static {
    ELSEWHERE.put("deploy/verify", "this is it");
    ELSEWHERE.put("docker compose", "there is no Docker; StackIT runs what it starts");
    ELSEWHERE.put("docker load", "there is no Docker; ImageIT reads and starts the image");
    ELSEWHERE.put("deploy/image/build", "ImageIT runs it");
    ELSEWHERE.put("kubectl", "there is no cluster; KustomizeTest builds what is applied");
    ELSEWHERE.put("helm", "there is no cluster; ChartTest renders what is installed");
    ELSEWHERE.put("systemctl", "there is no systemd; SystemdTest reads the unit");
    ELSEWHERE.put("install ", "writes to the machine's own folders");
    ELSEWHERE.put("mvn ", "there is no way to a repository of libraries; the build runs it");
    ELSEWHERE.put(
        "deploy/isotail verify-database --url redis:", "the store's jar is the reader's own");
    if (!Boolean.getBoolean(ALL)) {
      ELSEWHERE.put("deploy/isotail demo", "takes long; DemoCommandIT runs it");
      ELSEWHERE.put(
          "deploy/isotail verify-database", "takes long; VerifyDatabaseCommandIT runs it");
    }
  }

  /** What ends with 1 when it has found something. */
  private static final Pattern FINDS =
      Pattern.compile(
          "deploy/isotail (demo|check|doctor|resolve|verify-database) .*", Pattern.DOTALL);

  private static final Pattern STAYS = Pattern.compile("deploy/isotail (serve|proxy)\\b.*");
  private static final Pattern PORT = Pattern.compile("--port (\\d+)");

  private final GuideMachine machine;
  private final Map<String, Daemon> running = new HashMap<>();
  private final Map<String, String> notRun = new LinkedHashMap<>();
  private int commands;
  private boolean failed;

  private GuideReader(GuideMachine machine) {
    this.machine = machine;
  }

  /**
   * Reads some of them.
   *
   * @param args the folder of the machine's files, which is made anew, and the documents
   */
  public static void main(String[] args) throws Exception {
    boolean failed = false;
    Map<String, String> notRun = new LinkedHashMap<>();
    int commands = 0;
    for (String document : List.of(args).subList(1, args.length)) {
      Path folder = Path.of(args[0], document.replace('/', '-'));
      try (GuideMachine machine = GuideMachine.start(folder)) {
        GuideReader reader = new GuideReader(machine);
        reader.read(document);
        failed |= reader.failed;
        commands += reader.commands;
        notRun.putAll(reader.notRun);
      }
    }
    System.out.printf("guides: %d commands ran; not here: %s%n", commands, notRun);
    System.exit(failed ? 1 : 0);
  }

  private void read(String document) throws Exception {
    Map<String, String> known = new LinkedHashMap<>();
    known.put("HOST:PORT", "kafka:9092");
    known.put("…", "secret");
    known.put("--replication-factor 3", "--replication-factor 1");
    known.put("| kubectl apply -f -", "| grep -q 'kind: PrometheusRule'");
    try {
      if (WITH_FINDINGS.contains(document)) {
        known.putAll(machine.findSomething(running));
      }
      for (CommandBlock block : CommandBlock.of(document)) {
        type(block, known);
      }
    } finally {
      running.values().forEach(Daemon::close);
    }
  }

  private void type(CommandBlock block, Map<String, String> known) throws Exception {
    StringBuilder script = new StringBuilder();
    for (String command : block.commands()) {
      String why = elsewhere(command);
      if (why != null) {
        notRun.put(command.lines().findFirst().orElse(""), why);
        continue;
      }
      String filled = command;
      for (Map.Entry<String, String> each : known.entrySet()) {
        filled = filled.replace(each.getKey(), each.getValue());
      }
      commands++;
      Matcher stays = STAYS.matcher(filled.replace("\\\n", " "));
      if (stays.matches()) {
        run(block, script);
        start(stays.group(1), filled);
      } else {
        if (filled.contains("--delete")) {
          stop("serve"); // what is deleted is in use no more, as the document says
        }
        script.append(filled).append('\n');
        script.append("status=$?\n");
        script.append(
            FINDS.matcher(filled).matches()
                ? "[ $status -le 1 ] || exit $status\n"
                : "[ $status -eq 0 ] || exit $status\n");
      }
    }
    run(block, script);
  }

  private static @Nullable String elsewhere(String command) {
    for (Map.Entry<String, String> each : ELSEWHERE.entrySet()) {
      if (command.startsWith(each.getKey())) {
        return each.getValue();
      }
    }
    return null;
  }

  private void start(String name, String command) throws Exception {
    stop(name);
    Matcher port = PORT.matcher(command);
    int listens =
        port.find() ? Integer.parseInt(port.group(1)) : name.equals("proxy") ? 9618 : 9617;
    Daemon daemon = machine.start(listens, name, command);
    running.put(name, daemon);
    daemon.awaitOk("/readyz");
  }

  private void stop(String name) {
    Daemon before = running.remove(name);
    if (before != null) {
      before.close();
    }
  }

  private void run(CommandBlock block, StringBuilder script) throws Exception {
    if (script.isEmpty()) {
      return;
    }
    long startNs = System.nanoTime();
    Repository.Said said = machine.run(script.toString());
    System.out.printf(
        "%s: %s in %.1f s%n",
        block.place(),
        said.status() == 0 ? "ran" : "FAILED with " + said.status(),
        (System.nanoTime() - startNs) / 1e9);
    if (said.status() != 0) {
      failed = true;
      System.out.println(script + "---\n" + said.words());
    }
    script.setLength(0);
  }
}
