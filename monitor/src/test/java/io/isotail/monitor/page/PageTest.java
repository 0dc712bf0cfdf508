package io.isotail.monitor.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The page in a real browser. Screenshots go to {@code target/screenshots}. */
final class PageTest {
  private static final Path SCREENSHOTS = Path.of("target", "screenshots");
  private static ChromeDriver browser;
  private static WebDriverWait wait;
  private RunningPage page;

  @BeforeAll
  static void openBrowser() {
    browser = Browser.start();
    wait = new WebDriverWait(browser, Duration.ofSeconds(20));
  }

  @AfterAll
  static void closeBrowser() {
    if (browser != null) {
      browser.quit();
    }
  }

  @BeforeEach
  void start() {
    page = new RunningPage();
    browser.manage().logs().get(LogType.BROWSER);
    browser.manage().logs().get(LogType.PERFORMANCE);
  }

  @AfterEach
  void stop() {
    page.close();
  }

  @Test
  void anAnomalyIsListedAndItsWitnessDrawn() throws IOException {
    Anomaly anomaly = SampleAnomalies.causality("c0ffee11");
    page.found(anomaly);
    page.found(SampleAnomalies.lostUpdate("beef0002", "warehouse"));
    page.repeated("c0ffee11", 7);
    page.show(
        RunningPage.history(
            "shop", Verdict.FAIL, Map.of(AnomalyKind.CAUSALITY_VIOLATION, 1L), null),
        RunningPage.history("warehouse", Verdict.UNDECIDED, Map.of(), null));

    browser.get(page.uri("/").toString());
    WebElement row =
        wait.until(
            ExpectedConditions.presenceOfElementLocated(By.cssSelector("[data-id=c0ffee11]")));
    assertThat(row.getText()).contains("Causality violation", anomaly.explanation(), "×7");
    assertThat(browser.findElements(By.cssSelector(".card"))).hasSize(2);
    assertThat(browser.findElement(By.cssSelector(".verdicts .fail")).getText())
        .contains("read-atomic");
    screenshots("overview");

    row = browser.findElement(By.cssSelector("[data-id=c0ffee11]"));
    row.sendKeys(Keys.ENTER);
    wait.until(ExpectedConditions.presenceOfElementLocated(By.cssSelector("#graph svg .node")));
    assertThat(browser.getCurrentUrl()).endsWith("/anomalies/c0ffee11");
    assertThat(browser.findElement(By.id("explanation")).getText())
        .isEqualTo(anomaly.explanation());
    List<String> nodes = new ArrayList<>();
    for (WebElement node : browser.findElements(By.cssSelector("#graph svg .node"))) {
      nodes.add(node.getText());
    }
    assertThat(nodes).anyMatch(n -> n.contains("s1/12") && n.contains("billing"));
    assertThat(nodes).anyMatch(n -> n.contains("s2/7") && n.contains("w x=5"));
    assertThat(nodes).anyMatch(n -> n.contains("s3/31") && n.contains("r x=4"));
    assertThat(browser.findElements(By.cssSelector("#graph .edge.cycle"))).hasSize(2);
    assertThat(browser.findElement(By.id("command")).getText())
        .isEqualTo("deploy/isotail check --open c0ffee11.jsonl");
    screenshots("witness");
    assertCleanAndLocal();
  }

  @Test
  void namesFromOutsideStayText() {
    page.found(SampleAnomalies.hostileThinAirRead("bad0"));
    page.show(RunningPage.history("<b>bold</b>", Verdict.PASS, Map.of(), null));

    browser.get(page.uri("/").toString());
    wait.until(ExpectedConditions.presenceOfElementLocated(By.cssSelector("[data-id=bad0]")));
    assertThat(browser.findElements(By.cssSelector("main b, main img"))).isEmpty();
    browser.get(page.uri("/anomalies/bad0").toString());
    wait.until(ExpectedConditions.presenceOfElementLocated(By.cssSelector("#graph svg .node")));
    assertThat(browser.findElements(By.cssSelector("main img, main script"))).isEmpty();
    assertThat(browser.findElement(By.cssSelector("#graph .node")).getText())
        .contains("<img src=x");
    assertCleanAndLocal();
  }

  @Test
  void everyOtherStateIsShownInWords() throws IOException {
    browser.get(page.uri("/").toString());
    waitForText("#banner", "has not answered yet");
    waitForText(".cards", "No history yet");
    screenshots("empty");

    page.show(RunningPage.history("shop", Verdict.PASS, Map.of(), null));
    waitForText("#health", "live");
    waitForText("#anomalies", "None found");
    screenshots("healthy");

    page.show(null, 48_210, RunningPage.history("shop", Verdict.PASS, Map.of(), null));
    waitForText("#banner", "Behind by 24.1 s");
    screenshots("lagging");

    page.show(
        "the broker has not answered for 9 s",
        0,
        RunningPage.history(
            "shop",
            Verdict.UNDECIDED,
            Map.of(),
            "checking stopped at offset 12: IllegalStateException"));
    waitForText("#banner", "the broker has not answered");
    waitForText(".alert", "checking stopped at offset 12");
    screenshots("broken");

    browser.get(page.uri("/anomalies/none").toString());
    waitForText("main", "not among the latest");
  }

  private void waitForText(String selector, String text) {
    wait.until(ExpectedConditions.textToBePresentInElementLocated(By.cssSelector(selector), text));
  }

  private void assertCleanAndLocal() {
    Browser.assertCleanAndLocal(browser, page.uri("/"));
  }

  private static void screenshots(String name) throws IOException {
    Files.createDirectories(SCREENSHOTS);
    screenshot(name + "-light", "light", 1280, 900);
    screenshot(name + "-dark", "dark", 1280, 900);
    screenshot(name + "-narrow", "light", 390, 844);
    browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
  }

  private static void screenshot(String name, String theme, int width, int height)
      throws IOException {
    browser.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
    browser.executeScript("document.documentElement.dataset.theme = arguments[0]", theme);
    Object tall =
        browser.executeScript(
            "return document.documentElement.scrollWidth > document.documentElement.clientWidth");
    assertThat(tall).as("%s scrolls sideways", name).isEqualTo(false);
    long full =
        ((Number) browser.executeScript("return document.documentElement.scrollHeight"))
            .longValue();
    browser.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of(
            "width",
            width,
            "height",
            Math.max(height, full),
            "deviceScaleFactor",
            1,
            "mobile",
            width < 500));
    Files.write(SCREENSHOTS.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
  }
}
