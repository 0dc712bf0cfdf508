package io.isotail.junit;

import java.util.List;

/**
 * What was seen of several tests together.
 *
 * @param broken tests with violations
 * @param sure tests of which all was seen and decided
 * @param blind tests that captured nothing
 */
record SuiteTotals(
    int tests, long broken, long sure, long blind, long transactions, long reads, long decided) {

  static SuiteTotals of(List<TestResult> tests) {
    return new SuiteTotals(
        tests.size(),
        tests.stream().filter(test -> !test.violations().isEmpty()).count(),
        tests.stream().filter(TestResult::isDecided).count(),
        tests.stream().filter(TestResult::isBlind).count(),
        tests.stream().mapToLong(TestResult::transactions).sum(),
        tests.stream().mapToLong(TestResult::reads).sum(),
        tests.stream().mapToLong(TestResult::decided).sum());
  }
}
