package io.isotail.monitor.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.ExpectedConditions;

/** The plot of anomalies over time. */
final class TimelinePageIT extends InBrowser {

  @BeforeEach
  void fill() {
    Instant now = Instant.now();
    found("day", AnomalyKind.WRITE_SKEW, now.minus(Duration.ofHours(9)));
    found("early", AnomalyKind.LONG_FORK, now.minus(Duration.ofMinutes(40)));
    found("late1", AnomalyKind.LOST_UPDATE, now.minus(Duration.ofMinutes(10)));
    found("late2", AnomalyKind.LOST_UPDATE, now.minus(Duration.ofMinutes(10)));
    page.show(RunningPage.history("shop", Verdict.FAIL, Map.of(AnomalyKind.LOST_UPDATE, 4L), null));
  }

  private void found(String id, AnomalyKind kind, Instant at) {
    page.found(SampleAnomalies.of(id, "shop", IsolationLevel.SERIALIZABLE, kind), at);
  }

  @Test
  void aBarThatIsClickedNarrowsTheList() {
    open("/");
    await(".plot .bucket");
    // The last hour has some, so it is what is shown; the older one is told of.
    assertThat(find("[aria-pressed=true]").getText()).isEqualTo("Last hour");
    assertThat(all(".plot .bucket")).hasSize(2);
    assertThat(find(".plot").getText()).contains("lost-update", "long-fork");
    awaitText(".timeline .caption", "1 earlier one is outside the time shown");

    new Actions(browser).moveToElement(all(".plot .bucket").get(1)).click().perform();
    awaitUrl("from=");
    wait.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector("#anomalies a"), 2));
    assertThat(find(".bucket.chosen").getDomAttribute("aria-label"))
        .endsWith("2 anomalies: 2 lost-update");
    browser.navigate().refresh();
    wait.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector("#anomalies a"), 2));
    await(".bucket.chosen");
    find("#any-time").click();
    wait.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector("#anomalies a"), 4));
    assertCleanAndLocal();
  }

  @Test
  void theKeyboardGoesFromBarToBar() {
    open("/");
    await(".plot .bucket");
    tabTo(".plot");
    String last = find(".bucket.active").getDomAttribute("id");
    assertThat(find(".plot").getDomAttribute("aria-activedescendant")).isEqualTo(last);
    press(Keys.ARROW_LEFT);
    press(Keys.ENTER);
    awaitUrl("from=");
    wait.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector("#anomalies a"), 1));
    assertThat(find("#anomalies a").getDomAttribute("data-id")).isEqualTo("early");
    assertThat(find(".bucket.chosen").getDomAttribute("aria-selected")).isEqualTo("true");
    press(Keys.ESCAPE);
    wait.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector("#anomalies a"), 4));
    press(Keys.END, Keys.SPACE);
    wait.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector("#anomalies a"), 2));
  }

  @Test
  void theRarestOfManyKindsShareALane() {
    for (AnomalyKind kind : AnomalyKind.values()) {
      found(kind.label(), kind, Instant.now());
    }
    page.found(
        SampleAnomalies.of(
            "other", "shop", IsolationLevel.SNAPSHOT_ISOLATION, AnomalyKind.LOST_UPDATE),
        Instant.now());
    open("/");
    await(".plot .bucket");
    assertThat(all(".plot .lane")).hasSize(6);
    assertThat(find(".plot").getText())
        .contains(
            "lost-update, serializable",
            "%d other kinds".formatted(AnomalyKind.values().length - 4))
        .doesNotContain("causality-cycle");
  }

  @Test
  void theSpanIsChosenAndKeptInTheAddress() {
    open("/");
    await(".plot .bucket");
    find("[data-span='24h']").click();
    wait.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector(".plot .bucket"), 3));
    awaitUrl("span=24h");
    awaitText(".timeline .caption", "A bar is 20 minutes");
    find("[data-span=all]").click();
    awaitUrl("span=all");
    browser.navigate().refresh();
    await(".plot .bucket");
    assertThat(find("[aria-pressed=true]").getText()).isEqualTo("All kept");

    open("/?kind=write-skew");
    await(".plot .bucket");
    assertThat(find("[aria-pressed=true]").getText()).as("where there are some").contains("24");
  }
}
