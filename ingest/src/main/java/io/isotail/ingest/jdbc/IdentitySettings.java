package io.isotail.ingest.jdbc;

import io.isotail.ingest.sql.ObservedTables;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings on which the identities of a history depend, found where the driver finds them.
 *
 * @param realUrl the URL for the real driver, null if none was given
 * @param tables the observed tables, null if they are not set
 * @param history id of the history, null if it is not set
 * @param secret secret of the hashes, null if it is not set
 * @param clearNames whether keys and versions are recorded in clear beside their hashes
 */
public record IdentitySettings(
    @Nullable String realUrl,
    @Nullable ObservedTables tables,
    @Nullable String history,
    @Nullable String secret,
    boolean clearNames) {
  private static final String JDBC = "jdbc:";

  /** Never tells the secret. */
  @Override
  public String toString() {
    return "IdentitySettings[history=" + history + "]";
  }

  /**
   * Reads the settings.
   *
   * @param url of the driver or of the real one; null for none
   * @param options settings that win over those of the URL, as {@code isotail.tables}
   * @param systemProperty a system property by its name
   * @param environment a variable of the environment by its name
   * @throws IllegalArgumentException saying which setting is wrong and what was expected
   * @throws java.io.UncheckedIOException when {@code isotail.config} cannot be read
   */
  public static IdentitySettings of(
      @Nullable String url,
      Map<String, String> options,
      UnaryOperator<@Nullable String> systemProperty,
      UnaryOperator<@Nullable String> environment) {
    Map<String, String> given = new HashMap<>();
    String realUrl = url == null ? null : realUrl(url, given);
    given.putAll(options);
    SettingLookup lookup = new SettingLookup(given, systemProperty, environment);
    String tables = lookup.find(DriverSetting.TABLES);
    return new IdentitySettings(
        realUrl,
        tables == null ? null : ObservedTables.parse(tables),
        lookup.find(DriverSetting.HISTORY),
        lookup.find(DriverSetting.KEY),
        lookup.bool(DriverSetting.CLEAR_NAMES));
  }

  /**
   * The URL for the real driver; isotail's parameters move to {@code settings}.
   *
   * @param url of the driver or of the real one
   */
  static String realUrl(String url, Map<String, String> settings) {
    if (!url.startsWith(JDBC)) {
      throw new IllegalArgumentException("the URL does not start with " + JDBC);
    }
    boolean wrapped = url.startsWith(CaptureSettings.URL_PREFIX);
    return CaptureSettings.stripUrl(
        wrapped ? url : CaptureSettings.URL_PREFIX + url.substring(JDBC.length()), settings);
  }
}
