package io.isotail.incremental.record;

import org.jspecify.annotations.Nullable;

/**
 * What leads from a transaction to the code that ran it, for people. It holds no literal of a
 * statement; each part has at most {@value #MAX_CHARS} characters.
 *
 * @param application what the connection calls its application, null when it does not tell
 * @param endpoint route, controller and action that the statements belong to, null when not told
 * @param trace id of the distributed trace, 32 hexadecimal digits, null when not told
 * @param version name of the application and, as its last word, the version: {@code shop 1.42};
 *     null when not told
 */
public record Origin(
    @Nullable String application,
    @Nullable String endpoint,
    @Nullable String trace,
    @Nullable String version) {

  /** The longest part, in characters. */
  public static final int MAX_CHARS = 200;

  /** The parts, without a version. */
  public Origin(@Nullable String application, @Nullable String endpoint, @Nullable String trace) {
    this(application, endpoint, trace, null);
  }

  /** The parts; null if none is told. */
  public static @Nullable Origin of(
      @Nullable String application, @Nullable String endpoint, @Nullable String trace) {
    return of(application, endpoint, trace, null);
  }

  /** The parts; null if none is told. */
  public static @Nullable Origin of(
      @Nullable String application,
      @Nullable String endpoint,
      @Nullable String trace,
      @Nullable String version) {
    return application == null && endpoint == null && trace == null && version == null
        ? null
        : new Origin(application, endpoint, trace, version);
  }
}
