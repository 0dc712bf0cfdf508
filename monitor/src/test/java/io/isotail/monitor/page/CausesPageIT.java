package io.isotail.monitor.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.store.CauseStore;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.ExpectedConditions;

/** The causes on the overview, what is decided about them, and the answers above them. */
final class CausesPageIT extends InBrowser {
  /** What a first look at the overview may take over the network. */
  private static final int MAX_FIRST_LOAD_BYTES = 200_000;

  @Test
  void theFourAnswersComeFirst() throws IOException {
    page.show(RunningPage.history("shop", Verdict.PASS, Map.of(), null));
    open("/");
    awaitText("#answers", "Is anything broken now?\nNo: what was checked holds");
    awaitText("#answers", "Which causes?\nNone known");
    awaitText("#answers", "Is the monitor well?\nYes: it reads the log and keeps up");

    page.caused(SampleAnomalies.cause("shop", "l1"));
    page.show(
        RunningPage.history("shop", Verdict.FAIL, Map.of(AnomalyKind.LOST_UPDATE, 1L), null),
        RunningPage.historyNotCaptured("carts", true));
    awaitText("#answers", "Is anything broken now?\nYes: shop");
    awaitText("#answers", "Which causes?\n1 cause, which struck last ");
    awaitText(
        "#answers", "90 % of the reads of carts, no less elsewhere; 100 statements not captured");
    Screenshots.take(browser, "answers");

    page.show("the broker has not answered for 9 s", 0);
    awaitText("#answers", "Is the monitor well?\nNo: it does not read the log");
    page.show(
        RunningPage.history("shop", Verdict.UNDECIDED, Map.of(), "checking stopped at offset 12"));
    awaitText("#answers", "Is anything broken now?\nNot known of shop, which is not read now");
    assertCleanAndLocal();
    page.close();
    awaitText("#answers", "Not known: the monitor does not answer");
  }

  @Test
  void anIncidentIsListedWithItsCausesBeneath() throws IOException {
    page.caused(SampleAnomalies.cause("shop", "l1"));
    page.show(RunningPage.history("shop", Verdict.FAIL, Map.of(AnomalyKind.LOST_UPDATE, 1L), null));
    open("/");
    click(".incidents a[href='/incidents/" + SampleAnomalies.INCIDENT + "']");
    await("#h-causes");
    assertThat(find("h1").getText()).isNotBlank();
    assertThat(all("main a[href^='/causes/']")).hasSize(1);
    await("figure .chart rect");
    awaitText(".markers", "before it, ");
    awaitText(".markers", "(60 s earlier): shop 1.42");
    awaitText(".markers", ": checked up to causal");
    assertThat(all("figure .chart .marker")).as("changes in the time shown").hasSize(1);
    Screenshots.take(browser, "incident");
    assertCleanAndLocal();
  }

  @Test
  void causesAreNarrowedByTableServiceAndStatement() throws IOException {
    page.caused(SampleAnomalies.cause("1111111111111111", "shop", "l1", "account", "billing"));
    page.caused(SampleAnomalies.cause("2222222222222222", "shop", "l2", "orders", "checkout"));
    page.found(SampleAnomalies.lostUpdate("l2", "shop"));
    page.show(RunningPage.history("shop", Verdict.PASS, Map.of(), null));
    open("/");
    await(".causes a[href='/causes/1111111111111111']");
    assertThat(all(".causes a")).hasSize(2);
    find("input[name=table]").sendKeys("orders", Keys.ENTER);
    awaitUrl("/?table=orders");
    wait.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector(".causes a"), 1));
    awaitText("#causes", "1 cause matches these filters");
    awaitText("#answers", "1 cause matches the filters");
    Screenshots.take(browser, "causes-narrowed");

    click(".causes a");
    awaitUrl("/causes/2222222222222222?table=orders");
    press(Keys.ESCAPE);
    awaitUrl("/?table=orders");
    wait.until(
        ExpectedConditions.attributeToBe(By.cssSelector("input[name=table]"), "value", "orders"));
    find("input[name=service]").sendKeys("billing", Keys.ENTER);
    awaitUrl("/?table=orders&service=billing");
    awaitText("#causes", "No cause matches these filters");
    Screenshots.take(browser, "causes-none-match");
    click("#all-causes");
    wait.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector(".causes a"), 2));
    assertThat(browser.getCurrentUrl()).endsWith("/");

    open("/?statement=update+account");
    wait.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector(".causes a"), 1));
    awaitText(".causes", "on account by billing");
    assertCleanAndLocal();
  }

  @Test
  void aCauseIsAcknowledgedMutedAndTakenBack() throws IOException {
    try (RunningPage guarded =
        new RunningPage(
            Map.of("http.port", "0", "http.user", "ops", "http.password", "secret"),
            HttpClient.newHttpClient())) {
      guarded.found(SampleAnomalies.lostUpdateWithTimes("l1", "shop"));
      guarded.caused(SampleAnomalies.cause("shop", "l1"));
      guarded.show(RunningPage.history("shop", Verdict.PASS, Map.of(), null));
      String own = guarded.uri("/").toString();
      browser.get(own.replace("//", "//ops:secret@") + "causes/" + SampleAnomalies.CAUSE);
      awaitText("[aria-labelledby=h-decision]", "Nobody has said so yet");
      await(".lane-box");
      find("input[name=note]").sendKeys("looking <b>into</b> it");
      find("input[name=link]").sendKeys("https://issues.example/7");
      choose("Acknowledge");
      awaitText("[aria-labelledby=h-decision]", "acknowledged by ops");
      awaitText("[aria-labelledby=h-decision]", "looking <b>into</b> it");
      awaitText("#announcer", "This cause is acknowledged now");
      Screenshots.take(browser, "cause-acknowledged");
      press(Keys.ESCAPE);
      awaitText(".causes .decided", "acknowledged");
      awaitText("#answers", "somebody sees to 1");
      Screenshots.take(browser, "causes-acknowledged");

      click(".causes a");
      awaitText("[aria-labelledby=h-decision]", "acknowledged by ops");
      choose("Mute for");
      awaitText("[aria-labelledby=h-decision]", "muted until ");
      awaitText("[aria-labelledby=h-decision]", "It is counted, and does not page");
      Screenshots.take(browser, "cause-muted");
      press(Keys.ESCAPE);
      awaitText(".causes .decided", "muted until ");
      Screenshots.take(browser, "causes-muted");

      click(".causes a");
      awaitText("[aria-labelledby=h-decision]", "muted until ");
      choose("Take it back");
      awaitText("[aria-labelledby=h-decision]", "Nobody has said so yet");
      press(Keys.ESCAPE);
      await(".causes a");
      assertThat(all(".causes .decided")).isEmpty();
    }
  }

  @Test
  void whoCannotDecideIsToldWhy() {
    page.caused(SampleAnomalies.cause("shop", "gone"));
    page.show(RunningPage.history("shop", Verdict.PASS, Map.of(), null));
    open("/causes/" + SampleAnomalies.CAUSE);
    awaitText("h1", "An update was lost");
    assertThat(find("[aria-labelledby=h-decision]").isDisplayed()).isFalse();
    awaitText("main", "Its simplest proof is not kept any more");
  }

  @Test
  void aCauseThatIsBeingReadStaysWhenItIsNotKeptAnyMore() throws IOException {
    page.found(SampleAnomalies.lostUpdateWithTimes("l1", "shop"));
    page.caused(SampleAnomalies.cause("shop", "l1"));
    page.show(RunningPage.history("shop", Verdict.PASS, Map.of(), null));
    open("/causes/" + SampleAnomalies.CAUSE);
    await(".lane-box");
    for (int i = 1; i <= CauseStore.MAX_OF_HISTORY; i++) {
      page.caused(SampleAnomalies.cause("%016x".formatted(i), "shop", "l1", "orders", "checkout"));
    }
    awaitText("main .alert", "This cause is not known by the monitor any more");
    assertThat(find("h1").getText()).startsWith("An update was lost on account");
    Screenshots.take(browser, "cause-gone");
    open("/causes/" + SampleAnomalies.CAUSE);
    awaitText(".notice", "it is so old that the anomalies topic has deleted it");
  }

  @Test
  void whatOnlyTheTopicHasIsAskedForAgainUntilItCanBeRead() throws IOException {
    page.show(RunningPage.history("shop", Verdict.PASS, Map.of(), null));
    page.topicAway(true);
    open("/causes/" + SampleAnomalies.CAUSE);
    awaitText(".notice", "The cause could not be loaded");
    awaitText(".notice", "the anomalies topic cannot be read now");
    Screenshots.take(browser, "cause-topic-away");
    page.caused(SampleAnomalies.cause("shop", "l1"));
    awaitText("h1", "An update was lost on account");

    open("/anomalies/l1");
    awaitText(".notice", "The anomaly could not be loaded");
    Screenshots.take(browser, "witness-topic-away");
    page.topicAway(false);
    awaitText(".notice", "This anomaly is not kept here");
    open("/causes/" + SampleAnomalies.CAUSE);
    awaitText("main", "Its simplest proof is not kept any more");
  }

  @Test
  void twentyCausesLoadInLittle() {
    for (int i = 0; i < 25; i++) {
      page.caused(
          SampleAnomalies.cause(
              "%016x".formatted(i + 1), "shop", "l1", "a_table_of_the_shop_" + i, "service-" + i));
    }
    page.show(RunningPage.history("shop", Verdict.PASS, Map.of(), null));
    open("/");
    wait.until(ExpectedConditions.numberOfElementsToBe(By.cssSelector(".causes a"), 20));
    awaitText("#causes", "and 5 causes more");
    long bytes =
        ((Number)
                browser.executeScript(
                    """
                    const first = new Map();
                    for (const e of [...performance.getEntriesByType('navigation'),
                        ...performance.getEntriesByType('resource')]) {
                      if (!first.has(e.name)) first.set(e.name, e.transferSize);
                    }
                    return [...first.values()].reduce((all, n) => all + n, 0);
                    """))
            .longValue();
    assertThat(bytes).isBetween(20_000L, (long) MAX_FIRST_LOAD_BYTES);
  }

  private static void choose(String words) {
    for (WebElement button : all("button")) {
      if (button.getText().equals(words)) {
        button.click();
        return;
      }
    }
    throw new AssertionError("no button " + words);
  }
}
