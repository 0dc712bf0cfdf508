package io.isotail.ingest.postgres;

import org.jspecify.annotations.Nullable;

/** The words of a text in SQL, one after another, as the server reads them. For one thread. */
final class WordsInSql {
  private static final String SPACE = " \t\n\r\f\u000b";

  private final String sql;
  private int at;
  private boolean quoted;

  WordsInSql(String sql) {
    this.sql = sql;
  }

  /** The word that begins here in lower case; empty if none does. */
  String keyword() {
    String word = name();
    return word == null || quoted ? "" : word;
  }

  /** Whether the last name stood in quotes. */
  boolean isQuoted() {
    return quoted;
  }

  /** The name that begins here; null if none does. */
  @Nullable String name() {
    skipSpace();
    boolean escaped = sql.regionMatches(true, at, "u&\"", 0, 3);
    quoted = escaped || sql.startsWith("\"", at);
    if (quoted) {
      at += escaped ? 2 : 0;
      String name = quotedName();
      return name == null || !escaped ? name : unescaped(name, escape());
    }
    int start = at;
    while (at < sql.length() && isPartOfName(sql.charAt(at))) {
      at++;
    }
    return start == at ? null : lower(sql.substring(start, at));
  }

  private @Nullable String quotedName() {
    StringBuilder name = new StringBuilder();
    for (at++; at < sql.length(); at++) {
      char c = sql.charAt(at);
      if (c == '"') {
        at++;
        if (at == sql.length() || sql.charAt(at) != '"') {
          return name.toString();
        }
      }
      name.append(c);
    }
    return null;
  }

  /** The character that UESCAPE names, behind a name; a backslash if it does not follow. */
  private char escape() {
    int before = at;
    skipSpace();
    if (sql.regionMatches(true, at, "uescape", 0, 7)) {
      at += 7;
      skipSpace();
      if (at + 2 < sql.length() && sql.charAt(at) == '\'' && sql.charAt(at + 2) == '\'') {
        at += 3;
        return sql.charAt(at - 2);
      }
    }
    at = before;
    return '\\';
  }

  /** A name with the characters that its escapes stand for; null if they stand for none. */
  private static @Nullable String unescaped(String name, char escape) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) != escape) {
        text.append(name.charAt(i));
      } else if (name.startsWith(String.valueOf(escape), i + 1)) {
        text.append(escape);
        i++;
      } else {
        boolean six = name.startsWith("+", i + 1);
        int start = i + (six ? 2 : 1);
        int end = start + (six ? 6 : 4);
        try {
          text.appendCodePoint(Integer.parseInt(name, start, end, 16));
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
          return null; // The server refuses it.
        }
        i = end - 1;
      }
    }
    return text.toString();
  }

  /** The last name of a statement that ends with it; null if it does not. */
  @Nullable String lastName() {
    String last = null;
    while (!ends()) {
      last = name();
      if (last == null && (at == sql.length() || sql.charAt(at) == ';')) {
        return null;
      } else if (last == null) {
        at++; // A sign, or a comma.
      }
    }
    return last;
  }

  /** The name that PREPARE gives; null if this is another statement. */
  @Nullable String prepared() {
    String name = name();
    skipSpace();
    boolean types = at < sql.length() && sql.charAt(at) == '(';
    return types || keyword().equals("as") ? name : null;
  }

  /** Whether nothing but a semicolon is left. */
  boolean ends() {
    int before = at;
    skipSpace();
    while (at < sql.length() && sql.charAt(at) == ';') {
      at++;
      skipSpace();
    }
    boolean ends = at == sql.length();
    at = before;
    return ends;
  }

  private void skipSpace() {
    int before = -1;
    while (before != at) {
      before = at;
      while (at < sql.length() && SPACE.indexOf(sql.charAt(at)) >= 0) {
        at++;
      }
      if (sql.startsWith("--", at)) {
        while (at < sql.length() && sql.charAt(at) != '\n' && sql.charAt(at) != '\r') {
          at++;
        }
      } else if (sql.startsWith("/*", at)) {
        skipComment();
      }
    }
  }

  /** Comments of this form hold others. */
  private void skipComment() {
    int depth = 0;
    do {
      if (sql.startsWith("/*", at)) {
        depth++;
        at += 2;
      } else if (sql.startsWith("*/", at)) {
        depth--;
        at += 2;
      } else {
        at++;
      }
    } while (depth > 0 && at < sql.length());
  }

  private static boolean isPartOfName(char c) {
    return c == '_' || c == '$' || c > 127 || Character.isLetterOrDigit(c);
  }

  /** Folded as the server does it. */
  private static String lower(String name) {
    StringBuilder lower = new StringBuilder(name);
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c >= 'A' && c <= 'Z') {
        lower.setCharAt(i, (char) (c + 'a' - 'A'));
      }
    }
    return lower.toString();
  }
}
