package io.isotail.monitor.page;

import io.isotail.monitor.RunningPage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A browser for the tests of a class, and a page of its own for each. */
abstract class InBrowser {
  static ChromeDriver browser;
  static WebDriverWait wait;
  RunningPage page;

  @BeforeAll
  static void openBrowser() {
    browser = Browser.start();
    wait = new WebDriverWait(browser, Duration.ofSeconds(20), Duration.ofMillis(50));
  }

  @AfterAll
  static void closeBrowser() {
    if (browser != null) {
      browser.quit();
    }
  }

  @BeforeEach
  void start() {
    page = newPage();
    browser.get(
        "about:blank"); // what the last test's page still asks for is no concern of this one
    browser.manage().logs().get(LogType.BROWSER);
    browser.manage().logs().get(LogType.PERFORMANCE);
  }

  @AfterEach
  void stop() {
    page.close();
  }

  RunningPage newPage() {
    return new RunningPage(10_000);
  }

  void open(String path) {
    browser.get(page.uri(path).toString());
  }

  static WebElement await(String selector) {
    return wait.until(ExpectedConditions.visibilityOfElementLocated(By.cssSelector(selector)));
  }

  static void awaitText(String selector, String text) {
    wait.until(ExpectedConditions.textToBePresentInElementLocated(By.cssSelector(selector), text));
  }

  static void awaitSelected(String selector) {
    wait.until(b -> browser.switchTo().activeElement().equals(find(selector)));
  }

  /**
   * Clicks as soon as it can be: a refresh may replace the element between the look and the click.
   */
  static void click(String selector) {
    wait.until(
        b -> {
          try {
            await(selector).click();
            return true;
          } catch (StaleElementReferenceException e) {
            return false;
          }
        });
  }

  static WebElement find(String selector) {
    return browser.findElement(By.cssSelector(selector));
  }

  static List<WebElement> all(String selector) {
    return browser.findElements(By.cssSelector(selector));
  }

  static void press(CharSequence... keys) {
    new Actions(browser).sendKeys(keys).perform();
  }

  /** Tabs until the element has the focus; fails when it cannot be reached so. */
  static void tabTo(String selector) {
    WebElement wanted = find(selector);
    for (int i = 0; i < 60; i++) {
      if (browser.switchTo().activeElement().equals(wanted)) {
        return;
      }
      press(Keys.TAB);
    }
    throw new AssertionError(selector + " cannot be reached by the Tab key");
  }

  static void awaitUrl(String part) {
    wait.until(ExpectedConditions.urlContains(part));
  }

  void assertCleanAndLocal() {
    Browser.assertCleanAndLocal(browser, page.uri("/"));
  }
}
