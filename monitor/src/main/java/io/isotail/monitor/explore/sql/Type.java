package io.isotail.monitor.explore.sql;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What a column, a parameter or a local holds. */
enum Type {
  NUMBER("a whole number"),
  TEXT("a text"),
  BOOLEAN("true or false");

  /** The types of SQL that are supported, by their first word. */
  static final Map<String, Type> BY_NAME =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("int", NUMBER),
              Map.entry("integer", NUMBER),
              Map.entry("bigint", NUMBER),
              Map.entry("smallint", NUMBER),
              Map.entry("text", TEXT),
              Map.entry("varchar", TEXT),
              Map.entry("char", TEXT),
              Map.entry("boolean", BOOLEAN)));

  private final String words;

  Type(String words) {
    this.words = words;
  }

  /** The type at the next words, with the length that may follow. */
  static Type read(SqlTokens tokens) {
    SqlToken name = tokens.take();
    Type type = name.kind() == SqlToken.Kind.WORD ? BY_NAME.get(name.text()) : null;
    if (type == null) {
      throw Refused.of(
          name, "a type: " + String.join(", ", BY_NAME.keySet()).toUpperCase(Locale.ROOT));
    }
    if (type == TEXT && tokens.accept("(")) {
      SqlToken length = tokens.take();
      if (length.kind() != SqlToken.Kind.NUMBER) {
        throw Refused.of(length, "a length");
      }
      tokens.expect(")");
    }
    return type;
  }

  /** Whether a value from outside can be one. */
  boolean takes(String value) {
    return switch (this) {
      case TEXT -> true;
      case BOOLEAN -> value.equals("true") || value.equals("false");
      case NUMBER -> {
        try {
          Long.parseLong(value);
          yield true;
        } catch (NumberFormatException e) {
          yield false;
        }
      }
    };
  }

  /** For messages: "a whole number". */
  @Override
  public String toString() {
    return words;
  }
}
