package io.isotail.ingest.postgres;

import org.jspecify.annotations.Nullable;

/**
 * What a statement in SQL has to do with a name of the session: of a prepared statement, or of a
 * portal. SQL and the protocol share these names.
 *
 * @param kind what it does
 * @param name the name, as {@link ServerNames} says; empty if it is about none, or about all
 */
record NamesInSql(Kind kind, String name) {
  /** What statements do with names. */
  enum Kind {
    NOTHING,
    /** EXECUTE of a statement. */
    EXECUTE,
    /** FETCH of a portal's rows. */
    FETCH,
    /** MOVE past a portal's rows. */
    MOVE,
    /** PREPARE of a statement. */
    PREPARE,
    /** Several statements or a block of code, which may prepare any. */
    PREPARE_ANY,
    /** DEALLOCATE of a statement. */
    DEALLOCATE,
    /** DEALLOCATE ALL and DISCARD ALL. */
    DEALLOCATE_ALL
  }

  private static final NamesInSql NOTHING = new NamesInSql(Kind.NOTHING, "");

  /** What a text that is not known may have to do with names. */
  static final NamesInSql ANY = new NamesInSql(Kind.PREPARE_ANY, "");

  /**
   * Reads a text. One of several statements has to do with any name if it may prepare one, and else
   * with none that is known.
   */
  static NamesInSql of(String sql) {
    WordsInSql words = new WordsInSql(sql);
    String first = words.keyword();
    if ((first.equals("do") || maySeparate(sql)) && mentionsPrepare(sql)) {
      return ANY;
    }
    return switch (first) {
      case "execute" -> of(Kind.EXECUTE, words.name());
      case "fetch" -> of(Kind.FETCH, words.lastName());
      case "move" -> of(Kind.MOVE, words.lastName());
      case "prepare" -> of(Kind.PREPARE, words.prepared());
      case "deallocate" -> deallocate(words);
      case "discard" ->
          words.keyword().equals("all") && words.ends()
              ? new NamesInSql(Kind.DEALLOCATE_ALL, "")
              : NOTHING;
      default -> NOTHING;
    };
  }

  private static boolean mentionsPrepare(String sql) {
    String word = "prepare";
    for (int i = 0; i <= sql.length() - word.length(); i++) {
      if (sql.regionMatches(true, i, word, 0, word.length())) {
        return true;
      }
    }
    return false;
  }

  /** Whether more than space follows a semicolon, wherever it stands. */
  private static boolean maySeparate(String sql) {
    int semicolon = sql.indexOf(';');
    WordsInSql rest = new WordsInSql(semicolon < 0 ? "" : sql.substring(semicolon));
    return !rest.ends();
  }

  private static NamesInSql deallocate(WordsInSql words) {
    String name = words.name();
    if ("prepare".equals(name) && !words.isQuoted() && !words.ends()) {
      name = words.name();
    }
    boolean all = "all".equals(name) && !words.isQuoted();
    if (!words.ends()) {
      return NOTHING;
    }
    return all ? new NamesInSql(Kind.DEALLOCATE_ALL, "") : of(Kind.DEALLOCATE, name);
  }

  private static NamesInSql of(Kind kind, @Nullable String name) {
    return name == null ? NOTHING : new NamesInSql(kind, ServerNames.ofSql(name));
  }
}
