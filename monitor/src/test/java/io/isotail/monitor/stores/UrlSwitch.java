package io.isotail.monitor.stores;

import java.util.regex.Pattern;

/** A switch in the query of a store's URL: {@code ?sync=true}. */
final class UrlSwitch {
  private UrlSwitch() {}

  /**
   * Its value.
   *
   * @throws IllegalArgumentException if it is neither true nor false
   */
  static boolean of(String url, String name, boolean unlessGiven) {
    var matcher = Pattern.compile("[?&]" + name + "=([^&]*)").matcher(url);
    if (!matcher.find()) {
      return unlessGiven;
    }
    return switch (matcher.group(1)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "%s=%s in the URL; expected true or false".formatted(name, matcher.group(1)));
    };
  }
}
