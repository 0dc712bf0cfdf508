package io.isotail.monitor.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.interactions.Actions;

/** The list under more anomalies than anybody can read: it stays small, and tells how many. */
final class FloodPageIT extends InBrowser {
  private static final int SIZE = 10_400;

  @Test
  void aFloodIsReadPageByPage() {
    page.show(
        RunningPage.history(
            "shop", Verdict.FAIL, Map.of(AnomalyKind.CAUSALITY_VIOLATION, (long) SIZE), null));
    Flood.fill(page, SIZE);
    open("/");
    await("[data-id=f10399]");
    awaitText("#summary", "10,400 seen, the latest 10,000 are kept");
    awaitText("#found", "10,400 distinct");
    awaitText(".pages", "1 to 10 of 10,000");
    assertThat(all("main *").size()).as("elements").isLessThan(1_500);

    click("[data-turn=older]");
    awaitText(".pages", "11 to 20 of 10,000");
    await("[data-id=f10389]");
    awaitUrl("before=f10390");
    // New ones do not move what is read.
    page.found(SampleAnomalies.causality("new"));
    awaitText(".pages", "12 to 21 of 10,000");
    assertThat(all("[data-id=f10389]")).hasSize(1);

    browser.navigate().refresh();
    await("[data-id=f10389]");
    click("[data-turn=newer]");
    awaitText(".pages", "2 to 11 of 10,000");
    click("[data-turn=newer]");
    await("[data-id=new]");
    click("[data-turn=older]");
    awaitUrl("before=");
    browser.navigate().back();
    await("[data-id=new]");

    open("/?kind=fractured-read&before=f400");
    awaitText("#anomalies", "What was here is not kept any more");
    click("#anomalies button");
    awaitText(".pages", "1 to 10 of 999");
    assertThat(all("#anomalies a")).hasSize(10);
    assertCleanAndLocal();
  }

  @Test
  void rowsDoNotMoveUnderThePointer() {
    page.found(SampleAnomalies.causality("c1"));
    page.show(
        RunningPage.history(
            "shop", Verdict.FAIL, Map.of(AnomalyKind.CAUSALITY_VIOLATION, 3L), null));
    open("/");
    new Actions(browser).moveToElement(await("[data-id=c1]")).perform();
    page.found(SampleAnomalies.causality("c2"));
    page.found(SampleAnomalies.causality("c3"));
    awaitText("#news", "2 newer: show");
    assertThat(all("#anomalies a")).hasSize(1);
    find("#news").sendKeys(Keys.ENTER);
    await("[data-id=c3]");
    assertThat(find("#news").isDisplayed()).isFalse();
  }
}
