package io.isotail.ingest.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class LoggedFailureTest {
  @Test
  void aLogShowsWhereItFailedAndNoMessage() {
    Throwable failure =
        new IllegalStateException("value 555-1234", new NumberFormatException("\"Alice\""));
    StringWriter text = new StringWriter();
    LoggedFailure.of(failure).printStackTrace(new PrintWriter(text));
    assertThat(text.toString())
        .startsWith("java.lang.IllegalStateException")
        .contains("Caused by: java.lang.NumberFormatException")
        .contains("aLogShowsWhereItFailedAndNoMessage")
        .doesNotContain("1234")
        .doesNotContain("Alice");
  }

  @Test
  void aChainThatCausesItselfEnds() {
    Exception first = new Exception();
    Exception second = new Exception(first);
    first.initCause(second);
    assertThat(LoggedFailure.of(first).getCause()).isNotNull();
  }
}
