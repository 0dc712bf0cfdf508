package io.isotail.incremental.changes;

import io.isotail.incremental.record.LogStart;
import io.isotail.incremental.record.LoggedTable;
import io.isotail.incremental.record.RecordReader;
import io.isotail.incremental.record.RecordWriter;
import io.isotail.incremental.record.RowChange;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows that the log has shown to change since it was followed, with their versions.
 *
 * <p>Bounds: {@value #MOST_VERSIONS} versions, {@value #MOST_HASHES} hashes of columns. Rows that
 * have not changed for the longest are forgotten first; then it is no longer known of a row without
 * versions that it has not changed.
 */
final class LoggedRows {
  /** Versions of rows that are kept. */
  static final int MOST_VERSIONS = 1_000_000;

  /** Hashes of columns in these versions. */
  static final int MOST_HASHES = 6_000_000;

  /** Lists of columns that statements read, of which it is kept where they stand. */
  private static final int MOST_PLACES = 10_000;

  /** Instead of when a reader began: it is not known. */
  static final long NOT_KNOWN_WHEN = Long.MIN_VALUE + 1;

  /** Instead of when a reader began: perhaps before the log was followed. */
  static final long BEFORE_LOG = Long.MIN_VALUE;

  /** Writer of what was there before the log was followed. */
  static final long BASE = -1;

  /** Which writer it was is not known. */
  static final long UNCLEAR = -2;

  /** It was none: nobody has left such a content. */
  static final long NOBODY = -3;

  private final Long2ObjectLinkedOpenHashMap<LoggedRow> rows = new Long2ObjectLinkedOpenHashMap<>();
  private final Set<String> tables = new HashSet<>();
  private final Map<List<String>, Map<LoggedTable, int @Nullable []>> places = new HashMap<>();

  /** Tables of which something is not known: until when, in ms of the stream. */
  private final Map<String, Long> lateMs = new HashMap<>();

  private final LogTimes times = new LogTimes();

  /** Whether what was there before the log is what was there before capture. */
  boolean baseIsInitial;

  private int versions;
  private int hashes;
  private boolean forgot;

  /** When captured writers began. */
  final BeginTimes begins = new BeginTimes();

  /** What rows show of their writers. */
  final ShownIds shownIds = new ShownIds();

  /**
   * The rows that a transaction has left show these ids.
   *
   * @param shown by their keys, as of a {@link LoggedRow}
   */
  void name(long writer, Long2LongMap shown) {
    for (var each : shown.long2LongEntrySet()) {
      LoggedRow row = rows.get(each.getLongKey());
      int i = row == null ? -1 : row.find(writer);
      if (row != null && i >= 0 && row.contents[i] != null) {
        row.shown[i] = each.getLongValue();
      }
    }
  }

  /** It is not known any more who a transaction of the log is. */
  void doubt(LoggedTransaction logged) {
    for (long key : logged.rows.keySet()) {
      LoggedRow row = rows.get(key);
      int i = row == null ? -1 : row.find(logged.writer);
      if (row != null && i >= 0) {
        row.writers[i] = UNCLEAR;
      }
    }
  }

  /**
   * Whether a version that a row shows may be one which the log tells under another id, so that the
   * checker would take one transaction for two.
   */
  boolean mayBeOfPart(@Nullable String table, long key, long version) {
    int id = (int) version;
    if (table == null || !shownIds.isUnknown(table, id)) {
      return false;
    }
    LoggedRow row = rows.get(key);
    boolean may = shownIds.isForgotten(table);
    if (row == null) {
      return may || forgot;
    }
    may |= row.broken || row.cut;
    for (int i = 0; i < row.size; i++) {
      if ((int) row.writers[i] == id && row.writers[i] != UNCLEAR) {
        return false; // It is forgotten among the others.
      }
      boolean later = row.writers[i] == UNCLEAR || id - (int) row.writers[i] > 0;
      may |= later && row.shown[i] <= 0 && row.contents[i] != null;
    }
    return may;
  }

  /**
   * Who wrote a version that {@link #mayBeOfPart}, as the log has it; {@link #UNCLEAR} if it is not
   * known. See {@link #writerOf}.
   */
  long writerOfPart(@Nullable String table, long key, long version, Reader reader) {
    LoggedRow row = rows.get(key);
    if (row == null || table == null || row.broken || isTooEarly(table, reader.beganMs())) {
      return UNCLEAR;
    }
    int first = row.firstSeen(times.before(reader.beganMs()));
    boolean ofBefore = row.cut || shownIds.isForgotten(table);
    if (first < 0 && (ofBefore || shownIds.mayBeBefore((int) version))) {
      return UNCLEAR;
    }
    long found = UNCLEAR;
    int end = endSeen(row, first, reader);
    for (int i = Math.max(0, first); i < end; i++) {
      boolean unclear = row.writers[i] == UNCLEAR;
      boolean may = row.contents[i] != null && row.shown[i] <= 0;
      if (may && (unclear || (int) version - (int) row.writers[i] > 0)) {
        boolean told =
            !unclear && row.shown[i] == LoggedRow.NOT_TOLD && row.writers[i] != reader.own();
        if (!told || found != UNCLEAR) {
          return UNCLEAR;
        }
        found = row.writers[i];
      }
    }
    return found;
  }

  /**
   * How many of the first versions of a row a reader may have seen, with its own. Whoever wrote the
   * row after it began to do so when it had ended; and so did all behind one who began after that.
   *
   * @param first the first version that it may have seen
   */
  private int endSeen(LoggedRow row, int first, Reader reader) {
    for (int i = Math.max(0, first); i < row.size; i++) {
      if (row.writers[i] == reader.own()) {
        return i + 1;
      }
      if (row.writers[i] != UNCLEAR && begins.isAfter((int) row.writers[i], reader)) {
        return i;
      }
    }
    return row.size;
  }

  /** Whether the log has not shown a row to change, as far as it is known. */
  boolean isUnchanged(long key) {
    return !rows.containsKey(key);
  }

  /** Begins anew, with the rows of these tables. */
  void begin(Set<String> logged) {
    shownIds.forgetTold(null);
    rows.clear();
    places.clear();
    tables.clear();
    tables.addAll(logged);
    lateMs.clear();
    versions = 0;
    hashes = 0;
    forgot = false;
  }

  /**
   * Another one goes on with the log. Nothing is known any more of tables that are others now, or
   * are not told any more, nor of those that were not told before.
   *
   * @param timeMs when, in ms of the stream
   */
  void goOn(LogStart next, long timeMs) {
    Set<String> others = new HashSet<>(next.anew());
    tables.stream().filter(table -> !next.tables().contains(table)).forEach(others::add);
    next.tables().stream().filter(table -> !tables.contains(table)).forEach(others::add);
    if (!others.isEmpty()) {
      forget(others);
      shownIds.forgetTold(others);
      others.forEach(table -> lateMs.put(table, timeMs));
      places.clear();
    }
    tables.clear();
    tables.addAll(next.tables());
    lateMs.keySet().retainAll(tables);
  }

  private void forget(Set<String> others) {
    var each = rows.values().iterator();
    while (each.hasNext()) {
      LoggedRow row = each.next();
      if (others.contains(row.table.name())) {
        count(row, -row.size);
        each.remove();
      }
    }
  }

  /** Whether a read of a table may be of a time of which nothing is known. */
  private boolean isTooEarly(String table, long beganMs) {
    Long late = lateMs.get(table);
    return beganMs == BEFORE_LOG || (late != null && beganMs < late);
  }

  /** What was there before the log was followed is what was there before capture, or not. */
  private long base(String table) {
    return lateMs.containsKey(table) ? UNCLEAR : BASE;
  }

  /** Whether the changes of a table's rows are told. */
  boolean isLogged(@Nullable String table) {
    return table != null && tables.contains(table);
  }

  /** The table of a row that the log has shown. */
  LoggedTable table(long key) {
    return rows.get(key).table;
  }

  /** The log has a mark, which has come then. */
  void mark(long timeMs) {
    times.mark(timeMs);
  }

  /** Takes the next change. */
  void add(RowChange change, long writer) {
    tables.add(change.table().name());
    shownIds.tells(change.table().name());
    LoggedRow row = rows.getAndMoveToLast(change.key());
    if (row == null) {
      row = new LoggedRow(change.table());
      row.cut = forgot; // It may have changed before.
      rows.putAndMoveToLast(change.key(), row);
    }
    int before = row.size;
    row.add(change, writer, times.next());
    count(row, row.size - before);
    while ((versions > MOST_VERSIONS || hashes > MOST_HASHES) && rows.size() > 1) {
      LoggedRow first = rows.removeFirst();
      count(first, -first.size);
      forgot = true;
    }
  }

  private void count(LoggedRow row, int more) {
    versions += more;
    hashes += more * row.table.columns().size();
  }

  /**
   * Who wrote the content that a read of another transaction returned.
   *
   * @param columns the columns that were read
   * @param content the sum of their hashes
   * @param reader which is not meant itself
   * @return {@link #BASE}, {@link #UNCLEAR} or {@link #NOBODY} if it is none of the log's
   */
  long writerOf(String table, long key, List<String> columns, long content, Reader reader) {
    LoggedRow row = rows.get(key);
    if (row == null) {
      boolean early = isTooEarly(table, reader.beganMs());
      return early || forgot || !isLogged(table) ? UNCLEAR : base(table);
    }
    int[] at = columns.isEmpty() ? null : places(columns, row.table);
    long place = at == null ? UNCLEAR : placeOf(row, at, content, reader);
    if (place < 0) {
      return place == BASE ? base(table) : place;
    }
    long writer = row.writers[(int) place];
    row.read[(int) place] |= writer != UNCLEAR;
    return writer;
  }

  /**
   * The place of the only version that a reader may have seen with a content, which is not its own.
   *
   * @return {@link #BASE} for what was there before, {@link #NOBODY} if there is none, {@link
   *     #UNCLEAR} if there are several, or if it is not known
   */
  private long placeOf(LoggedRow row, int[] columns, long content, Reader reader) {
    int first = row.firstSeen(times.before(reader.beganMs()));
    boolean early = isTooEarly(row.table.name(), reader.beganMs());
    if (early || row.broken || (first < 0 && row.cut)) {
      return UNCLEAR;
    }
    long found = first >= 0 || !mayBe(row.base, columns, content) ? NOBODY : BASE;
    int end = endSeen(row, first, reader);
    for (int i = Math.max(0, first); i < end; i++) {
      if (row.writers[i] != reader.own() && mayBe(row.contents[i], columns, content)) {
        if (found != NOBODY) {
          return UNCLEAR;
        }
        found = i;
      }
    }
    return found;
  }

  /**
   * A transaction has written a row and left it as it found it, so that the log does not tell it.
   * Its version gets its place: directly behind the one that it found, which was the last one as
   * long as it held the row's lock.
   *
   * <p>The place must be certain, and nobody told to have read what it found: whoever did may have
   * read its version instead, which looks the same.
   *
   * @param columns the columns that it has set
   * @param content the sum of their hashes, as it left them
   * @param readFrom who wrote what it had read of the row before; nothing is done if it has found
   *     that again
   * @param writer what the log calls it; {@link #NOBODY} if the log has nothing of it
   * @return who wrote what it found; {@link #NOBODY} if nothing is done
   */
  long leftUnchanged(
      String table,
      long key,
      List<String> columns,
      long content,
      long readFrom,
      long writer,
      Reader reader) {
    LoggedRow row = rows.get(key);
    int[] at = row == null || row.broken ? null : places(columns, row.table);
    if (row == null || at == null || row.size == LoggedRow.MOST || !isLogged(table)) {
      return NOBODY;
    }
    int found =
        writer == NOBODY ? (int) placeOf(row, at, content, reader) : lastBefore(row, writer);
    boolean certain =
        found >= 0
            && !row.read[found]
            && row.find(readFrom) < found
            && row.find(writer) < 0
            && !isUnclear(row, found)
            && !isUnclear(row, found + 1) // Whose order to this one nothing tells.
            && isKnown(row.contents[found], at)
            && mayBe(row.contents[found], at, content);
    if (!certain) {
      return NOBODY;
    }
    row.insertUnchanged(found, writer == NOBODY ? UNCLEAR : writer, times.next());
    count(row, 1);
    return row.writers[found];
  }

  private static boolean isUnclear(LoggedRow row, int i) {
    return i < row.size && row.writers[i] == UNCLEAR;
  }

  /** The last version that stands in the log before a transaction; below 0 for none. */
  private static int lastBefore(LoggedRow row, long writer) {
    int last = row.size - 1;
    while (last >= 0
        && (row.writers[last] == UNCLEAR || (int) row.writers[last] - (int) writer > 0)) {
      last--;
    }
    return last;
  }

  /** Who removed a row that a read did not find; else as {@link #writerOf}. */
  long removerOf(String table, long key, Reader reader) {
    LoggedRow row = rows.get(key);
    if (isTooEarly(table, reader.beganMs())) {
      return UNCLEAR;
    }
    if (row == null) {
      return forgot || !isLogged(table) ? UNCLEAR : base(table);
    }
    int first = row.firstSeen(times.before(reader.beganMs()));
    if (row.broken || (first < 0 && row.cut)) {
      return UNCLEAR;
    }
    long found = first >= 0 || row.base != null ? UNCLEAR : BASE;
    int end = endSeen(row, first, reader);
    for (int i = Math.max(0, first); i < end; i++) {
      if (row.writers[i] != reader.own() && row.contents[i] == null) {
        if (found != UNCLEAR || row.writers[i] == UNCLEAR) {
          return UNCLEAR;
        }
        found = row.writers[i];
      }
    }
    return found == BASE ? base(table) : found;
  }

  /** Whether a transaction has certainly left a content of a row for good. */
  boolean left(long writer, long key, List<String> columns, @Nullable Long content) {
    LoggedRow row = rows.get(key);
    int i = row == null || row.broken ? -1 : row.find(writer);
    if (row == null || i < 0) {
      return false;
    }
    int[] at = columns.isEmpty() ? null : places(columns, row.table);
    return content == null
        ? row.contents[i] == null
        : at != null && isKnown(row.contents[i], at) && mayBe(row.contents[i], at, content);
  }

  /** Whether a transaction may have left a content of a row for good. */
  boolean mayHaveLeft(long writer, long key, List<String> columns, long content) {
    LoggedRow row = rows.get(key);
    int i = row == null || row.broken ? -1 : row.find(writer);
    int[] at = row == null ? null : places(columns, row.table);
    return row == null || i < 0 || at == null || mayBe(row.contents[i], at, content);
  }

  /**
   * The version of a row before that of a writer, as the checker has it; {@link #UNCLEAR} if it is
   * not known.
   */
  long before(long writer, long key) {
    LoggedRow row = rows.get(key);
    int i = row == null || row.broken ? -1 : row.find(writer);
    if (row == null || i <= 0 || row.writers[i - 1] == UNCLEAR) {
      return UNCLEAR;
    }
    long shown = row.shown[i - 1];
    long id = CapturedByLog.version(row.writers[i - 1]);
    if (shown == LoggedRow.NOT_TOLD || shown == LoggedRow.uncertain(id)) {
      return id;
    }
    return shown < 0 ? UNCLEAR : shown;
  }

  /**
   * Who removed a row when it showed a version; {@link #UNCLEAR} if that is not known.
   *
   * @param version what the row showed, as of {@link #shown}
   */
  long removerOfVersion(long key, long version) {
    LoggedRow row = rows.get(key);
    for (int i = 0; row != null && !row.broken && i < row.size; i++) {
      if (row.contents[i] == null && removedBy(row, i) == version) {
        return row.writers[i];
      }
    }
    return UNCLEAR;
  }

  /**
   * What a row showed that a transaction has removed, as {@link #shown}; {@link #UNCLEAR} if it is
   * not known.
   */
  long removedBy(long writer, long key) {
    LoggedRow row = rows.get(key);
    int i = row == null || row.broken ? -1 : row.find(writer);
    return row == null || i < 0 || row.contents[i] != null ? UNCLEAR : removedBy(row, i);
  }

  private long removedBy(LoggedRow row, int i) {
    if (i == 0) {
      return row.base == null || row.cut ? UNCLEAR : BASE;
    }
    if (row.writers[i - 1] == UNCLEAR || row.contents[i - 1] == null) {
      return UNCLEAR;
    }
    return row.shown[i - 1] > 0 ? row.shown[i - 1] : CapturedByLog.version(row.writers[i - 1]);
  }

  /**
   * A version that a row shows; {@link #BASE} for those of before the log, if whoever reads them
   * has certainly written nothing before that.
   */
  long shown(long version) {
    return baseIsInitial && shownIds.isBeforeLogs((int) version) ? BASE : version;
  }

  private static boolean isKnown(long @Nullable [] content, int[] columns) {
    for (int column : columns) {
      if (content == null || column >= content.length || content[column] == RowChange.NOT_KNOWN) {
        return false;
      }
    }
    return true;
  }

  private static boolean mayBe(long @Nullable [] content, int[] columns, long sum) {
    if (content == null) {
      return false;
    }
    long found = 0;
    for (int column : columns) {
      if (column >= content.length || content[column] == RowChange.NOT_KNOWN) {
        return true;
      }
      found += content[column];
    }
    return found == sum;
  }

  /** Where in a content these columns stand; null if one of them does not. */
  private int @Nullable [] places(List<String> columns, LoggedTable table) {
    if (places.size() > MOST_PLACES) {
      places.clear();
    }
    Map<LoggedTable, int @Nullable []> known =
        places.computeIfAbsent(columns, c -> new HashMap<>());
    if (!known.containsKey(table)) {
      int[] at = new int[columns.size()];
      boolean all = true;
      for (int i = 0; i < at.length; i++) {
        at[i] = table.columns().indexOf(columns.get(i));
        all &= at[i] >= 0;
      }
      known.put(table, all ? at : null);
    }
    return known.get(table);
  }

  void save(StateWriter out, RecordWriter records) {
    out.set(tables);
    out.count(lateMs.size());
    new TreeMap<>(lateMs)
        .forEach(
            (table, ms) -> {
              out.text(table);
              out.number(ms);
            });
    out.flag(forgot);
    out.flag(baseIsInitial);
    times.save(out);
    shownIds.save(out);
    begins.save(out);
    out.count(rows.size());
    for (var each : rows.long2ObjectEntrySet()) {
      LoggedRow row = each.getValue();
      out.number(each.getLongKey());
      records.table(row.table);
      out.flag(row.broken);
      out.flag(row.cut);
      records.content(row.base);
      out.count(row.size);
      for (int i = 0; i < row.size; i++) {
        out.number(row.writers[i]);
        out.number(row.marks[i]);
        out.number(row.shown[i]);
        out.flag(row.read[i]);
        records.content(row.contents[i]);
      }
    }
  }

  void load(StateReader in, RecordReader records) {
    List<String> logged = new ArrayList<>();
    for (int n = in.count(); n > 0; n--) {
      logged.add(in.requiredText());
    }
    begin(new HashSet<>(logged));
    for (int n = in.count(); n > 0; n--) {
      lateMs.put(in.requiredText(), in.number());
    }
    forgot = in.flag();
    baseIsInitial = in.flag();
    times.load(in);
    shownIds.load(in);
    begins.load(in);
    for (int n = in.count(); n > 0; n--) {
      long key = in.number();
      LoggedRow row = new LoggedRow(records.table());
      row.broken = in.flag();
      row.cut = in.flag();
      row.base = records.content();
      int size = in.count();
      row.room(size);
      for (int i = 0; i < size; i++) {
        row.writers[i] = in.number();
        row.marks[i] = in.number();
        row.shown[i] = in.number();
        row.read[i] = in.flag();
        row.contents[i] = records.content();
      }
      row.size = size;
      count(row, size);
      rows.putAndMoveToLast(key, row);
    }
  }
}
