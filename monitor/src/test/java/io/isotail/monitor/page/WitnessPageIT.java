package io.isotail.monitor.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.RunningPage;
import io.isotail.monitor.SampleAnomalies;
import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The view of one anomaly. */
final class WitnessPageIT extends InBrowser {
  private static final String NO_CLIPBOARD =
      "Object.defineProperty(navigator, 'clipboard', { value: undefined });";

  @Test
  void theCommandIsCopiedWithoutAClipboard() {
    page.found(SampleAnomalies.causality("c0ffee11"));
    Object script =
        browser
            .executeCdpCommand(
                "Page.addScriptToEvaluateOnNewDocument", Map.of("source", NO_CLIPBOARD))
            .get("identifier");
    try {
      open("/anomalies/c0ffee11");
      await(".copy");
      browser.executeScript(
          "document.addEventListener('copy', e => { window.copied = e.target.value; });");
      tabTo(".copy");
      press(Keys.ENTER);
      awaitText(".copy", "Copied");
      assertThat(browser.executeScript("return window.copied"))
          .isEqualTo(
              "curl -fsS %s -o c0ffee11.jsonl && deploy/isotail check --level causal --promise causal --open --no-deletes c0ffee11.jsonl"
                  .formatted(page.uri("/api/anomalies/c0ffee11/capsule.jsonl")));
      awaitText("#announcer", "Copied the command");
      awaitSelected(".copy");
    } finally {
      browser.executeCdpCommand(
          "Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", script));
    }
    assertCleanAndLocal();
  }

  @Test
  void theCommandComparesClocksAsTheMonitorDid() {
    try (RunningPage clocks =
        new RunningPage(
            Map.of("http.port", "0", "histories.shop.clock-uncertainty", "10ms"),
            HttpClient.newHttpClient())) {
      clocks.found(
          SampleAnomalies.of(
              "rt1", "shop", IsolationLevel.STRICT_SERIALIZABLE, AnomalyKind.COMMIT_ORDER_CYCLE));
      browser.get(clocks.uri("/anomalies/rt1").toString());
      assertThat(await("#command").getText())
          .endsWith(
              "check --level strict-serializable --promise strict-serializable --clock-uncertainty 0.01s --open --no-deletes rt1.jsonl");
    }
  }

  @Test
  void aTransactionLeadsToTheCodeThatRanIt() {
    page.found(SampleAnomalies.causality("c0de"));
    open("/anomalies/c0de");
    assertThat(await(".transaction .origin").getText())
        .contains(
            "/withdrawals/{account} Teller#withdraw", "trace 0af7651916cd43dd8448eb211c80319c");
  }

  @Test
  void aNameInACommandIsOneWordForTheShell() {
    page.found(SampleAnomalies.causality("a'; rm -rf $HOME `b`"));
    open("/anomalies/a'%3B%20rm%20-rf%20%24HOME%20%60b%60");
    assertThat(await("#command").getText())
        .contains("capsule.jsonl' -o a___rm_-rf__HOME__b_.jsonl &&")
        .contains("/api/anomalies/a'\\''%3B%20rm%20-rf%20%24HOME%20%60b%60/capsule.jsonl'");
  }

  @Test
  void theGraphIsSavedAsAFileOfItsOwn(@TempDir Path folder) throws Exception {
    browser.executeCdpCommand(
        "Browser.setDownloadBehavior",
        Map.of("behavior", "allow", "downloadPath", folder.toString()));
    page.found(SampleAnomalies.causality("c0ffee11"));
    open("/anomalies/c0ffee11");
    await("#graph svg .node");
    click("#save-svg");
    Path saved = folder.resolve("c0ffee11.svg");
    wait.until(b -> Files.exists(saved));
    String svg = Files.readString(saved);
    assertThat(svg)
        .contains("s1/12", ".sheet { fill: #ffffff")
        .doesNotContain("href", "class=\"plot", "<script", "url(");
    assertThat(
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement()
                .getTagName())
        .isEqualTo("svg");

    click("a[download$='.dot']");
    wait.until(b -> Files.exists(folder.resolve("c0ffee11.dot")));
    assertThat(folder.resolve("c0ffee11.dot")).content().startsWith("digraph witness {");
    click("a[download$='.jsonl']");
    wait.until(b -> Files.exists(folder.resolve("c0ffee11.jsonl")));
    assertThat(Files.readAllLines(folder.resolve("c0ffee11.jsonl"))).hasSize(3);
  }

  @Test
  void theExplanationIsToldCaseByCaseAndOthersLikeItAreListed() {
    Anomaly plain = SampleAnomalies.lostUpdate("l1", "shop");
    String words =
        "Both overwrote it. Other orders fail too. If s1/3 commits first: s1/3 -ww x-> s2/9. If"
            + " s2/9 commits first: the other. The proof has 2 more cases.";
    page.found(
        new Anomaly(
            "l1",
            "shop",
            SampleAnomalies.CAUSE,
            IsolationLevel.SNAPSHOT_ISOLATION,
            AnomalyKind.LOST_UPDATE,
            "G-single",
            words,
            plain.cycle(),
            plain.capsule(),
            plain.proof(),
            null,
            "account",
            "billing",
            42,
            plain.commitTimeNs()));
    page.found(SampleAnomalies.causality("c1"));
    page.show(RunningPage.history("shop", Verdict.PASS, Map.of(), null));
    open("/anomalies/l1");
    assertThat(await("#explanation .lead").getText()).isEqualTo("Both overwrote it.");
    assertThat(all(".cases li").stream().map(WebElement::getText))
        .containsExactly(
            "Other orders fail too.",
            "If s1/3 commits first: s1/3 -ww x-> s2/9.",
            "If s2/9 commits first: the other.",
            "The proof has 2 more cases.");
    click("#alike");
    awaitUrl("/?history=shop&level=snapshot-isolation&kind=lost-update");
    await("[data-id=l1]");
    assertThat(all("#anomalies a")).hasSize(1);
  }

  @Test
  void anAnomalyThatIsNotKeptSaysSo() {
    page.show(RunningPage.history("shop", Verdict.PASS, Map.of(), null));
    open("/anomalies/none");
    awaitText("main h1", "This anomaly is not kept here");
    awaitText("main", "no longer on the anomalies topic");
    click("main .button");
    awaitText("#anomalies", "None found");
  }

  @Test
  void aWitnessThatIsBeingReadStaysWhenItIsNotKeptAnyMore() {
    try (RunningPage small = new RunningPage(1)) {
      small.show(RunningPage.history("shop", Verdict.PASS, Map.of(), null));
      small.found(SampleAnomalies.causality("old"));
      browser.get(small.uri("/anomalies/old").toString());
      await("#graph svg .node");
      small.found(SampleAnomalies.causality("new"));
      awaitText("main .alert", "not kept by the monitor any more");
      assertThat(find("#health").getText()).isEqualTo("live");
      assertThat(all("#graph svg .node")).hasSize(3);
    }
  }

  @Test
  void whatNobodyWroteHasEvidenceInsteadOfACommand() {
    Anomaly read = SampleAnomalies.hostileThinAirRead("bad0");
    page.found(
        new Anomaly(
            "bad0",
            "shop",
            SampleAnomalies.CAUSE,
            read.level(),
            read.kind(),
            null,
            "nobody wrote it",
            List.of(),
            List.of(),
            null,
            "offsets 0 to 7, no gap, closed history",
            "account",
            "billing",
            7,
            read.commitTimeNs()));
    open("/anomalies/bad0");
    awaitText("[aria-labelledby=h-check]", "There is no capsule to check");
    assertThat(find(".evidence").getText()).contains("offsets 0 to 7");
    assertThat(all("#command, .copy")).isEmpty();
  }
}
