package io.isotail.ingest.sql;

import org.jspecify.annotations.Nullable;

/**
 * A statement's text with columns that the application does not see.
 *
 * @param addition what is added
 * @param text the text with the columns
 * @param keysOnly the text with fewer columns, for a table whose INSERT cannot return the version;
 *     null if there is none
 */
public record Rewriting(Addition addition, String text, @Nullable Rewriting keysOnly) {

  /**
   * Puts columns into a text.
   *
   * @param before the text before their place
   * @param after the text behind it
   */
  static Rewriting of(Addition addition, String before, String after) {
    Addition fewer = addition.keysOnly();
    return new Rewriting(
        addition,
        before + added(addition) + after,
        fewer == null ? null : of(fewer, before, after));
  }

  /** Where the columns stand. */
  public enum Place {
    /** At the end of the select list. */
    SELECT_LIST,
    /** At the end of the RETURNING list that the application has written. */
    RETURNING_LIST,
    /** In a RETURNING clause of their own. */
    RETURNING
  }

  /**
   * What is added to every text of one shape.
   *
   * @param analysis what the rewritten statement does
   * @param place where the columns stand
   * @param columns their text
   * @param count their number
   * @param keysOnly what is added where a row cannot tell its version; null if that cannot be
   */
  public record Addition(
      Analysis analysis, Place place, String columns, int count, @Nullable Addition keysOnly) {}

  /** Whether the statement is a write without a RETURNING list of the application. */
  public boolean isWrite() {
    return addition.place() == Place.RETURNING;
  }

  /** Whether the statement is a write. */
  public boolean isOfWrite() {
    return addition.place() != Place.SELECT_LIST;
  }

  /** What stands in its text and not in the application's. */
  public String added() {
    return added(addition);
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
    return text.replace(added(), "\nRETURNING " + list + ", " + addition.columns());
  }

  private static String added(Addition addition) {
    return switch (addition.place()) {
      case SELECT_LIST -> ", " + addition.columns() + " ";
      case RETURNING_LIST -> ", " + addition.columns();
      case RETURNING -> " RETURNING " + addition.columns();
    };
  }

  /** Whether a result's column of this name is one that was added. */
  public static boolean addsName(String name) {
    return HiddenColumns.isName(name);
  }
}
