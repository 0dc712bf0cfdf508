package io.isotail.incremental.cause;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CulpritTest {
  private static final CausePart BUYS = new CausePart("stock", "UPDATE", "checkout", "POST /buy");
  private static final CausePart SUMS = new CausePart("stock", "SELECT", "reporting", null);
  private static final CausePart UNSEEN = new CausePart("stock", "(not seen)", null, null);

  @Test
  void anEndpointIsOneWhateverItDoesAndAServiceWithoutIsOneForEachTable() {
    assertThat(Culprit.of(List.of(BUYS, SUMS)))
        .containsExactly(
            new Culprit("checkout", "POST /buy", null), new Culprit("reporting", null, "stock"));
  }

  /** Else two services with nothing in common but a table would have one root. */
  @Test
  void aWriterThatNobodyCapturedIsNoneWhereAnotherIsKnown() {
    assertThat(Culprit.of(List.of(UNSEEN, SUMS)))
        .containsExactly(new Culprit("reporting", null, "stock"));
    assertThat(Culprit.of(List.of(UNSEEN))).containsExactly(new Culprit(null, null, "stock"));
    assertThat(Culprit.of(List.of())).containsExactly(new Culprit(null, null, null));
  }

  @Test
  void itsNameIsForPeople() {
    assertThat(new Culprit("checkout", "POST /buy", null).name())
        .isEqualTo("POST /buy of checkout");
    assertThat(new Culprit("reporting", null, "stock").name()).isEqualTo("stock of reporting");
    assertThat(new Culprit(null, null, "stock").name()).isEqualTo("stock");
    assertThat(new Culprit("web", null, null).name()).isEqualTo("web");
    assertThat(new Culprit(null, null, null).name()).isEmpty();
  }
}
