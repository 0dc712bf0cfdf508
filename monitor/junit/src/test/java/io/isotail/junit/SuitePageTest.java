package io.isotail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.level.IsolationLevel;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuitePageTest {
  private static TestResult test(String name) {
    return new TestResult(name, IsolationLevel.SERIALIZABLE);
  }

  @Test
  void namesAreTextAndNothingElse() {
    String page = SuitePage.of(List.of(test("a<b> \"c\" & d()")), List.of(), "");
    assertThat(page).contains("<td>a&lt;b&gt; &quot;c&quot; &amp; d()</td>").doesNotContain("a<b>");
  }

  @Test
  void aSuiteThatCapturedNothingSaysSo() {
    String page = SuitePage.of(List.of(test("one"), test("two")), List.of(), "");
    assertThat(page)
        .contains("doubt\">0 of 2 tests kept their level for sure", "2 tests captured nothing")
        .doesNotContain("class=\"good\">satisfied");
  }
}
