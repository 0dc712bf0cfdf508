package io.isotail.incremental.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.coverage.CaptureReport.Cause;
import io.isotail.incremental.coverage.CaptureReport.Missed;
import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.NotCaptured;
import io.isotail.incremental.record.NotCaptured.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CaptureLedgerTest {
  private final CaptureLedger ledger = new CaptureLedger();

  private static NotCaptured unread(String text, long statements, long reads) {
    return new NotCaptured(text, Kind.UNREAD, "aggregate", statements, reads);
  }

  private void add(String service, long captured, NotCaptured... notCaptured) {
    ledger.add(new CaptureCounts(service, captured, List.of(notCaptured)), 5);
  }

  @Test
  void countsOfHeartbeatsAndProxiesAddUp() {
    add("shop", 10, unread("select 1", 2, 3));
    add("shop", 5, unread("select 1", 1, 1));
    add("bank", 1, unread("select 1", 7, 7));
    CaptureReport report = ledger.report();
    assertThat(report.captured()).isEqualTo(16);
    assertThat(report.notCaptured()).isEqualTo(10);
    assertThat(report.readsNotCaptured()).isEqualTo(11);
    assertThat(report.causes())
        .containsExactly(
            new Cause("bank", "aggregate", 7, 7), new Cause("shop", "aggregate", 3, 4));
    assertThat(report.worst())
        .containsExactly(
            new Missed("bank", unread("select 1", 7, 7), 5),
            new Missed("shop", unread("select 1", 3, 4), 5));
  }

  @Test
  void aStatementThatWasCapturedInPartIsNoFurtherStatement() {
    add(
        "shop",
        4,
        new NotCaptured("a", Kind.PARTLY, "late-row", 2, 9),
        new NotCaptured("b", Kind.REFUSED, "rewriting-refused", 1, 0));
    assertThat(ledger.report().notCaptured()).isZero();
    assertThat(ledger.report().readsNotCaptured()).isEqualTo(9);
  }

  @Test
  void ofTooManyStatementsThoseWithSmallCountsAreForgottenAndTheSumsStayExact() {
    List<NotCaptured> many = new ArrayList<>();
    for (int i = 1; i <= 10 * CaptureLedger.MAX_STATEMENTS; i++) {
      many.add(unread("select " + i, 1, i));
    }
    many.forEach(one -> add("shop", 0, one));
    CaptureReport report = ledger.report();
    assertThat(report.notCaptured()).isEqualTo(many.size());
    assertThat(report.readsNotCaptured()).isEqualTo(many.size() * (many.size() + 1L) / 2);
    assertThat(report.worst()).hasSize(CaptureLedger.MAX_WORST);
    assertThat(report.worst().get(0).counts().fingerprint()).isEqualTo("select " + many.size());
  }

  @Test
  void tooManyCausesAreCountedTogether() {
    for (int i = 0; i < CaptureLedger.MAX_CAUSES + 20; i++) {
      add("service " + i, 0, unread("select 1", 1, 1));
    }
    List<Cause> causes = ledger.report().causes();
    assertThat(causes).hasSize(CaptureLedger.MAX_CAUSES + 1);
    assertThat(causes).contains(new Cause(CaptureLedger.OTHER, CaptureLedger.OTHER, 20, 20));
  }

  @Test
  void whatAProxyCannotHaveCountedIsLeftOut() {
    add("shop", -4, unread("select 1", -1, -9));
    assertThat(ledger.report().captured()).isZero();
    assertThat(ledger.report().readsNotCaptured()).isZero();
  }
}
