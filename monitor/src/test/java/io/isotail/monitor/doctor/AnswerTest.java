package io.isotail.monitor.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AnswerTest {
  private static final Answer TWO =
      new Answer(List.of("id"), List.of("int4 10"), List.of(List.of("1"), List.of("2")), null, "");

  private static Answer rows(String... values) {
    List<List<String>> rows = java.util.Arrays.stream(values).map(List::of).toList();
    return new Answer(List.of("id"), List.of("int4 10"), List.copyOf(rows), null, "");
  }

  @Test
  void whatIsAlikeDoesNotDiffer() {
    assertThat(TWO.differenceFrom(rows("1", "2"), "directly")).isNull();
    Answer refused = Answer.refused(new SQLException("no", "42703"));
    assertThat(refused.differenceFrom(refused, "directly")).isNull();
  }

  @Test
  void aDifferenceIsToldWithoutValues() {
    assertThat(TWO.differenceFrom(rows("1", "77"), "directly"))
        .isEqualTo("differs in row 2 of 2")
        .doesNotContain("77");
    assertThat(TWO.differenceFrom(rows("1"), "directly")).isEqualTo("has 2 rows, and directly 1");
    Answer other = new Answer(List.of("id"), List.of("int8 19"), TWO.rows(), null, "");
    assertThat(TWO.differenceFrom(other, "directly"))
        .isEqualTo("describes column id as 'int4 10', and directly as 'int8 19'");
  }

  @Test
  void aRefusalIsADifference() {
    Answer refused = Answer.refused(new SQLException("no", "42703"));
    assertThat(refused.differenceFrom(TWO, "directly"))
        .isEqualTo("is refused (42703), and directly it is not");
    assertThat(TWO.differenceFrom(refused, "directly"))
        .isEqualTo("is not refused, and directly it is (42703)");
    assertThat(refused.differenceFrom(Answer.refused(new SQLException("no!", "42703")), "directly"))
        .startsWith("is refused with other words");
  }
}
