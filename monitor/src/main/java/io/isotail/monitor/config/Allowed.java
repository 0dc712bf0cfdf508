package io.isotail.monitor.config;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.proxy.ProxyConfig;
import io.isotail.ingest.proxy.ProxyConfig.UpstreamTls;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a setting may say. A setting without a default may also say nothing.
 *
 * @param words for people
 * @param mistake says what is wrong with a text and what was expected; null when nothing is
 * @param shown how a text is printed
 */
record Allowed(
    String words, Function<String, @Nullable String> mistake, UnaryOperator<String> shown) {

  static final Allowed FILE = text("file");
  static final Allowed SECRET = text("text").printed(t -> t.isEmpty() ? "" : "(set)");
  static final Allowed BOOLEAN =
      of("`true`, `false`", "expected true or false", t -> t.equals("true") || t.equals("false"));
  static final Allowed NAME =
      of(
          "name",
          "expected 1 to 249 of a-z A-Z 0-9 . _ - and neither . nor ..",
          t -> t.matches("[a-zA-Z0-9._-]{1,249}") && !t.matches("\\.{1,2}"));
  static final Allowed HOST =
      of(
          "name or address",
          "expected a name or an address such as 127.0.0.1 or ::1, no port",
          t ->
              t.matches("[0-9a-fA-F]*:[0-9a-fA-F:.]*:[0-9a-fA-F.]*(%[A-Za-z0-9._-]+)?")
                  || t.matches("[A-Za-z0-9]([A-Za-z0-9._-]*)"));
  static final Allowed ADDRESS = new Allowed("`HOST:PORT`", Allowed::noAddress, t -> t);
  static final Allowed TLS_MODE =
      new Allowed(
          Arrays.stream(UpstreamTls.values())
              .map(tls -> "`" + tls.label() + "`")
              .collect(Collectors.joining(", ")),
          Allowed::noTlsMode,
          t -> t);
  static final Allowed LEVEL_NAME = new Allowed("level", Allowed::unknownLevel, t -> t);
  static final Allowed STRONGEST =
      LEVEL_NAME.printed(t -> t.isEmpty() ? IsolationLevel.STRICT_SERIALIZABLE.label() : t);
  static final Allowed TABLES =
      of(
              "`TABLE`, …",
              "expected names of tables with commas between, as in account, orders",
              t -> tables(t).stream().noneMatch(n -> n.matches(".*[\\s;()].*")))
          .printed(t -> String.join(", ", tables(t)));
  static final Allowed TIME =
      of("time, as `10ms`", "expected a time as in 10ms, 2s or 1m, or nothing", Allowed::isTime)
          .printed(Allowed::seconds);

  /** Any text. */
  static Allowed text(String words) {
    return new Allowed(words, t -> null, t -> t);
  }

  /** A whole number from {@code least} on. */
  static Allowed number(int least) {
    return number(least, Integer.MAX_VALUE);
  }

  /** A whole number from {@code least} to {@code most}; {@code _} may stand between digits. */
  static Allowed number(int least, int most) {
    return of(
            most == Integer.MAX_VALUE ? least + " or more" : least + " to " + most,
            "expected a whole number from %d to %d".formatted(least, most),
            t -> isNumber(t, least, most))
        .printed(t -> Integer.toString(integer(t)));
  }

  static int integer(String text) {
    return Integer.parseInt(text.replace("_", ""));
  }

  /** Names between commas. */
  static Set<String> tables(String text) {
    Set<String> names = new TreeSet<>();
    for (String name : text.split(",", -1)) {
      if (!name.isBlank()) {
        names.add(name.trim());
      }
    }
    return names;
  }

  /** A time in ns; {@link CheckerConfig#NEVER_COMPARED} for none. */
  static long nanos(String text) {
    return text.isEmpty() ? CheckerConfig.NEVER_COMPARED : Durations.parse("", text).toNanos();
  }

  private static Allowed of(String words, String expected, Predicate<String> allows) {
    return new Allowed(words, t -> allows.test(t) ? null : expected, t -> t);
  }

  private Allowed printed(UnaryOperator<String> as) {
    return new Allowed(words, mistake, as);
  }

  private static @Nullable String noAddress(String text) {
    return mistake(() -> ProxyConfig.Address.parse(text));
  }

  private static @Nullable String noTlsMode(String text) {
    return mistake(() -> UpstreamTls.ofLabel(text));
  }

  private static @Nullable String mistake(Runnable parse) {
    try {
      parse.run();
      return null;
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static @Nullable String unknownLevel(String text) {
    return mistake(() -> IsolationLevel.ofLabel(text.trim()));
  }

  private static boolean isNumber(String text, int least, int most) {
    try {
      int number = integer(text);
      return number >= least && number <= most;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static boolean isTime(String text) {
    try {
      return nanos(text) > 0;
    } catch (IllegalArgumentException | ArithmeticException e) {
      return false;
    }
  }

  /** PT0.01S as 0.01s, which the setting takes. */
  private static String seconds(String text) {
    return text.isEmpty()
        ? ""
        : Duration.ofNanos(nanos(text)).toString().substring(2).toLowerCase(Locale.ROOT);
  }
}
