package io.isotail.monitor.rules;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.isotail.monitor.config.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text of the rules. The template is a resource in which {@code @NAME@} stands for a setting,
 * or for one of the texts below, which follow from settings.
 */
public final class RulesFile {
  private static final Pattern PLACE = Pattern.compile("@([a-z][a-z.-]*)@");

  /** What the monitors say, but where that is gone with the last one of them. */
  private static final String TOLD_RUNBOOKS =
      "{{ with query `isotail_monitor_info{runbooks!=\"\"}"
          + " or last_over_time(isotail_monitor_info{runbooks!=\"\"}[1d])` }}"
          + "{{ . | first | label \"runbooks\" }}{{ else }}%s{{ end }}";

  private static final String TOLD_ADDRESS =
      "{{ with printf `isotail_monitor_info{instance=%q,url!=\"\"}` $labels.instance | query }}"
          + "{{ . | first | label \"url\" }}{{ else }}http://{{ $labels.instance }}{{ end }}";

  private static final String TOLD_CAUSE_ADDRESS =
      "{{ with $c | label \"url\" }}{{ . }}{{ else }}http://{{ $c | label \"instance\" }}{{ end }}";

  private static final String OF_HISTORY = "/?history={{ $labels.history | urlquery }}";

  private static final String TOLD_HISTORY_PAGE =
      "{{ with query `isotail_monitor_info{url!=\"\"}` }}{{ . | first | label \"url\" }}"
          + OF_HISTORY
          + "{{ else }}{{ with query `isotail_ready == 1` }}http://{{ . | first | label \"instance\" }}"
          + OF_HISTORY
          + "{{ end }}{{ end }}";

  private static final String HISTORY_LABELS =
      """
      max without (@) (isotail_history_info)
        or on (instance, history)
          topk by (instance, history) (1, max without (@) (last_over_time(isotail_history_info[1h])))
        or on (instance, history)
          max by (instance, history) (last_over_time(isotail_history_promise[1h]))"""
          .replace("\n", "\n                ");

  /** What the incidents are: by the instances that read, where none of them knows by any. */
  private static final String KNOWN_INCIDENTS =
      "isotail_incident_info and on (instance) isotail_ready == 1"
          + " or on (history, slot) isotail_incident_info";

  private final RuleValues values;

  public RulesFile(RuleValues values) {
    this.values = values;
  }

  /** A file of rules, as Prometheus reads it. */
  public String prometheus() {
    return command("") + body();
  }

  /** The rules as JSON, which the mixin takes. */
  public String json() {
    try {
      return new YAMLMapper().readTree(prometheus()).toPrettyString() + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the rules are no YAML", e);
    }
  }

  /** A PrometheusRule, as the operator reads it. */
  public String kubernetes() {
    StringBuilder text = new StringBuilder(command(" --format kubernetes"));
    text.append("apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata:\n");
    text.append("  name: ").append(quoted(values.get(RuleSetting.KUBERNETES_NAME))).append('\n');
    String namespace = values.get(RuleSetting.KUBERNETES_NAMESPACE);
    if (!namespace.isEmpty()) {
      text.append("  namespace: ").append(quoted(namespace)).append('\n');
    }
    text.append("  labels:\n    app.kubernetes.io/name: isotail\n");
    values
        .family(RuleSetting.KUBERNETES_LABELS)
        .forEach((name, value) -> text.append("    %s: %s\n".formatted(name, quoted(value))));
    text.append("spec:\n");
    body()
        .lines()
        .forEach(line -> text.append(line.isEmpty() ? "" : "  ").append(line).append('\n'));
    return text.toString();
  }

  private String body() {
    Map<String, String> texts = texts();
    return PLACE
        .matcher(template())
        .replaceAll(place -> Matcher.quoteReplacement(text(place, texts)));
  }

  private static String text(MatchResult place, Map<String, String> texts) {
    return Objects.requireNonNull(texts.get(place.group(1)), place.group());
  }

  /** What stands for each name in the template. */
  private Map<String, String> texts() {
    Map<String, String> texts = new HashMap<>();
    for (RuleSetting setting : RuleSetting.values()) {
      texts.put(setting.key(), plain(setting));
    }
    String labels =
        values.family(RuleSetting.LABELS).entrySet().stream()
            .map(label -> "\n          %s: %s".formatted(label.getKey(), quoted(label.getValue())))
            .collect(Collectors.joining());
    texts.put("labels", labels);
    texts.put("anomaly.window-in-words", RuleTime.words(values.get(RuleSetting.ANOMALY_WINDOW)));
    String targets = String.join(", ", targetLabels());
    texts.put(RuleSetting.TARGET_LABELS.key(), targets);
    String others =
        Arrays.stream(targetLabels())
            .filter(name -> !name.equals("instance"))
            .collect(Collectors.joining(", "));
    texts.put("known-incidents", KNOWN_INCIDENTS);
    texts.put("history-labels", HISTORY_LABELS.replace("@", others));
    String url = withoutSlash(values.get(RuleSetting.PUBLIC_URL));
    texts.put("address", url.isEmpty() ? TOLD_ADDRESS : url);
    texts.put("cause-address", url.isEmpty() ? TOLD_CAUSE_ADDRESS : url);
    texts.put("history-page", url.isEmpty() ? TOLD_HISTORY_PAGE : url + OF_HISTORY);
    String runbooks = withoutSlash(values.get(RuleSetting.RUNBOOK_URL));
    texts.put(
        "runbooks",
        runbooks.isEmpty()
            ? TOLD_RUNBOOKS.formatted(Setting.HTTP_RUNBOOK_URL.fallback())
            : runbooks);
    return texts;
  }

  /** A severity or a group may look like a number or a truth value, which YAML would make of it. */
  private String plain(RuleSetting setting) {
    String value = values.get(setting);
    return switch (setting) {
      case GROUP, SEVERITY_PAGE, SEVERITY_WARNING -> quoted(value);
      default -> value;
    };
  }

  private String[] targetLabels() {
    return values.get(RuleSetting.TARGET_LABELS).split(" *, *", -1);
  }

  private static String withoutSlash(String url) {
    return url.replaceAll("/+$", "");
  }

  /** As YAML takes it for a text: in quotes unless it is a word that means nothing else. */
  private static String quoted(String text) {
    boolean word =
        text.matches("[A-Za-z][A-Za-z0-9_./-]*")
            && !text.matches("(?i)y|n|yes|no|on|off|true|false|null");
    return word ? text : "'" + text.replace("'", "''") + "'";
  }

  /** The first lines: how to make the same again. */
  private String command(String format) {
    String set =
        values.given().entrySet().stream()
            .map(e -> " --set '%s=%s'".formatted(e.getKey(), e.getValue().replace("'", "'\\''")))
            .collect(Collectors.joining());
    return "# Printed by: isotail rules%s%s\n".formatted(format, set)
        + "# isotail rules --list tells what can be set.\n";
  }

  private static String template() {
    try (InputStream file = RulesFile.class.getResourceAsStream("isotail-rules.yml")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
