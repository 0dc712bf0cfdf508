package io.isotail.monitor.explore;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;

/** Programs that come with isotail. */
public final class Examples implements Iterable<String> {
  /** Their names. */
  public static final List<String> NAMES =
      List.of(
          "last-item",
          "shopping-cart",
          "courseware",
          "small-bank",
          "long-fork",
          "twitter",
          "wikipedia",
          "tpc-c",
          "small-bank.sql",
          "courseware.sql");

  /** The text of one. */
  public static String text(String name) {
    try (InputStream in = Examples.class.getResourceAsStream(file(name))) {
      if (in == null) {
        throw new IllegalArgumentException(
            "there is no example '%s'; expected one of %s"
                .formatted(name, String.join(", ", NAMES)));
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One in SQL says so in its name. */
  private static String file(String name) {
    return name.endsWith(".sql") ? name : name + ".explore";
  }

  @Override
  public Iterator<String> iterator() {
    return NAMES.iterator();
  }
}
