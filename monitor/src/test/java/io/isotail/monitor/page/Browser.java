package io.isotail.monitor.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Headless Chromium, as the system has it installed. */
final class Browser {
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

  private Browser() {}

  /** Starts one; skips the test when none is installed, except under CI. */
  static ChromeDriver start() {
    if (!Files.isExecutable(CHROMIUM) || !Files.isExecutable(DRIVER)) {
      String missing =
          "Chromium is not installed; install Debian's packages chromium and chromium-driver";
      if ("true".equals(System.getenv("CI"))) {
        throw new IllegalStateException(missing);
      }
      Assumptions.abort(missing);
    }
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toString());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--no-first-run",
        "--hide-scrollbars",
        "--window-size=1280,900");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(DRIVER.toFile())
            .usingAnyFreePort()
            .build();
    return new ChromeDriver(service, options);
  }

  /** Fails if anything was written to the console, or asked of another server. */
  static void assertCleanAndLocal(ChromeDriver browser, URI own) {
    assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
        .extracting(LogEntry::getMessage)
        .isEmpty();
    for (LogEntry entry : browser.manage().logs().get(LogType.PERFORMANCE)) {
      JsonNode message = json(entry.getMessage()).path("message");
      if (message.path("method").asText().equals("Network.requestWillBeSent")) {
        String url = message.at("/params/request/url").asText();
        assertThat(url)
            .matches(
                u ->
                    u.startsWith(own.toString()) || u.startsWith("data:") || u.startsWith("blob:"));
      }
    }
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
