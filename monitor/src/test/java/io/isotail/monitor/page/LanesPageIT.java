package io.isotail.monitor.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** What ran beside what: the lanes of a witness, and what else its page says first. */
final class LanesPageIT extends InBrowser {
  @Test
  void twoSessionsRunBesideEachOther() throws IOException {
    page.found(SampleAnomalies.lostUpdateWithTimes("l1", "shop"));
    page.caused(SampleAnomalies.cause("shop", "l1"));
    showBroken();
    open("/anomalies/l1");
    await("#graph svg .node");
    assertThat(all(".lane-box h3"))
        .extracting(WebElement::getText)
        .containsExactly("s1/3 billing · pid 4711", "s2/9 billing · pid 4712");
    WebElement first = all(".lane-box").get(0);
    assertThat(first.getText())
        .containsPattern("begin \\d\\d:13:20\\.000000")
        .contains(
            "reads account[balance]=7", "SELECT id, balance, version FROM account WHERE id = ?")
        .contains("writes account[balance]=41")
        .containsPattern("commit \\d\\d:13:20\\.003200, after 3\\.2 ms")
        .contains("ran beside s2/9");
    assertThat(all(".instant")).extracting(WebElement::getText).element(1).isEqualTo("+1.25 ms");
    WebElement second = all(".lane-box").get(1);
    assertThat(second.getRect().x).as("a lane of its own").isGreaterThan(first.getRect().x + 200);
    assertThat(second.getRect().y).as("later").isGreaterThan(first.getRect().y + 20);
    assertThat(second.getRect().y)
        .as("before the other ended")
        .isLessThan(first.getRect().y + first.getRect().height);
    assertThat(find("#lanes").getText()).contains("time zone ", "is not recorded");
    tabTo(".lanes-box");
    assertThat(find(".lanes-box").getCssValue("outline-style")).isEqualTo("solid");

    awaitText("#held", "Promised\ncausal");
    awaitText("#held", "Broken\nsnapshot-isolation");
    awaitText("#held", "Ran at\npostgresql:repeatable-read");
    awaitText("#first-advice", "First thing to do: ");
    awaitText(".facts", "UTC");
    Screenshots.take(browser, "lanes");
    click("#first-advice a");
    awaitText("h1", "An update was lost");
    await(".lane-box");
    assertThat(all(".lane-box")).hasSize(2);
    Screenshots.take(browser, "cause-lanes");
    click("#all-proofs");
    awaitUrl("/?history=shop&cause=" + SampleAnomalies.CAUSE);
    await("[data-id=l1]");
    awaitText(".narrowed", "Only proofs of one cause");
    wait.until(
        b ->
            (Boolean)
                browser.executeScript(
                    "const at = document.getElementById('h-anomalies').getBoundingClientRect();"
                        + " return at.top >= 0 && at.bottom <= innerHeight;"));
    click("#any-cause");
    awaitUrl("/?history=shop");
    assertCleanAndLocal();
  }

  @Test
  void withoutTimesTheLogOrdersThem() throws IOException {
    page.found(SampleAnomalies.causality("c1"));
    showBroken();
    open("/anomalies/c1");
    awaitText("#lanes", "These transactions have no times: they stand in the order of the log");
    awaitText("#lanes", "Whether they ran at the same time is not known");
    assertThat(all(".lane-box h3"))
        .extracting(h -> h.getText().split(" ")[0])
        .containsExactly("s1/12", "s2/7", "s3/31");
    assertThat(find("#lanes").getText()).doesNotContain("ran beside s", "time zone");
    await("#graph svg .node");
    Screenshots.take(browser, "lanes-no-times");
    assertCleanAndLocal();
  }

  @Test
  void twelveTransactionsScrollInTheirOwnBox() throws IOException {
    page.found(SampleAnomalies.manyTransactions("m1", "shop", 12));
    showBroken();
    open("/anomalies/m1");
    await("#graph svg .node");
    assertThat(all(".lane-box")).hasSize(12);
    awaitText("#lanes", "2 clocks told these times");
    awaitText("#lanes", "How far they are apart is not known");
    awaitText(".lane-box:nth-child(4)", ", when is not known");
    assertThat(
            (Boolean)
                browser.executeScript(
                    "const b = document.querySelector('.lanes-box');"
                        + " return b.scrollWidth > b.clientWidth;"))
        .isTrue();
    Screenshots.take(browser, "lanes-many");
    assertCleanAndLocal();
  }

  @Test
  void hashedKeysComeWithTheCommandThatTellsTheRows() throws IOException {
    page.found(SampleAnomalies.hashed("h1", "shop"));
    showBroken();
    open("/anomalies/h1");
    assertThat(await("#resolve").getText())
        .isEqualTo(
            "curl -fsS %s -o h1.json && deploy/isotail resolve --settings isotail.properties --url jdbc:postgresql://db-1:5432/DATABASE --anomaly h1.json"
                .formatted(page.uri("/api/anomalies/h1")));
    awaitText(".lane-box", "reads account#f01a0a1348a57d53=44cce85862c40973");
    await("#graph svg .node");
    Screenshots.take(browser, "witness-hashed");
    page.found(SampleAnomalies.lostUpdateWithTimes("l1", "shop"));
    open("/anomalies/l1");
    await("#command");
    assertThat(all("#resolve")).isEmpty();
    assertCleanAndLocal();
  }

  @Test
  void aTraceIsALinkWhereItIsToldWhereTracesAre() {
    try (RunningPage traced =
        new RunningPage(
            Map.of(
                "http.port", "0", "trace.url-template", "https://tempo.example/trace/{trace}?q=1"),
            HttpClient.newHttpClient())) {
      traced.found(SampleAnomalies.causality("c1"));
      traced.show(RunningPage.history("shop", Verdict.PASS, Map.of(), null));
      browser.get(traced.uri("/anomalies/c1").toString());
      assertThat(await("a.trace").getAttribute("href"))
          .isEqualTo("https://tempo.example/trace/0af7651916cd43dd8448eb211c80319c?q=1");
      assertThat(find("a.trace").getText()).isEqualTo("trace 0af7651916cd43dd8448eb211c80319c");
    }
    page.found(SampleAnomalies.causality("c1"));
    showBroken();
    open("/anomalies/c1");
    awaitText("#held", "causal");
    assertThat(all("a.trace")).isEmpty();
    press(Keys.ESCAPE);
    await("#answers");
  }

  private void showBroken() {
    page.show(RunningPage.history("shop", Verdict.FAIL, Map.of(AnomalyKind.LOST_UPDATE, 1L), null));
  }
}
