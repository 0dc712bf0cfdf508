package io.isotail.monitor.tail;

import org.jspecify.annotations.Nullable;

/**
 * Up to where a log has been told for certain, so that another one can go on with it. One line of
 * text, since Kafka keeps no more with an offset.
 *
 * @param source who told it, as records name that
 * @param gtid the whole name of the last transaction that was told, or of one after it that was not
 *     to be told
 * @param file of the log
 * @param position behind the transaction in the file
 * @param database which server and database it is
 * @param tables {@link TailedTables#digests} of the tables then
 */
record LogPlace(
    String source, String gtid, String file, long position, String database, String tables) {
  private static final String FORM = "1";
  private static final int WORDS = 7;

  /** Number of the transaction. */
  long sequence() {
    return sequenceOf(gtid);
  }

  /** The number at the end of a transaction's whole name. */
  static long sequenceOf(String gtid) {
    return Long.parseLong(gtid.substring(gtid.lastIndexOf('-') + 1));
  }

  /** As a line. */
  String text() {
    return String.join(" ", FORM, source, gtid, file, Long.toString(position), database, tables);
  }

  /** What {@link #text} wrote; null if it is something else. */
  static @Nullable LogPlace parse(@Nullable String text) {
    String[] words = text == null ? new String[0] : text.split(" ", -1);
    return words.length == WORDS
            && words[0].equals(FORM)
            && words[2].matches("\\d+-\\d+-\\d{1,18}")
            && words[4].matches("\\d{1,18}")
        ? new LogPlace(words[1], words[2], words[3], Long.parseLong(words[4]), words[5], words[6])
        : null;
  }
}
