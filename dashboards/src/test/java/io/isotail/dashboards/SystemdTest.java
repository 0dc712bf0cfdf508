package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.cli.Main;
import io.isotail.monitor.config.MonitorConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The systemd unit starts what is built, gives it time to end, and shuts it in. */
final class SystemdTest {
  private static final String UNIT = "deploy/systemd/isotail-monitor.service";

  /** In tenths of the ten points of exposure that systemd gives at most. */
  private static final int MOST_EXPOSED = 15;

  static boolean isThere() {
    return Repository.isInstalled("systemd-analyze");
  }

  @Test
  void everyLineIsASettingOfItsSection() {
    Map<String, String> settings = settings();
    assertThat(settings)
        .containsEntry("Install.WantedBy", "multi-user.target")
        .containsEntry("Service.Restart", "on-failure")
        .containsEntry("Service.EnvironmentFile", "-/etc/isotail/environment");
    assertThat(settings.keySet()).allMatch(s -> s.matches("(Unit|Service|Install)\\.[A-Z]\\w+"));
  }

  @Test
  void itStartsTheMonitorFromTheFolderThatTheImageUsesToo() {
    String command = setting("ExecStart");
    assertThat(command).contains(" " + Main.class.getName() + " serve --config /etc/isotail/");
    String jars = "/opt/isotail/lib/*";
    assertThat(command).startsWith("/usr/bin/java $JAVA_OPTS ").contains(" -cp " + jars + " ");
    assertThat(Repository.read("deploy/Dockerfile")).contains("\"" + jars + "\"");
  }

  @Test
  void itsVariablesAreSettingsOfTheMonitor() {
    String name = "ISOTAIL_KAFKA_INSTANCE_ID";
    assertThat(setting("Environment")).contains(name + "=%H");
    MonitorConfig config = MonitorConfig.load(null, Map.of(name, "db-7.example.org"), Map.of());
    assertThat(config.kafka().instanceId()).isEqualTo("db-7.example.org");
  }

  @Test
  void itMayTakeLongerToEndThanTheMonitor() {
    int shutdownMs = MonitorConfig.of(Map.of()).shutdownMs();
    assertThat(Integer.parseInt(setting("TimeoutStopSec")) * 1000)
        .isGreaterThan(shutdownMs + 5_000);
  }

  @Test
  void theHeapLeavesRoomWithinTheMemory() {
    assertThat(setting("MemoryMax")).isEqualTo("2G");
    String heap = setting("Environment").replaceAll("(?s).*-Xmx(\\d+)m.*", "$1");
    assertThat(Integer.parseInt(heap)).isBetween(1024, 2048 * 3 / 4);
  }

  @Test
  void itHasNoPrivilegesAndCanWriteNowhere() {
    for (String hardening :
        List.of(
            "DynamicUser=yes",
            "NoNewPrivileges=yes",
            "ProtectSystem=strict",
            "ProtectHome=yes",
            "PrivateTmp=yes",
            "PrivateDevices=yes",
            "CapabilityBoundingSet=",
            "SystemCallFilter=@system-service")) {
      assertThat(Repository.read(UNIT).lines()).contains(hardening);
    }
    // It would forbid the JVM's compiler.
    assertThat(settings()).doesNotContainKey("Service.MemoryDenyWriteExecute");
  }

  @Test
  @EnabledIf(value = "isThere", disabledReason = "systemd-analyze is not installed")
  void systemdTakesTheUnitAndFindsItSafe(@TempDir Path folder) throws Exception {
    // It asks for the program, which may be elsewhere where the tests run.
    String java = ProcessHandle.current().info().command().orElse("/usr/bin/java");
    Path unit = folder.resolve("isotail-monitor.service");
    Files.writeString(unit, Repository.read(UNIT).replace("=/usr/bin/java ", "=" + java + " "));
    Repository.Said said =
        Repository.run("systemd", folder, "systemd-analyze", "verify", unit.toString());
    assertThat(said.status()).as(said.words()).isZero();
    assertThat(said.words()).doesNotContain("isotail-monitor.service:");
    Repository.Said security =
        Repository.run(
            "systemd",
            folder,
            "systemd-analyze",
            "security",
            "--offline=true",
            "--no-pager",
            "--threshold=" + MOST_EXPOSED,
            unit.toString());
    assertThat(security.status()).as(security.words()).isZero();
  }

  private static String setting(String name) {
    String value = settings().get("Service." + name);
    assertThat(value).as(name).isNotNull();
    return value;
  }

  /** By section and name; what is set more than once has a line for each. */
  private static Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    String section = "";
    for (String line : Repository.read(UNIT).lines().toList()) {
      if (line.startsWith("[")) {
        section = line.replaceAll("[\\[\\]]", "");
      } else if (!line.isBlank() && !line.startsWith("#")) {
        int equals = line.indexOf('=');
        assertThat(equals).as(line).isPositive();
        settings.merge(
            section + "." + line.substring(0, equals),
            line.substring(equals + 1),
            (before, more) -> before + "\n" + more);
      }
    }
    return settings;
  }
}
