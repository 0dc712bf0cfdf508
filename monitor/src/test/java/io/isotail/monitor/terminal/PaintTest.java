package io.isotail.monitor.terminal;

import static io.isotail.monitor.terminal.Paint.COLOURED;
import static io.isotail.monitor.terminal.Paint.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.terminal.Paint.When;
import org.junit.jupiter.api.Test;

/** When there are colours, and which. */
final class PaintTest {
  @Test
  void coloursAreForTerminalsThatWantThem() {
    assertThat(Paint.choose(When.AUTO, true, null, "xterm")).isEqualTo(COLOURED);
    assertThat(Paint.choose(When.AUTO, true, "", "xterm")).as("set, and empty").isEqualTo(COLOURED);
    assertThat(Paint.choose(When.AUTO, true, "1", "xterm")).isEqualTo(PLAIN);
    assertThat(Paint.choose(When.AUTO, true, null, "dumb")).isEqualTo(PLAIN);
    assertThat(Paint.choose(When.AUTO, false, null, "xterm")).as("a pipe").isEqualTo(PLAIN);
  }

  @Test
  void anOptionWinsOverTheEnvironment() {
    assertThat(Paint.choose(When.ALWAYS, false, "1", "dumb")).isEqualTo(COLOURED);
    assertThat(Paint.choose(When.NEVER, true, null, "xterm")).isEqualTo(PLAIN);
  }

  @Test
  void plainWordsStayAsTheyAre() {
    assertThat(PLAIN.bad("fail") + PLAIN.bold("title") + PLAIN.good("")).isEqualTo("failtitle");
    assertThat(COLOURED.good("pass")).isEqualTo("\u001b[32mpass\u001b[0m");
    assertThat(COLOURED.bad("fail")).isEqualTo("\u001b[31mfail\u001b[0m");
    assertThat(COLOURED.doubtful("undecided")).isEqualTo("\u001b[33mundecided\u001b[0m");
    assertThat(COLOURED.bold("title")).isEqualTo("\u001b[1mtitle\u001b[0m");
    assertThat(COLOURED.bad("")).isEmpty();
  }
}
