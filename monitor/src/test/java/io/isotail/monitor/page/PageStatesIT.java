package io.isotail.monitor.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.status.MonitorStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/**
 * Every state that the page can be in, told apart in words. Screenshots of each go to {@code
 * target/screenshots}.
 */
final class PageStatesIT extends InBrowser {
  private static final HistoryStatus HEALTHY =
      RunningPage.history("shop", Verdict.PASS, Map.of(), null);

  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

  @Test
  void nothingIsThereYet() throws IOException {
    open("/");
    awaitText("#health", "connecting");
    awaitText("#banner", "Connecting: the broker has not answered yet");
    awaitText(".cards", "No history yet");
    awaitText(".cards", "The monitor does not read the log");
    Screenshots.take(browser, "connecting");

    page.show();
    awaitText("#health", "live");
    awaitText(".cards", "What to do next");
    assertThat(find("#banner").isDisplayed()).isFalse();
    Screenshots.take(browser, "empty");
    assertCleanAndLocal();
  }

  @Test
  void sinceWhenThereIsNoConnectionIsWhatTheMonitorSays() throws IOException {
    page.show(HEALTHY);
    Duration ago = Duration.ofMinutes(7);
    LocalTime earliest = LocalTime.now().minus(ago);
    page.show(MonitorStatus.Phase.CONNECTING, "kafka: db:9092 refuses", ago);
    LocalTime latest = LocalTime.now().minus(ago);
    open("/");
    awaitText("#health", "no connection");
    Matcher since =
        Pattern.compile("No connection to the log since .*(\\d\\d:\\d\\d:\\d\\d): kafka: db:9092")
            .matcher(find("#banner").getText());
    assertThat(since.find()).as(find("#banner").getText()).isTrue();
    assertThat(since.group(1)).isIn(earliest.format(CLOCK), latest.format(CLOCK));
    Screenshots.take(browser, "no-connection");

    page.show(MonitorStatus.Phase.RUNNING, null);
    awaitText("#health", "live");
    page.show(MonitorStatus.Phase.CONNECTING, "kafka: db:9092 refuses");
    awaitText("#banner", "Connecting: kafka: db:9092 refuses");
    assertCleanAndLocal();
  }

  @Test
  void allIsWell() throws IOException {
    page.show(HEALTHY);
    open("/");
    awaitText("#health", "live");
    awaitText(".card .state", "Holds so far");
    awaitText("#anomalies", "None found");
    click(".help summary");
    Screenshots.take(browser, "healthy");
    assertCleanAndLocal();
  }

  @Test
  void whatIsNotCapturedIsListedWorstFirst() throws IOException {
    page.show(RunningPage.historyNotCaptured("shop", true));
    open("/");
    awaitText(".card dl", "90 %");
    awaitText(".not-captured summary", "Not captured: 100 of 1,000 statements, 500,000 reads");
    click(".not-captured summary");
    assertThat(all(".not-captured tbody tr td:first-child"))
        .extracting(WebElement::getText)
        .containsExactly("select count(*) from orders", "truncate <b>carts</b>");
    awaitText(".not-captured tbody tr:first-child", "an aggregate, a grouping");
    awaitText(".not-captured tbody tr:nth-child(2)", "TRUNCATE, COPY");
    Screenshots.take(browser, "not-captured");
    assertCleanAndLocal();
  }

  @Test
  void nothingIsCaptured() {
    page.show(RunningPage.historyNotCaptured("shop", false));
    open("/");
    awaitText(".card dl", "nothing captured");
    awaitText(".card .state", "Nothing captured");
    assertThat(find(".not-captured").isDisplayed()).isFalse();
    assertCleanAndLocal();
  }

  @Test
  void oneAnomalyAndItsWitness() throws IOException {
    page.found(SampleAnomalies.causality("c0ffee11"), Instant.now().minusSeconds(600));
    page.repeated("c0ffee11", 7);
    page.show(
        RunningPage.history(
            "shop", Verdict.FAIL, Map.of(AnomalyKind.CAUSALITY_VIOLATION, 1L), null),
        RunningPage.history("warehouse", Verdict.UNDECIDED, Map.of(), null));
    open("/");
    await(".plot .bucket");
    awaitText(".card.bad .state", "Promise broken");
    awaitText("#tally", "1 promise broken, 1 partly undecided");
    Screenshots.take(browser, "anomaly");

    click("[data-id=c0ffee11]");
    await("#graph svg .node");
    Screenshots.take(browser, "witness");
    assertCleanAndLocal();
  }

  @Test
  void aCauseAndWhatToDoAboutIt() throws IOException {
    page.found(SampleAnomalies.lostUpdate("c0ffee22", "shop"), Instant.now().minusSeconds(60));
    page.caused(SampleAnomalies.cause("shop", "c0ffee22"));
    page.show(
        RunningPage.history("shop", Verdict.FAIL, Map.of(AnomalyKind.LOST_UPDATE, 1_310L), null));
    open("/");
    awaitText(".causes", "An update was lost on account by billing in POST /pay");
    awaitText(".causes", "1,204 transactions, the first");
    awaitText(".causes", "1,310 violations");
    Screenshots.take(browser, "causes");
    click(".causes a");
    awaitText("h1", "An update was lost on account by billing in POST /pay");
    awaitText(
        ".lead", "The database is right: these transactions ran at postgresql:read-committed");
    awaitText(".why", "add FOR UPDATE to SELECT balance FROM account WHERE id = ?");
    awaitText("dl.facts", "1,310, 8 proven");
    Screenshots.take(browser, "cause");
    click("a[href='/anomalies/c0ffee22']");
    await("#graph svg .node");
    click("#cause");
    awaitText("h1", "An update was lost");
    open("/causes/unknown");
    awaitText(".notice", "This cause is not known here");
    Screenshots.take(browser, "cause-unknown");
  }

  @Test
  void aFlood() throws IOException {
    Flood.fill(page, 10_400);
    page.show(
        RunningPage.history(
            "shop", Verdict.FAIL, Map.of(AnomalyKind.CAUSALITY_VIOLATION, 10_400L), null));
    open("/");
    await(".plot .bucket");
    awaitText(".pages", "of 10,000");
    Screenshots.take(browser, "flood");
    open("/?kind=session-guarantee-violation&history=shop");
    await(".plot .bucket");
    press(Keys.TAB);
    tabTo(".plot");
    press(Keys.ENTER);
    await(".bucket.chosen");
    awaitText(".narrowed", "Listed: from");
    Screenshots.take(browser, "flood-narrowed");
    assertCleanAndLocal();
  }

  @Test
  void checkingIsBehind() throws IOException {
    page.show(null, 48_210, HEALTHY);
    open("/");
    awaitText("#health", "behind");
    awaitText("#banner", "Behind by 24.1 s, about 964,200 transactions");
    Screenshots.take(browser, "lagging");
    assertCleanAndLocal();
  }

  @Test
  void recordsWereLostAndProxiesFellSilent() throws IOException {
    page.show(RunningPage.historyWithGap("shop", 1_204));
    open("/");
    awaitText(".notices", "Gap: 1,204 records lost");
    awaitText(".notices", "Silent: 2 proxies fell silent");
    click("details.undecided summary");
    awaitText(".meanings", "Records were lost");
    Screenshots.take(browser, "gap");
    assertCleanAndLocal();
  }

  @Test
  void levelsAreShedAndAnAnomalyIsLongAgo() throws IOException {
    page.show(RunningPage.historyShed("shop"), RunningPage.historyBrokenEarlier("warehouse"));
    open("/");
    awaitText(
        ".card:nth-child(2) .notices", "Levels shed: only levels up to causal are checked for now");
    awaitText("#tally", "1 broken earlier, 1 partly undecided");
    assertThat(all(".card").get(0).getText())
        .contains("Broken earlier")
        .contains("observed causal: a level was violated earlier");
    Screenshots.take(browser, "shed");
    assertCleanAndLocal();
  }

  @Test
  void theBrokerIsAway() throws IOException {
    page.show("the broker has not answered for 9 s", 0, HEALTHY);
    open("/");
    awaitText("#health", "not reading");
    awaitText(".card .state", "Last known: holds so far");
    awaitText("#tally", "last known: 1 holds so far");
    awaitText(".strip", "unknown"); // how far behind it is, nobody can tell
    awaitText("#banner", "Not reading the log: the broker has not answered for 9 s");
    Screenshots.take(browser, "broker-away");
    assertCleanAndLocal();
  }

  @Test
  void severalMonitorsShareTheHistories() throws IOException {
    page.hear(
        RunningPage.peer(
            "monitor-1", null, RunningPage.history("orders", Verdict.PASS, Map.of(), null)));
    page.show(HEALTHY);
    open("/");
    awaitText("#health", "live");
    awaitText(".strip", "2, all reading the log");
    awaitText("#tally", "2 holds so far");
    assertThat(all(".card .checked-by"))
        .extracting(WebElement::getText)
        .containsExactly("Checked by monitor-1", "Checked by monitor-0");
    Screenshots.take(browser, "several-monitors");

    page.hear(
        RunningPage.peer(
            "monitor-2",
            "the broker has not answered for 9 s",
            RunningPage.history("warehouse", Verdict.PASS, Map.of(), null)));
    page.show(HEALTHY);
    awaitText(".strip", "3, 1 not reading the log");
    awaitText("#banner", "monitor-2 (the broker has not answered for 9 s)");
    awaitText(".card.idle .state", "Last known: holds so far");
    assertThat(find(".card.idle h3").getText()).isEqualTo("warehouse");
    Screenshots.take(browser, "one-monitor-away");
    assertCleanAndLocal();
  }

  @Test
  void aHistoryIsQuarantined() throws IOException {
    page.show(
        HEALTHY,
        RunningPage.history(
            "warehouse",
            Verdict.UNDECIDED,
            Map.of(),
            "checking stopped at offset 12: java.lang.IllegalStateException: version 7 of a key"
                + " that is not in the window"));
    open("/");
    awaitText("#health", "history stopped");
    awaitText("#banner", "Checking has stopped of warehouse. Other histories go on.");
    awaitText(".card.stopped .state", "Checking stopped");
    awaitText(".card.stopped .notices", "checking stopped at offset 12");
    assertThat(all(".card").get(0).getText()).as("first what is in trouble").contains("warehouse");
    Screenshots.take(browser, "quarantined");
    assertCleanAndLocal();
  }

  @Test
  void theMonitorIsStopping() {
    page.show(MonitorStatus.Phase.STOPPED, "it was told to stop");
    open("/");
    awaitText("#health", "stopped");
    awaitText("#banner", "Stopped: it was told to stop. Nothing is checked any more.");
  }

  @Test
  void theMonitorDoesNotAnswer() throws IOException {
    page.show(HEALTHY);
    open("/");
    awaitText("#health", "live");
    Browser.assertCleanAndLocal(browser, page.uri("/"));
    page.close();
    awaitText("#health", "no answer");
    awaitText("#banner", "No answer from the monitor since ");
    awaitText("#banner", "What is shown is from then");
    awaitText(".strip", "no answer");
    awaitText(".card .state", "Last known: holds so far");
    awaitText("#tally", "last known: 1 holds so far");
    assertThat(find(".card h3").getText()).as("it stays").isEqualTo("shop");
    Screenshots.take(browser, "unreachable");
    assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
        .extracting(LogEntry::getMessage)
        .allMatch(m -> m.contains("ERR_CONNECTION_REFUSED"));
  }

  @Test
  void anAnomalyIsNotKept() throws IOException {
    page.found(SampleAnomalies.lostUpdate("kept", "shop"), Instant.now().minus(Duration.ofDays(3)));
    page.show(HEALTHY);
    open("/anomalies/0123456789abcdef");
    awaitText("main h1", "This anomaly is not kept here");
    Screenshots.take(browser, "not-kept");
  }
}
