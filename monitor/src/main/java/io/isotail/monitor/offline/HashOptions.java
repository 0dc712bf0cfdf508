package io.isotail.monitor.offline;

import io.isotail.ingest.jdbc.DriverSetting;
import io.isotail.ingest.jdbc.IdentitySettings;
import io.isotail.monitor.resolve.ResolveException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say how the applications hash their keys. */
final class HashOptions {
  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description = "Properties file with the driver's settings, as isotail.config names it.")
  private @Nullable String settings;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "File with isotail.key alone, on one line.")
  private @Nullable String keyFile;

  @Option(
      names = "--observed",
      paramLabel = "TABLES",
      description = "Sets isotail.tables, as in 'orders(id;version),stock(warehouse,item;rev)'.")
  private @Nullable String observed;

  @Option(names = "--history", paramLabel = "ID", description = "Sets isotail.history.")
  private @Nullable String history;

  /**
   * The settings, from these options and from where the driver finds them.
   *
   * @param url URL of the driver or of PostgreSQL's, null for none
   * @throws IllegalArgumentException when one of them is wrong
   * @throws java.io.UncheckedIOException when the file with them cannot be read
   */
  IdentitySettings read(@Nullable String url) throws ResolveException, IOException {
    if (url != null) {
      DatabaseOptions.requireNoKey(url);
    }
    Map<String, String> options = new HashMap<>();
    if (keyFile != null) {
      options.put(DriverSetting.KEY.key(), InputFiles.oneLine("--key-file", keyFile));
    }
    if (settings != null) {
      options.put(DriverSetting.CONFIG.key(), settings);
    }
    if (observed != null) {
      options.put(DriverSetting.TABLES.key(), observed);
    }
    if (history != null) {
      options.put(DriverSetting.HISTORY.key(), history);
    }
    return IdentitySettings.of(url, options, System::getProperty, System::getenv);
  }
}
