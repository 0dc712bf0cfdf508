package io.isotail.monitor.tail;

import org.jspecify.annotations.Nullable;

/**
 * Up to where a log has been told for certain, so that another one can go on with it.
 *
 * @param source who told it, as records name that
 * @param gtid the whole name of the last transaction that was told, or of one after it that was not
 *     to be told
 * @param tables {@link TailedTables#digest} of the tables then: only if they are the same what was
 *     told of their rows still counts
 */
record LogPlace(String source, String gtid, String tables) {
  /** Number of the transaction. */
  long sequence() {
    return Long.parseLong(gtid.substring(gtid.lastIndexOf('-') + 1));
  }

  /** As a line. */
  String text() {
    return source + " " + gtid + " " + tables;
  }

  /** What {@link #text} wrote; null if it is something else. */
  static @Nullable LogPlace parse(@Nullable String text) {
    String[] words = text == null ? new String[0] : text.split(" ", -1);
    return words.length == 3 && words[1].matches("\\d+-\\d+-\\d{1,18}")
        ? new LogPlace(words[0], words[1], words[2])
        : null;
  }
}
