package io.isotail.junit;

import io.isotail.incremental.level.IsolationLevel;
import org.postgresql.ds.PGSimpleDataSource;

/** An application that has the jar and PostgreSQL's driver, and asks by hand. */
public final class JarProgram {
  private JarProgram() {}

  /** Loses an update; the only argument is the URL. */
  public static void main(String[] args) throws Exception {
    PGSimpleDataSource plain = new PGSimpleDataSource();
    plain.setUrl(args[0]);
    Accounts.create(plain);
    CheckedDataSource checked = CheckedDataSource.of(plain);
    new Accounts(checked).depositTwiceAtOnce(1);
    try {
      checked.requireSatisfied(IsolationLevel.STRICT_SERIALIZABLE);
      System.out.println("satisfied");
    } catch (AssertionError e) {
      System.out.println(e.getMessage());
    }
    TestResult result = new TestResult("JarProgram", IsolationLevel.SERIALIZABLE);
    Happened happened = Histories.all().get(0).since(null, IsolationLevel.SERIALIZABLE);
    result.add(happened);
    happened.findings().forEach(f -> result.violations().add(new TestResult.Violation(f)));
    try (SuiteReport report = SuiteReport.begin()) {
      System.out.println(report.add(result));
    }
  }
}
