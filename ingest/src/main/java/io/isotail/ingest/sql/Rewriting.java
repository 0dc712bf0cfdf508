package io.isotail.ingest.sql;

/**
 * A statement's text into which columns are to be put that the application does not see.
 *
 * @param addition what is added
 * @param before the text before the place of the columns
 * @param after the text behind it
 * @param text the text with the columns
 */
public record Rewriting(Addition addition, String before, String after, String text) {

  Rewriting(Addition addition, String before, String after) {
    this(addition, before, after, textOf(addition, before, after));
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
   */
  public record Addition(Analysis analysis, Place place, String columns, int count) {}

  /** Whether the statement is a write without a RETURNING list of the application. */
  public boolean isWrite() {
    return addition.place() == Place.RETURNING;
  }

  /** Whether a result's column of this name is one that was added. */
  public static boolean addsName(String name) {
    return HiddenColumns.isName(name);
  }

  private static String textOf(Addition addition, String before, String after) {
    String added = addedBy(addition);
    return addition.place() == Place.SELECT_LIST
        ? before + added + " " + after
        : before + added + after;
  }

  /** What the text has that the application did not write. */
  public String added() {
    return addedBy(addition);
  }

  private static String addedBy(Addition addition) {
    return (addition.place() == Place.RETURNING ? " RETURNING " : ", ") + addition.columns();
  }
}
