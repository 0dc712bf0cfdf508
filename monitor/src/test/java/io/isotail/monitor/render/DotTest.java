package io.isotail.monitor.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.SampleAnomalies;
import org.junit.jupiter.api.Test;

final class DotTest {
  @Test
  void drawsTheCycleStrongAndWhatLeadsUpToItThin() {
    String dot = Dot.of(SampleAnomalies.causality("a"));

    assertThat(dot)
        .contains("\"s2/7\" [label=\"s2/7\\ncheckout\\nr x=4\\nw x=5\\nw y=5\\n\", class=\"cycle\"")
        .contains("\"s3/31\" [label=\"s3/31\\nreporting\\nr y=5\\nr x=4\\n\", class=\"context\"")
        .contains("\"s1/12\" -> \"s2/7\" [label=\" wr x \", class=\"cycle wr\"")
        .contains("\"s2/7\" -> \"s1/12\" [label=\" co x \", class=\"cycle co\"")
        .contains("\"s2/7\" -> \"s3/31\" [label=\" wr y \", class=\"context wr\"")
        .contains("\"s1/12\" -> \"s3/31\" [label=\" wr x \", class=\"context wr\"");
    assertThat(dot.split("\"s1/12\" -> \"s2/7\"")).hasSize(2);
  }

  @Test
  void aBadReadIsDrawnWithoutACycle() {
    String dot = Dot.of(SampleAnomalies.hostileThinAirRead("a"));

    assertThat(dot).contains("class=\"cycle\"").doesNotContain("->");
  }

  @Test
  void namesCannotEndTheirString() {
    String dot = Dot.of(SampleAnomalies.hostileThinAirRead("a"));

    assertThat(dot)
        .contains("onerror=alert(1)>\\\" \\\\N &amp;  ")
        .doesNotContain("\u0007")
        .doesNotContain("1)>\" ");
  }
}
