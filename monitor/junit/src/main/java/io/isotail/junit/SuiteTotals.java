package io.isotail.junit;

import java.util.List;
import java.util.Locale;

/**
 * What was seen of several tests together.
 *
 * @param broken tests with violations
 * @param sure tests of which all was seen and decided
 * @param blind tests that captured nothing
 * @param foreign reads of rows that others had written, who are not captured
 */
record SuiteTotals(
    int tests,
    long broken,
    long sure,
    long blind,
    long transactions,
    long reads,
    long decided,
    long foreign) {

  static SuiteTotals of(List<TestResult> tests) {
    return new SuiteTotals(
        tests.size(),
        tests.stream().filter(test -> !test.violations().isEmpty()).count(),
        tests.stream().filter(TestResult::isDecided).count(),
        tests.stream().filter(TestResult::isBlind).count(),
        tests.stream().mapToLong(TestResult::transactions).sum(),
        tests.stream().mapToLong(TestResult::reads).sum(),
        tests.stream().mapToLong(TestResult::decided).sum(),
        tests.stream().mapToLong(TestResult::foreign).sum());
  }

  /** {@code 8 of 10 reads decided, 2 of rows that others wrote}. */
  String coverage() {
    return String.format(Locale.ROOT, "%,d of %,d reads decided", decided, reads)
        + (foreign == 0
            ? ""
            : String.format(Locale.ROOT, ", %,d of rows that others wrote", foreign));
  }
}
