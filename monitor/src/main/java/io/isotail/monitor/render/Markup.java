package io.isotail.monitor.render;

/** Texts in XML and HTML. */
public final class Markup {
  private Markup() {}

  /** Leaves nothing that could be taken for markup, and no character that XML does not know. */
  public static String escaped(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> {
                  if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                    safe.append(' ');
                  } else if ((c >= 0xD800 && c <= 0xDFFF) || (c & 0xFFFE) == 0xFFFE) {
                    safe.append('\uFFFD');
                  } else {
                    safe.appendCodePoint(c);
                  }
                }
              }
            });
    return safe.toString();
  }
}
