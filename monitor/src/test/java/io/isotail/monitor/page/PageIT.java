package io.isotail.monitor.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.ExpectedConditions;

/** The page in a real browser: what it shows, and how a person gets around. */
final class PageIT extends InBrowser {

  @Test
  void anAnomalyIsListedAndItsWitnessDrawn() {
    Anomaly anomaly = SampleAnomalies.causality("c0ffee11");
    page.found(anomaly);
    page.found(SampleAnomalies.lostUpdate("beef0002", "warehouse"));
    page.repeated("c0ffee11", 7);
    page.show(
        RunningPage.history(
            "shop", Verdict.FAIL, Map.of(AnomalyKind.CAUSALITY_VIOLATION, 1L), null),
        RunningPage.history("warehouse", Verdict.UNDECIDED, Map.of(), null));

    open("/");
    WebElement row = await("[data-id=c0ffee11]");
    assertThat(row.getText()).contains("Causality violation", anomaly.explanation(), "×7");
    assertThat(all(".card")).hasSize(2);
    assertThat(find(".verdicts .fail").getText()).contains("read-atomic", "fail");
    assertThat(find(".scope").getText()).contains("Phantoms are not seen");

    row.sendKeys(Keys.ENTER);
    await("#graph svg .node");
    assertThat(browser.getCurrentUrl()).endsWith("/anomalies/c0ffee11");
    assertThat(find("#explanation").getText()).isEqualTo(anomaly.explanation());
    List<String> nodes = new ArrayList<>();
    for (WebElement node : all("#graph svg .node")) {
      nodes.add(node.getText());
    }
    assertThat(nodes).anyMatch(n -> n.contains("s1/12") && n.contains("billing"));
    assertThat(nodes).anyMatch(n -> n.contains("s2/7") && n.contains("w x=5"));
    assertThat(nodes).anyMatch(n -> n.contains("s3/31") && n.contains("r x=4"));
    assertThat(all("#graph .edge")).hasSize(2);
    assertCleanAndLocal();
  }

  @Test
  void promisedAndObservedLevelsAreExplained() {
    page.show(
        RunningPage.history("shop", Verdict.FAIL, Map.of(AnomalyKind.FRACTURED_READ, 1L), null),
        RunningPage.history("till", Verdict.PASS, Map.of(), null),
        RunningPage.history("warehouse", Verdict.UNDECIDED, Map.of(), null));
    open("/");
    await(".card");
    assertThat(all(".card .levels-words").stream().map(WebElement::getText))
        .containsExactly(
            "Promised causal · observed read-committed: read-atomic was violated, and so were the"
                + " stronger levels.",
            "Promised causal · observed read-atomic: nothing was seen violated, but causal could"
                + " not be checked in full.",
            "Promised causal · observed causal: no checked level was violated.");
    assertThat(all(".card .state").stream().map(WebElement::getText))
        .containsExactly("✗\nPromise broken", "?\nPartly undecided", "✓\nHolds so far");

    WebElement undecided = find("details.undecided:not([hidden])");
    assertThat(undecided.getText()).isEqualTo("Undecided: unknown-writer 711");
    undecided.findElement(By.tagName("summary")).click();
    assertThat(undecided.getText()).contains("Somebody writes without a proxy");
    click(".help summary");
    assertThat(find(".help").getText()).contains("the strongest level that was checked and held");
  }

  @Test
  void namesFromOutsideStayText() {
    page.found(SampleAnomalies.hostileThinAirRead("bad0"));
    page.show(RunningPage.history("<b>bold</b>", Verdict.PASS, Map.of(), null));

    open("/");
    await("[data-id=bad0]");
    assertThat(all("main b, main img")).isEmpty();
    open("/anomalies/bad0");
    await("#graph svg .node");
    assertThat(all("main img, main script")).isEmpty();
    assertThat(find("#graph .node").getText()).contains("<img src=x");
    assertThat(find(".evidence").getText()).contains("offsets 0 to 7");
    assertCleanAndLocal();
  }

  @Test
  void filtersStayInTheAddressAndLeadBackFromAWitness() {
    page.found(SampleAnomalies.causality("c1"));
    page.found(SampleAnomalies.lostUpdate("l1", "shop"));
    page.show(
        RunningPage.history(
            "shop",
            Verdict.FAIL,
            Map.of(AnomalyKind.CAUSALITY_VIOLATION, 1L, AnomalyKind.LOST_UPDATE, 1L),
            null));
    open("/");
    await("[data-id=c1]");
    wait.until(b -> all("select[name=kind] option").size() == 3);
    find("select[name=kind]").sendKeys("lost-update");
    awaitUrl("?kind=lost-update");
    wait.until(ExpectedConditions.invisibilityOfElementLocated(By.cssSelector("[data-id=c1]")));
    awaitText("#summary", "1 match the filters");

    click("[data-id=l1]");
    awaitUrl("/anomalies/l1?kind=lost-update");
    awaitText(".crumbs", "Back to the filtered list");
    await("#graph svg .node");
    press(Keys.ESCAPE);
    awaitUrl("/?kind=lost-update");
    await("[data-id=l1]");
    awaitSelected("[data-id=l1]"); // where the person was
    assertThat(all("#anomalies a")).hasSize(1);

    click("#clear");
    await("[data-id=c1]");
    assertThat(browser.getCurrentUrl()).endsWith("/");

    open("/?level=oops");
    awaitText("#anomalies", "isolation level 'oops' is unknown");
    WebElement clear = find("#anomalies button");
    long asked = timesTheListWasAsked();
    wait.until(b -> timesTheListWasAsked() > asked + 1);
    clear.click(); // the same one: what is replaced while it is pressed is not pressed
    await("[data-id=c1]");
  }

  private static long timesTheListWasAsked() {
    return (Long)
        browser.executeScript(
            "return performance.getEntriesByType('resource')"
                + ".filter(e => new URL(e.name).pathname === '/api/anomalies').length");
  }

  @Test
  void everythingIsReachedByTheKeyboard() {
    page.found(SampleAnomalies.causality("c1"));
    page.show(RunningPage.history("shop", Verdict.UNDECIDED, Map.of(), null));
    open("/");
    await("[data-id=c1]");
    press(Keys.TAB);
    assertThat(find(".skip").getLocation().x).as("skip link is shown").isPositive();
    press(Keys.ENTER);
    tabTo("details.undecided summary");
    tabTo("select[name=history]");
    tabTo("#anomalies a");
    assertThat(find("#anomalies a").getCssValue("outline-style")).isEqualTo("solid");
    press(Keys.ENTER);
    await("#graph svg .node");
    for (String selector : List.of("#alike", "#save-svg", "#graph", ".copy", ".scroll")) {
      tabTo(selector);
      assertThat(find(selector).getCssValue("outline-style")).as(selector).isEqualTo("solid");
    }
  }

  @Test
  void refreshingDoesNotDisturbWhoReads() {
    page.show(RunningPage.history("shop", Verdict.UNDECIDED, Map.of(), null));
    open("/");
    click("details.undecided summary");
    browser.executeScript(
        "window.spoken = [];"
            + "new MutationObserver(() => spoken.push(document.getElementById('announcer').textContent))"
            + ".observe(document.getElementById('announcer'), { childList: true })");
    page.show(null, 40_000, RunningPage.history("shop", Verdict.UNDECIDED, Map.of(), null));
    awaitText("#banner", "Behind by 20 s, about 800,000 transactions");
    page.show(null, 48_210, RunningPage.history("shop", Verdict.UNDECIDED, Map.of(), null));
    awaitText("#banner", "Behind by 24.1 s");
    page.show(RunningPage.history("shop", Verdict.UNDECIDED, Map.of(), null));
    awaitText("#health", "live");
    assertThat(find("details.undecided").getDomProperty("open")).isEqualTo("true");
    assertThat((List<?>) browser.executeScript("return spoken"))
        .as("told once each, whatever the numbers do")
        .hasToString("[Monitor: Behind, Monitor: live again]");
  }
}
