package io.isotail.ingest.capture;

import io.isotail.incremental.record.Origin;
import io.isotail.ingest.sql.NamedVersion;
import io.isotail.ingest.sql.SqlCommenter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a connection and the settings tell of the application, for transactions whose comments do
 * not tell it. Of several versions that of the comment counts, then that of the settings, then that
 * of the connection's name.
 */
final class ApplicationName {
  private final @Nullable String application;

  /** Name that a version gets which stands alone. */
  private final String name;

  private final @Nullable String version;
  private final boolean isSet;
  private final @Nullable Origin origin;

  /**
   * Of a connection.
   *
   * @param told what it calls its application; null when it does not tell
   */
  ApplicationName(@Nullable String told, CaptureConfig config) {
    String line = told == null ? null : SqlCommenter.bounded(told);
    NamedVersion split = line == null ? null : NamedVersion.of(line);
    String set = config.version() == null ? null : SqlCommenter.version(config.version());
    boolean named = !config.service().equals(CaptureConfig.DEFAULT_SERVICE);
    this.application = split == null ? null : split.name();
    this.name = named || application == null ? config.service() : application;
    this.isSet = set != null;
    if (set != null) {
      this.version = versioned(name, set);
    } else {
      this.version =
          split == null || split.version() == null
              ? null
              : versioned(split.name(), split.version());
    }
    this.origin = Origin.of(application, null, null, version);
  }

  private static String versioned(String name, String version) {
    int most = Origin.MAX_CHARS - version.length() - 1;
    return name.substring(0, Math.min(name.length(), most)) + " " + version;
  }

  /** What leads to the code of a transaction; {@code comment} is what its comment tells of that. */
  @Nullable Origin with(@Nullable Origin comment) {
    if (comment == null) {
      return origin;
    }
    String told = comment.application();
    String itsVersion = comment.version();
    String whole;
    if (itsVersion != null && itsVersion.indexOf(' ') >= 0) {
      whole = itsVersion; // of an earlier chunk
    } else if (itsVersion != null) {
      whole = versioned(told == null ? name : told, itsVersion);
    } else {
      boolean same = isSet || told == null || told.equals(application);
      whole = same ? version : null;
    }
    String itsApplication = told == null ? application : told;
    return Objects.equals(itsApplication, told) && Objects.equals(whole, itsVersion)
        ? comment
        : Origin.of(itsApplication, comment.endpoint(), comment.trace(), whole);
  }
}
