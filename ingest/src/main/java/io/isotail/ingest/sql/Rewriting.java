package io.isotail.ingest.sql;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement's text with columns that the application does not see.
 *
 * @param addition what is added
 * @param text the text with the columns
 * @param slots the slots of the statement
 * @param places for each insertion where it stands in the application's text, and its length
 * @param keysOnly the text with fewer columns, for a table whose INSERT cannot return the version;
 *     null if there is none
 * @param replaced the text with columns that tell what was there before too, for servers that can
 *     return it; null if there is none
 */
public record Rewriting(
    Addition addition,
    String text,
    List<Slot> slots,
    List<int[]> places,
    @Nullable Rewriting keysOnly,
    @Nullable Rewriting replaced) {

  private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}_$]+");

  private static final Pattern QUALIFIER = Pattern.compile("[^\\s,(\\[]+\\.");

  /** A query that makes one row of more is not asked for them. */
  static final long MOST_ROWS_OF_ONE = 10_000;

  /** Puts columns into a text that has these tokens. */
  static Rewriting of(Addition addition, String text, LexedSql lexed) {
    Addition fewer = addition.keysOnly();
    Addition more = addition.replaced();
    return new Rewriting(
        addition,
        Insertion.into(text, lexed.tokens(), addition.insertions()),
        lexed.slots(),
        Insertion.places(lexed.tokens(), addition.insertions()),
        fewer == null ? null : of(fewer, text, lexed),
        more == null ? null : of(more, text, lexed));
  }

  /** Where the columns stand. */
  public enum Place {
    /** At the end of select lists. */
    SELECT_LISTS,
    /** At the end of the RETURNING list that the application has written. */
    RETURNING_LIST,
    /** At the end of the RETURNING list of a common table expression, and of its query's list. */
    SHOWN_RETURNING_LIST,
    /** In a RETURNING clause of their own. */
    RETURNING
  }

  /**
   * What is added to every text of one shape.
   *
   * @param analysis what the rewritten statement does
   * @param place where the columns stand
   * @param insertions their texts, at the tokens of the statement
   * @param count number of columns that the result has more
   * @param bounds how many rows of tables each array tells at most that is among the columns
   * @param positions what stands for columns by their numbers in the queries that get columns
   * @param keysOnly what is added where a row cannot tell its version; null if that cannot be
   * @param replaced what is added where a row can tell the version before it; null if there is none
   */
  public record Addition(
      Analysis analysis,
      Place place,
      List<Insertion> insertions,
      int count,
      List<RowBound> bounds,
      List<ColumnPosition> positions,
      @Nullable Addition keysOnly,
      @Nullable Addition replaced) {

    /** Copies the lists. */
    public Addition {
      insertions = List.copyOf(insertions);
      bounds = List.copyOf(bounds);
      positions = List.copyOf(positions);
    }
  }

  /** Whether the statement is a write without a RETURNING list of the application. */
  public boolean isWrite() {
    return addition.place() == Place.RETURNING;
  }

  /** Whether it returns as many rows as it writes, and no text says how many these are. */
  public boolean isOpenEnded() {
    return addition.analysis() instanceof Analysis.Written written && !written.bounded();
  }

  /** Whether the rows tell what was there before. */
  public boolean tellsReplaced() {
    return addition.analysis() instanceof Analysis.Written written && written.tellsReplaced();
  }

  /** Whether MERGE is to return rows. */
  public boolean returnsFromMerge() {
    return addition.analysis() instanceof Analysis.Written written
        && written.kind() == Analysis.WriteKind.MERGE
        && isWrite();
  }

  /** Whether the driver gives no keys of it when the application asks for some. */
  public boolean givesNoKeys() {
    return returnsFromMerge() || addition.place() == Place.SHOWN_RETURNING_LIST;
  }

  /** Whether the statement is a write. */
  public boolean isOfWrite() {
    return addition.place() != Place.SELECT_LISTS;
  }

  /**
   * Whether no row of the result tells more rows of tables than it should.
   *
   * @param parameters as for {@link Operand#value}
   */
  public boolean isBounded(IntFunction<Object> parameters) {
    for (RowBound bound : addition.bounds()) {
      if (!bound.within(MOST_ROWS_OF_ONE, slots, parameters)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether no number that should stand for a column of the application stands for a hidden one.
   *
   * @param widths how many columns a table has at least
   */
  public boolean keepsPositions(ToIntFunction<ObservedTable> widths) {
    for (ColumnPosition position : addition.positions()) {
      if (!position.stands(slots, widths)) {
        return false;
      }
    }
    return true;
  }

  /** The place in the application's text of a place in this text; both count from 0. */
  public int placeWithout(int place) {
    int without = place;
    for (int[] each : places) {
      if (without > each[0]) {
        without -= Math.min(each[1], without - each[0]);
      }
    }
    return without;
  }

  /** A text that has what stands in its text and not in the application's, without that. */
  public String without(String message) {
    String shorter = message;
    for (Insertion insertion : addition.insertions()) {
      shorter = shorter.replace(insertion.text(), "");
    }
    return shorter;
  }

  /**
   * Whether a message may name something that stands in what is added: it has a word of that.
   *
   * @param columnsAlone whether it names a column, perhaps with the table that it is not of
   */
  public boolean mayBeNamedIn(String message, boolean columnsAlone) {
    Set<String> words = new HashSet<>(List.of(NO_WORD.split(message.toLowerCase(Locale.ROOT))));
    for (Insertion insertion : addition.insertions()) {
      String added = insertion.text().toLowerCase(Locale.ROOT);
      String named = columnsAlone ? QUALIFIER.matcher(added).replaceAll(" ") : added;
      for (String word : NO_WORD.split(named)) {
        if (!word.isEmpty() && words.contains(word)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Its text where the driver would have added a RETURNING list of its own.
   *
   * @param list that list
   */
  public String textAsking(String list) {
    if (!isWrite()) {
      return text;
    }
    String added = addition.insertions().get(0).text();
    String columns = added.substring(HiddenColumns.RETURNING.length());
    return text.replace(added, "\nRETURNING " + list + ", " + columns);
  }

  /** Whether a text has names like those of columns that are added: none are added to it. */
  public static boolean isNamedIn(String text) {
    return HiddenColumns.isNamedIn(text);
  }

  /** Whether a result's column of this name is one that was added. */
  public static boolean addsName(String name) {
    return HiddenColumns.isName(name);
  }
}
