package io.isotail.monitor.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * File, environment and flags as one flat map from name to text, of which the later one wins.
 *
 * <p>A value is shown in a mistake only where its name is one that exists and is no secret: what
 * stands under a misspelt name may be a password.
 */
final class RawSettings {
  /** Settings whose text YAML must not read as a number: {@code 0123} would become another one. */
  private static final Set<String> VERBATIM =
      Set.of(
          Setting.HTTP_USER.key(),
          Setting.HTTP_PASSWORD.key(),
          Setting.CAPTURE_HISTORY.key(),
          Setting.CAPTURE_SERVICE.key(),
          Setting.CAPTURE_INSTANCE.key(),
          Setting.CAPTURE_VERSION.key(),
          Setting.CAPTURE_KEY.key());

  private static final Pattern LABEL_OF_HISTORY =
      Pattern.compile(
          Pattern.quote(Setting.HISTORIES)
              + "(.+)\\."
              + Pattern.quote(Setting.LABELS.prefix())
              + "[^.]*");

  private static final ObjectReader YAML =
      YAMLMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .reader();

  private final Map<String, String> values = new TreeMap<>();
  private final Map<String, String> sources = new TreeMap<>();
  private final Set<String> histories = new LinkedHashSet<>();
  private final Scope scope;
  private final Mistakes mistakes;

  private RawSettings(Scope scope, Mistakes mistakes) {
    this.scope = scope;
    this.mistakes = mistakes;
  }

  /** Reads all three; reports what can be told from the names alone. */
  static RawSettings read(
      Scope scope,
      @Nullable Path file,
      Map<String, String> environment,
      Map<String, String> flags,
      Mistakes mistakes) {
    RawSettings raw = new RawSettings(scope, mistakes);
    if (file != null) {
      raw.readFile(file);
    }
    EnvironmentNames.read(scope, environment, raw::put, mistakes);
    flags.forEach((name, value) -> raw.put(name, value, "flag"));
    raw.rejectUnknown();
    return raw;
  }

  /** The text as it was given, or null. */
  @Nullable String get(String name) {
    return values.get(name);
  }

  /** Where the text is from; empty when nothing sets it. */
  String source(String name) {
    return sources.getOrDefault(name, "");
  }

  Map<String, String> all() {
    return Collections.unmodifiableMap(values);
  }

  /** Ids of the histories that are declared. */
  Set<String> histories() {
    return Collections.unmodifiableSet(histories);
  }

  private void put(String name, String value, String source) {
    values.put(name, value);
    if (source.equals(sources.put(name, source))) {
      mistakes.add("%s (%s): given twice; expected once".formatted(name, source));
    }
  }

  private void readFile(Path file) {
    try {
      JsonNode root = YAML.readTree(Files.readString(file));
      if (root.isObject()) {
        flatten("", root, file.toString());
      } else if (!root.isMissingNode() && !root.isNull()) {
        mistakes.add(
            "%s: found %s at the top; expected names and values, such as http: {port: 9617}"
                .formatted(file, root.isArray() ? "a list" : "one value"));
      }
    } catch (JsonProcessingException e) {
      long line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      mistakes.add(
          "%s:%d: not YAML: %s; expected one document in which each name is given once"
              .formatted(file, line, withoutText(e.getOriginalMessage())));
    } catch (IOException e) {
      mistakes.add("%s: %s; expected a YAML file".formatted(file, Unreadable.words(file, e)));
    }
  }

  /** What is wrong, without the lines of the file around it, which may hold a password. */
  private static String withoutText(String message) {
    return message
        .lines()
        .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
        .collect(Collectors.joining(", "));
  }

  private void flatten(String prefix, JsonNode node, String source) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      String name = prefix + field.getKey();
      JsonNode value = field.getValue();
      boolean history = scope.hasHistories() && prefix.equals(Setting.HISTORIES);
      if (history && (value.isObject() || value.isNull())) {
        histories.add(field.getKey());
      }
      if (value.isArray()) {
        mistakes.add("%s (%s): a list; expected %s".formatted(name, source, instead(name)));
      } else if (value.isObject()) {
        flattenObject(name, value, source);
      } else if (history || isSection(name)) {
        if (!value.isNull()) {
          mistakes.add(
              "%s (%s): one value, '%s'; expected names and values below it"
                  .formatted(name, source, value.asText()));
        }
      } else {
        if (isVerbatim(name) && !value.isTextual() && !value.isNull()) {
          mistakes.add(
              "%s (%s): a %s; expected text: put it in quotes"
                  .formatted(name, source, value.getNodeType().name().toLowerCase(Locale.ROOT)));
        }
        put(name, value.isNull() ? "" : value.asText(), source);
      }
    }
  }

  private static boolean isVerbatim(String name) {
    return VERBATIM.contains(name)
        || name.startsWith(Setting.DEFAULTS + Setting.LABELS.prefix())
        || LABEL_OF_HISTORY.matcher(name).matches();
  }

  private void flattenObject(String name, JsonNode value, String source) {
    if (isKnown(name) && !scope.passedToKafka().hasName(name)) {
      mistakes.add(
          "%s (%s): names and values below it; expected %s".formatted(name, source, instead(name)));
    } else if (value.isEmpty() && !isSection(name) && !isHistory(name)) {
      // Below it nothing would be found that could be refused.
      reject(name, source);
    } else {
      flatten(name + ".", value, source);
    }
  }

  private static String instead(String name) {
    return name.endsWith(Setting.COUNTING_TABLES.key())
        ? "one value, such as \"account, orders\""
        : "one value";
  }

  private boolean isSection(String name) {
    if (scope.passedToKafka().hasName(name)) {
      return false;
    }
    return SettingNames.isSection(scope, name)
        || histories.stream()
            .map(h -> Setting.HISTORIES + h + ".")
            .anyMatch(
                p ->
                    name.startsWith(p)
                        && SettingNames.isSectionOfHistory(name.substring(p.length())));
  }

  private boolean isHistory(String name) {
    return name.startsWith(Setting.HISTORIES)
        && histories.contains(name.substring(Setting.HISTORIES.length()));
  }

  private void rejectUnknown() {
    for (String name : values.keySet()) {
      if (!isKnown(name)) {
        reject(name, source(name));
      }
    }
    if (histories.contains("")) {
      mistakes.add("histories.: a history without a name; expected histories.ID.NAME");
    }
  }

  private void reject(String name, String source) {
    mistakes.add(
        "%s (%s): no such setting; %s"
            .formatted(name, source, SettingNames.expectedInsteadOf(scope, name)));
  }

  private boolean isKnown(String name) {
    if (scope.has(name) || !scope.hasHistories()) {
      return scope.has(name);
    }
    if (name.startsWith(Setting.DEFAULTS)) {
      return SettingNames.isOfHistory(name.substring(Setting.DEFAULTS.length()));
    }
    if (!name.startsWith(Setting.HISTORIES)) {
      return false;
    }
    String rest = name.substring(Setting.HISTORIES.length());
    for (String history : histories) {
      if (rest.startsWith(history + ".")
          && SettingNames.isOfHistory(rest.substring(history.length() + 1))) {
        return true;
      }
    }
    Matcher label = LABEL_OF_HISTORY.matcher(name);
    if (label.matches()) {
      histories.add(label.group(1));
      return true;
    }
    int promises = rest.indexOf("." + Setting.PROMISES.prefix());
    if (promises >= 0) {
      histories.add(rest.substring(0, promises));
      return true;
    }
    for (Setting s : Setting.HISTORY) {
      if (rest.endsWith("." + s.key())) {
        histories.add(rest.substring(0, rest.length() - s.key().length() - 1));
        return true;
      }
    }
    return false;
  }
}
