package io.isotail.monitor.cli;

import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.rules.RuleSetting;
import io.isotail.monitor.rules.RuleValues;
import io.isotail.monitor.rules.RulesFile;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code isotail rules}: prints the alert rules for Prometheus. */
@Command(
    name = "rules",
    mixinStandardHelpOptions = true,
    description =
        "Prints the alert rules for Prometheus, with other thresholds where you set them.",
    footer = {
      "",
      "For instance: isotail rules --set lag.for=5m --set labels.cluster=eu >isotail-rules.yml",
      "Exit status: 0 when they are printed, 2 bad usage."
    })
final class RulesCommand implements Callable<Integer> {
  private static final String PROMETHEUS = "prometheus";
  private static final String KUBERNETES = "kubernetes";
  private static final String JSON = "json";

  @Option(names = "--set", paramLabel = "NAME=VALUE", description = "Sets what --list lists.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = PROMETHEUS,
      description =
          "prometheus: a file of rules; kubernetes: a PrometheusRule for the operator; json: what the"
              + " mixin takes. Default: ${DEFAULT-VALUE}.")
  private String format = PROMETHEUS;

  @Option(names = "--list", description = "Lists what can be set, with defaults, and ends.")
  private boolean list;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine here = Objects.requireNonNull(spec).commandLine();
    PrintWriter out = here.getOut();
    if (!List.of(PROMETHEUS, KUBERNETES, JSON).contains(format)) {
      throw new ParameterException(
          here,
          "--format %s; expected %s, %s or %s".formatted(format, PROMETHEUS, KUBERNETES, JSON));
    }
    if (list) {
      for (RuleSetting setting : RuleSetting.values()) {
        out.printf("%s=%s%n    %s%n", setting.key(), setting.fallback(), setting.doc());
      }
      out.flush();
      return ExitCode.PASSED;
    }
    try {
      RulesFile rules = new RulesFile(RuleValues.of(settings));
      out.print(
          switch (format) {
            case KUBERNETES -> rules.kubernetes();
            case JSON -> rules.json();
            default -> rules.prometheus();
          });
      out.flush();
      return ExitCode.PASSED;
    } catch (IllegalArgumentException e) {
      PrintWriter err = here.getErr();
      String.valueOf(e.getMessage())
          .lines()
          .forEach(mistake -> err.println("isotail rules: " + mistake));
      err.println("'isotail rules --list' says more.");
      return ExitCode.BAD;
    }
  }
}
