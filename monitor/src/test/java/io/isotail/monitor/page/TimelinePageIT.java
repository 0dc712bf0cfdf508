package io.isotail.monitor.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.status.HistoryStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.ExpectedConditions;

/** The chart of verdicts and anomalies over time. */
final class TimelinePageIT extends InBrowser {

  private static final HistoryStatus HEALTHY_TILL =
      RunningPage.history("till", Verdict.PASS, Map.of(), null);

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
    assertThat(find(".plot").getText())
        .contains("shop", "3 anomalies", "2 anomalies in 1 minute", "causal violated since", "now");
    awaitText(".timeline .caption", "1 earlier one is outside the time shown");

    new Actions(browser).moveToElement(all(".plot .bucket").get(1)).click().perform();
    awaitUrl("from=");
    wait.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector("#anomalies a"), 2));
    assertThat(find(".bucket.chosen").getDomAttribute("aria-label"))
        .endsWith("2 anomalies: 2 lost-update");
    browser.navigate().refresh();
    wait.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector("#anomalies a"), 2));
    await(".bucket.chosen");
    click("#any-time");
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
  void verdictsStandBelowTheBarsWithWhatWasChanged() throws IOException {
    page.show(
        RunningPage.history("shop", Verdict.FAIL, Map.of(AnomalyKind.LOST_UPDATE, 4L), null),
        RunningPage.history("till", Verdict.PASS, Map.of(), null),
        RunningPage.history("warehouse", Verdict.UNDECIDED, Map.of(), null));
    open("/");
    await(".plot .row");
    // At once: what is measured may be drawn anew between two questions.
    @SuppressWarnings("unchecked")
    Map<String, Object> drawn =
        (Map<String, Object>)
            browser.executeScript(
                """
                const all = (of, what) => [...of.querySelectorAll(what)];
                const right = node => node.getBoundingClientRect().right;
                const rows = all(document, '.plot .row');
                return {
                  names: rows.map(row => row.querySelector('.name').textContent),
                  verdicts: rows.map(row => all(row, '.verdict').map(v => v.classList[1]).join(' ')),
                  ends: rows.map(row => Math.round(right(all(row, '.verdict').at(-1)) - right(row.querySelector('.unwatched')))),
                  share: rows[0].querySelector('.verdict.fail').getBoundingClientRect().width
                      / rows[0].querySelector('.unwatched').getBoundingClientRect().width,
                };
                """);
    assertThat(drawn.get("names").toString())
        .isEqualTo("[shop3 anomalies, warehouseno anomaly, tillno anomaly]");
    assertThat(drawn.get("verdicts").toString())
        .isEqualTo(
            "[pass undecided pass fail, pass undecided pass undecided, pass undecided pass]");
    assertThat(drawn.get("ends").toString()).as("every track ends now").isEqualTo("[0, 0, 0]");
    assertThat((Double) drawn.get("share")).as("of an hour").isCloseTo(14 / 60.0, within(0.02));
    awaitText(".timeline .markers", "line 1, ");
    assertThat(all(".timeline .markers li")).hasSize(3);
    assertThat(all(".plot .marker")).hasSize(3);
    Screenshots.take(browser, "verdicts");

    find("select[name=history]").sendKeys("till");
    wait.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector(".plot .row"), 1));
    assertThat(find(".plot").getText()).contains("till", "causal holds since");
    page.show("the broker has not answered for 9 s", 0, HEALTHY_TILL);
    awaitText(".plot", "not watched now");
    assertCleanAndLocal();
  }

  @Test
  void moreHistoriesThanCanBeDrawnAreCounted() {
    page.show(
        IntStream.range(0, 9)
            .mapToObj(
                i ->
                    RunningPage.history(
                        "h" + i, i == 8 ? Verdict.UNDECIDED : Verdict.PASS, Map.of(), null))
            .toArray(HistoryStatus[]::new));
    open("/");
    await(".plot .row");
    assertThat(all(".plot .row")).hasSize(6);
    assertThat(find(".plot .row .name").getText()).as("in trouble").startsWith("h8");
    awaitText(".timeline .caption:last-child", "4 histories more not drawn");
  }

  @Test
  void theSpanIsChosenAndKeptInTheAddress() {
    open("/");
    await(".plot .bucket");
    click("[data-span='24h']");
    wait.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector(".plot .bucket"), 3));
    awaitUrl("span=24h");
    awaitText(".timeline .caption", "A bar is 20 minutes");
    click("[data-span=all]");
    awaitUrl("span=all");
    browser.navigate().refresh();
    await(".plot .bucket");
    assertThat(find("[aria-pressed=true]").getText()).isEqualTo("All kept");

    open("/?kind=write-skew");
    await(".plot .bucket");
    assertThat(find("[aria-pressed=true]").getText()).as("where there are some").contains("24");
  }
}
