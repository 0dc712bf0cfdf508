package io.isotail.monitor.terminal;

/** Text from a database or a file, made safe for a terminal. */
public final class Printable {
  private static final String PLAIN = "[\\p{L}\\p{N}_.:@+/\\\\-]+";

  private Printable() {}

  /** The text with everything that a terminal could take for a command written as an escape. */
  public static String escaped(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              switch (Character.getType(c)) {
                case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> {
                  for (char unit : Character.toChars(c)) {
                    safe.append("\\u%04x".formatted((int) unit));
                  }
                }
                default -> safe.appendCodePoint(c);
              }
            });
    return safe.toString();
  }

  /** A value: as it is when it is one plain word, else in quotes with escapes inside. */
  public static String value(String text) {
    if (text.matches(PLAIN) && text.indexOf('\\', 1) < 0) {
      return text;
    }
    return '"' + escaped(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
  }
}
