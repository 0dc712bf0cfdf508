package io.isotail.monitor.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.EventLog;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.service.MonitorService;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** From records on a real broker through the real checker to a real browser. */
final class EndToEndPageIT {

  @Test
  void whatTheCheckerFindsOnTheLogIsDrawnOnThePageAndFoundAgainByItsCommand(@TempDir Path folder)
      throws Exception {
    ConcurrentLinkedQueue<Anomaly> heard = new ConcurrentLinkedQueue<>();
    ChromeDriver browser = Browser.start();
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        MonitorService monitor =
            MonitorService.start(
                MonitorConfig.of(
                    Map.of(
                        "kafka.bootstrap",
                        kafka.bootstrapServers(),
                        "http.port",
                        "0",
                        "defaults.unique-versions",
                        "true")),
                heard::add)) {
      WebDriverWait wait = new WebDriverWait(browser, Duration.ofSeconds(20));
      browser.get(monitor.address() + "/");
      wait.until(
          ExpectedConditions.textToBePresentInElementLocated(
              By.cssSelector(".cards"), "No history yet"));
      try (EventLog log = new EventLog(kafka.bootstrapServers(), "isotail.events", "shop")) {
        assertThat(monitor.awaitCaughtUp(Duration.ofSeconds(30))).isTrue();
        log.commitAnomaly(1);
      }
      // No reload: the open page shows it by itself.
      WebElement row =
          wait.until(
              ExpectedConditions.elementToBeClickable(By.cssSelector("#anomalies a[data-id]")));
      Anomaly anomaly = heard.element();
      assertThat(row.getText()).contains(anomaly.explanation());

      row.click();
      wait.until(ExpectedConditions.presenceOfElementLocated(By.cssSelector("#graph svg .node")));
      List<String> nodes =
          browser.findElements(By.cssSelector("#graph svg .node")).stream()
              .map(WebElement::getText)
              .toList();
      for (CapsuleTransaction transaction : anomaly.capsule()) {
        assertThat(nodes).anyMatch(n -> n.contains(transaction.name()));
      }
      assertThat(browser.findElements(By.cssSelector("#graph .edge")))
          .hasSize(anomaly.cycle().size());
      assertThat(browser.findElement(By.id("explanation")).getText())
          .isEqualTo(anomaly.explanation());
      assertThat(browser.findElements(By.cssSelector(".lane-box")))
          .hasSize(anomaly.capsule().size());
      assertFoundAgain(folder, browser.findElement(By.id("command")).getText(), anomaly);
      Screenshots.take(browser, "end-to-end");
      Browser.assertCleanAndLocal(browser, monitor.address());
    } finally {
      browser.quit();
    }
  }

  /** Runs the command as a person does who pasted it, with the launcher replaced by this JVM's. */
  private static void assertFoundAgain(Path folder, String command, Anomaly anomaly)
      throws Exception {
    Path launcher = Files.createDirectories(folder.resolve("deploy")).resolve("isotail");
    Files.writeString(
        launcher,
        "#!/bin/sh\nexec '%s' -cp '%s' io.isotail.monitor.cli.Main \"$@\"\n"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path")));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    Path output = folder.resolve("output.txt");
    Process process =
        new ProcessBuilder("sh", "-c", command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output)
        .content()
        .contains(anomaly.kind().label(), "violates " + anomaly.level().label());
    assertThat(process.exitValue()).isEqualTo(1);
  }
}
