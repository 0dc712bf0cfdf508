package io.isotail.junit;

import java.util.List;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Says so where parameters ask for a whole suite to be checked and JUnit does not look for
 * extensions: nothing would be checked, without a word. Its launcher finds this class by itself.
 */
public final class UnheardParameters implements TestExecutionListener {
  private static final String DETECTION = "junit.jupiter.extensions.autodetection.enabled";

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    ConfigurationParameters parameters = plan.getConfigurationParameters();
    if (parameters.getBoolean(DETECTION).orElse(false)) {
      return;
    }
    for (String name : List.of(Asked.CHECK, Asked.FORECAST)) {
      if (parameters.get(name).isPresent()) {
        System.out.printf(
            "isotail: %s is ignored; expected %s = true beside it%n", name, DETECTION);
      }
    }
  }
}
