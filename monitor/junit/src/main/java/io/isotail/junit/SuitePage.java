package io.isotail.junit;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.cause.Advice;
import io.isotail.incremental.cause.Remedy;
import io.isotail.incremental.coverage.CaptureReport.Missed;
import io.isotail.junit.TestResult.Violation;
import io.isotail.monitor.render.ExplainText;
import io.isotail.monitor.render.Markup;
import io.isotail.monitor.render.Svg;
import io.isotail.monitor.render.Witness;
import io.isotail.monitor.terminal.Paint;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What was seen of all tests of a process, as one HTML page that needs nothing else: each violation
 * with its drawing, its transactions and what to do, then each test, then what was not captured.
 */
final class SuitePage {
  private static final int DRAWING_PX = 1_000;

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>Isolation of the tests</title>
      <style>
        :root { --ink: #1f2328; --faint: #59636e; --line: #d1d9e0; --card: #f6f8fa; --bad: #b42318; --good: #1a7f37; --doubt: #9a6700; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e6edf3; --faint: #9198a1; --line: #3d444d; --card: #151b23; --bad: #ff7b72; --good: #3fb950; --doubt: #d29922; }
          body { background: #0d1117; }
        }
        body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); max-width: 66rem; margin: 2rem auto; padding: 0 1rem; }
        h1 { font-size: 1.5rem; margin-bottom: .25rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
        section { border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem; margin: 1rem 0; }
        section h3 { margin: 0; font-size: 1.05rem; color: var(--bad); overflow-wrap: anywhere; }
        table { border-collapse: collapse; width: 100%; } th { text-align: left; color: var(--faint); font-weight: 500; }
        th, td { padding: .3rem .75rem .3rem 0; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
        td.count, th.count { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
        pre { background: var(--card); border-radius: 6px; padding: .75rem; overflow-x: auto; font-size: 12px; }
        .drawing { overflow-x: auto; margin: .75rem 0; } .faint { color: var(--faint); } .bad { color: var(--bad); } .good { color: var(--good); } .doubt { color: var(--doubt); }
      """;

  private final StringBuilder page = new StringBuilder(HEAD);

  private SuitePage() {
    page.append(Svg.styles()).append("</style></head><body>\n");
  }

  /**
   * The page.
   *
   * @param forecasts as HTML; empty if none were asked for
   */
  static String of(List<TestResult> tests, List<Missed> notCaptured, String forecasts) {
    SuitePage page = new SuitePage();
    if (tests.isEmpty()) {
      page.add("<h1>What the tests' transactions could do to each other</h1>");
    } else {
      page.summary(SuiteTotals.of(tests));
      page.violations(tests);
      page.tests(tests);
    }
    page.page.append(forecasts);
    page.notCaptured(notCaptured);
    return page.page.append("</body></html>\n").toString();
  }

  private void summary(SuiteTotals all) {
    boolean good = all.sure() == all.tests() && all.sure() > 0;
    String style = all.broken() > 0 ? "bad" : good ? "good" : "doubt";
    add("<h1 class=\"%s\">%s</h1>", style, headline(all));
    add(
        "<p class=\"faint\">%,d transactions; %s%s.</p>",
        all.transactions(),
        all.coverage(),
        all.blind() == 0
            ? ""
            : String.format(Locale.ROOT, "; %,d tests captured nothing", all.blind()));
  }

  private static String headline(SuiteTotals all) {
    return String.format(
        Locale.ROOT,
        all.broken() == 0
            ? "%,d of %,d tests kept their level for sure"
            : "%,d of %,d tests broke their level",
        all.broken() == 0 ? all.sure() : all.broken(),
        all.tests());
  }

  private void violations(List<TestResult> tests) {
    for (TestResult test : tests) {
      for (Violation violation : test.violations()) {
        violation(test, violation);
      }
    }
  }

  private void violation(TestResult test, Violation violation) {
    add("<section><h3>%s</h3>", Markup.escaped(violation.title()));
    add(
        "<p class=\"faint\">%s in %s; %s promised; seen %,d time%s</p>",
        Markup.escaped(violation.kind()),
        Markup.escaped(test.name()),
        test.promise().label(),
        violation.times(),
        violation.times() == 1 ? "" : "s");
    Anomaly anomaly = violation.anomaly();
    if (anomaly == null) {
      add("<p>No proof of it is kept: it is like others of before.</p>");
    } else {
      add("<p>%s</p>", Markup.escaped(anomaly.explanation()));
      String drawing = Svg.cycle(anomaly, DRAWING_PX);
      page.append("<div class=\"drawing\">")
          .append(drawing.substring(drawing.indexOf("<svg")))
          .append("</div>\n");
    }
    Advice advice = Advice.of(violation.cause());
    add("<p>%s</p><ul>", Markup.escaped(advice.fault()));
    for (Remedy remedy : advice.remedies()) {
      add(
          "<li>%s <span class=\"faint\">Costs: %s.</span></li>",
          Markup.escaped(remedy.what()), Markup.escaped(remedy.cost()));
    }
    add("</ul>");
    if (anomaly != null) {
      Witness witness = new Witness(anomaly, violation.times(), null, test.promise());
      add(
          "<details><summary>The transactions, and why each edge holds</summary><pre>%s</pre></details>",
          ExplainText.of(witness, Paint.PLAIN)
              .lines()
              .map(Markup::escaped)
              .collect(Collectors.joining("\n")));
    }
    add("</section>");
  }

  private void tests(List<TestResult> tests) {
    add("<h2>Tests</h2><table><tr><th>test</th><th>promise</th>");
    add(
        "<th class=\"count\">transactions</th><th class=\"count\">reads decided</th><th></th></tr>");
    for (TestResult test : tests) {
      boolean broken = !test.violations().isEmpty();
      String style = broken ? "bad" : test.isDecided() ? "good" : "doubt";
      add(
          "<tr><td>%s</td><td>%s</td><td class=\"count\">%,d</td><td class=\"count\">%,d of %,d</td><td class=\"%s\">%s</td></tr>",
          Markup.escaped(test.name()),
          test.promise().label(),
          test.transactions(),
          test.decided(),
          test.reads(),
          style,
          Markup.escaped(broken ? "violated" : test.isDecided() ? "satisfied" : test.summary()));
    }
    add("</table>");
  }

  private void notCaptured(List<Missed> all) {
    if (all.isEmpty()) {
      return;
    }
    add("<h2>What was not captured</h2><table><tr><th>statement</th><th>why</th>");
    add("<th class=\"count\">statements</th><th class=\"count\">reads</th></tr>");
    for (Missed missed : all) {
      add(
          "<tr><td>%s</td><td>%s</td><td class=\"count\">%,d</td><td class=\"count\">%,d</td></tr>",
          Markup.escaped(missed.counts().fingerprint()),
          Markup.escaped(missed.counts().reason()),
          missed.counts().statements(),
          missed.counts().reads());
    }
    add("</table>");
  }

  private void add(String format, Object... values) {
    page.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
