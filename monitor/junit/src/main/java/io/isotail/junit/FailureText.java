package io.isotail.junit;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.cause.Advice;
import io.isotail.incremental.cause.Remedy;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.junit.Happened.Finding;
import io.isotail.monitor.render.CauseText;
import io.isotail.monitor.render.ExplainText;
import io.isotail.monitor.render.LanesText;
import io.isotail.monitor.render.Witness;
import io.isotail.monitor.terminal.Paint;
import java.util.Collection;

/** What a test that fails tells: each cause with its transactions and what to do about it. */
final class FailureText {
  private FailureText() {}

  /**
   * The text; it ends without an end of line.
   *
   * @param beside tests that ran meanwhile, one of which may have had a part in it
   */
  static String of(Happened happened, IsolationLevel promise, Collection<String> beside) {
    StringBuilder text = new StringBuilder();
    for (Finding finding : happened.findings()) {
      tell(text, finding, promise);
    }
    if (!beside.isEmpty()) {
      text.append(
          "%nRan beside it on the same data source: %s%n".formatted(String.join(", ", beside)));
    }
    return text.toString().stripTrailing();
  }

  private static void tell(StringBuilder text, Finding finding, IsolationLevel promise) {
    text.append(
        "%s%n%s promised; %,d such violation%s of %s in this test%n%n"
            .formatted(
                CauseText.title(finding.cause()),
                promise.label(),
                finding.violations(),
                finding.violations() == 1 ? "" : "s",
                finding.cause().level().label()));
    Anomaly anomaly = finding.anomaly();
    if (anomaly == null) {
      text.append("No proof of it is kept: it is like others of before.%n".formatted());
    } else {
      String lanes = LanesText.of(anomaly);
      if (lanes != null) {
        text.append("It can have gone so:%n%n%s%n".formatted(lanes));
      }
      text.append(
          ExplainText.of(new Witness(anomaly, finding.violations(), null, promise), Paint.PLAIN));
    }
    Advice advice = Advice.of(finding.cause());
    text.append("%n%s%n".formatted(advice.fault()));
    for (Remedy remedy : advice.remedies()) {
      text.append("  - %s Costs: %s.%n".formatted(remedy.what(), remedy.cost()));
    }
    text.append(System.lineSeparator());
  }
}
