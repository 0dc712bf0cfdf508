package io.isotail.monitor.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.cause.CausePart;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.cause.Fault;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.verdict.Moment;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.interactions.Actions;

/** Views with nothing, little and much in them, on a desk, a tablet and a phone. */
final class SizesPageIT extends InBrowser {
  /** However many causes there are, in the narrowest size. */
  private static final int MAX_HEIGHT_PX = 7_500;

  private static final AnomalyKind[] KINDS = {
    AnomalyKind.LOST_UPDATE, AnomalyKind.WRITE_SKEW, AnomalyKind.READ_SKEW, AnomalyKind.LONG_FORK
  };

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 17, 300})
  void anOverviewOf(int incidents) throws IOException {
    for (int i = 0; i < incidents; i++) {
      page.caused(cause(i, 1 + 300 / (i + 1)));
      page.found(
          SampleAnomalies.of("a" + i, history(i), IsolationLevel.SNAPSHOT_ISOLATION, kind(i)),
          Instant.now().minus(Duration.ofMinutes(i % 50)));
    }
    page.show(
        RunningPage.history(
            "shop",
            incidents == 0 ? Verdict.PASS : Verdict.FAIL,
            incidents == 0 ? Map.of() : Map.of(AnomalyKind.LOST_UPDATE, (long) incidents),
            null),
        RunningPage.history("till", Verdict.PASS, Map.of(), null));
    open("/");
    awaitText("#health", "live");
    await(".plot .verdict");
    wait.until(b -> all(".incidents li").size() == Math.min(incidents, 10));
    Screenshots.takeInAllSizes(browser, "overview-%d".formatted(incidents));
    assertThat(all("#anomalies a")).hasSizeLessThanOrEqualTo(10);
    assertThat(
            ((Number) browser.executeScript("return document.documentElement.scrollHeight"))
                .intValue())
        .isLessThan(MAX_HEIGHT_PX);
    assertCleanAndLocal();
  }

  @Test
  void sevenLevelsStandOnAPhoneToo() throws IOException {
    page.show(RunningPage.historyOfAllLevels("shop"));
    open("/");
    await(".plot .verdict");
    assertThat(all(".verdicts li")).hasSize(7);
    Screenshots.takeInAllSizes(browser, "seven-levels");
    assertCleanAndLocal();
  }

  @Test
  void aCauseItsIncidentAndItsProof() throws IOException {
    page.found(SampleAnomalies.lostUpdateWithTimes("l1", "shop"));
    page.caused(SampleAnomalies.cause("shop", "l1"));
    page.show(RunningPage.history("shop", Verdict.FAIL, Map.of(AnomalyKind.LOST_UPDATE, 1L), null));
    open("/causes/" + SampleAnomalies.CAUSE);
    await(".conflicts .missed");
    Screenshots.takeInAllSizes(browser, "cause");
    open("/incidents/" + SampleAnomalies.INCIDENT);
    awaitText("h1", "An update was lost in POST /pay of billing: promised snapshot-isolation");
    assertThat(find(".what").getText()).contains("lost-update");
    Screenshots.takeInAllSizes(browser, "incident");
    open("/anomalies/l1");
    await("#graph svg .node");
    Screenshots.takeInAllSizes(browser, "proof");
    assertCleanAndLocal();
  }

  @Test
  void onAPhoneTheDrawingFitsAndArrowsLeadToWhatWasMissed() {
    page.found(SampleAnomalies.lostUpdateWithTimes("l1", "shop"));
    page.show(RunningPage.history("shop", Verdict.FAIL, Map.of(AnomalyKind.LOST_UPDATE, 1L), null));
    Screenshots.inSize(
        browser,
        390,
        () -> {
          open("/anomalies/l1");
          await("#graph svg .node");
          assertThat(
                  browser.executeScript(
                      "const g = document.getElementById('graph');"
                          + " return g.scrollWidth - g.clientWidth;"))
              .isEqualTo(0L);
          assertThat(all("#graph .edge")).hasSize(2);
          assertThat(all(".conflicts .missed")).hasSize(1);
          assertThat(find(".conflicts .missed").getRect().height)
              .as("from one box to the other")
              .isGreaterThan(100);
          assertThat(find(".arrow-note").isDisplayed()).isTrue();
        });
    wait.until(
        b ->
            all("#graph .node rect").size() == 2
                && all("#graph .node rect").get(0).getRect().x
                    < all("#graph .node rect").get(1).getRect().x);
    assertCleanAndLocal();
  }

  @Test
  void incidentsDoNotMoveUnderThePointer() {
    for (int i = 0; i < 17; i++) {
      page.caused(cause(i, 17 - i));
    }
    page.show(RunningPage.history("shop", Verdict.FAIL, Map.of(AnomalyKind.LOST_UPDATE, 1L), null));
    open("/");
    wait.until(b -> all(".incidents li").size() == 10);
    List<String> before = links();
    new Actions(browser).moveToElement(all(".incidents a").get(2)).perform();
    page.caused(cause(5, 100_000));
    awaitText(".incidents", "100,000 of");
    assertThat(links()).isEqualTo(before);
    new Actions(browser).moveToElement(find("#answers")).perform();
    wait.until(b -> !links().equals(before));
    List<String> after = new ArrayList<>(before);
    after.add(0, after.remove(5));
    assertThat(links()).isEqualTo(after);
  }

  private static List<String> links() {
    List<?> links =
        (List<?>)
            browser.executeScript(
                "return [...document.querySelectorAll('.incidents a')].map(a => a.getAttribute('href'));");
    return links.stream().map(Object::toString).toList();
  }

  private static AnomalyKind kind(int number) {
    return KINDS[number % KINDS.length];
  }

  private static String history(int number) {
    return number % 3 == 2 ? "till" : "shop";
  }

  /** One of an incident of its own, that goes on. */
  private static CauseReport cause(int number, long violations) {
    long nowMs = System.currentTimeMillis();
    String table = "a_table_of_the_shop_" + number;
    return new CauseReport(
        "%016x".formatted(0xca_00_00 + number),
        history(number),
        "%016x".formatted(0x1c_00_00 + number),
        1 + number % 20,
        IsolationLevel.SNAPSHOT_ISOLATION,
        kind(number),
        List.of(
            new CausePart(
                table,
                "SELECT amount FROM %s WHERE item = ?".formatted(table),
                "warehouse",
                "/stocktake/" + number)),
        List.of("postgresql:read-committed"),
        Fault.APPLICATION,
        new Moment(40, nowMs - 600_000 - number),
        new Moment(42, nowMs),
        violations,
        violations,
        1,
        "a" + number,
        2,
        "a" + number,
        new CauseReport.Timeline(nowMs - 600_000, 60_000, List.of(1L, 0L, violations)));
  }
}
