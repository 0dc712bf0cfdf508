package io.isotail.ingest.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A format of history files that can be read; one that can be written too is a {@link
 * WritableFormat}. It is a service: a public class with a constructor without arguments, named in
 * {@code META-INF/services}; {@link HistoryFormats} finds it. Immutable; two of one class are
 * equal.
 */
public interface HistoryFormat {

  /** The format's name in every interface. */
  String label();

  /** What it is, in a few words for people. */
  String summary();

  /** What its files hold beside reads and writes of transactions that committed or aborted. */
  Set<Content> holds();

  /** How one tells a file of it, as in {@code 'r(' or 'w('}; null when it is a directory. */
  @Nullable String fileMark();

  /** How one tells a directory of it; null when it is a file. */
  @Nullable String directoryMark();

  /**
   * Whether a history is of this format. Formats are asked in the order in which they are
   * registered; of several that say yes the first one is taken.
   *
   * @throws HistoryFormatException if it is a part of a history of this format, and cannot be read
   *     alone
   */
  boolean recognises(HistoryHead head) throws IOException, HistoryFormatException;

  /**
   * Reads a history from its beginning to its end, in memory that does not grow with its length but
   * for what the package's description names.
   *
   * @throws HistoryFormatException where the file departs from the format; transactions before that
   *     place may have been handed over by then
   */
  void read(Path path, TransactionConsumer consumer) throws IOException, HistoryFormatException;
}
