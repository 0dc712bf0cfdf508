package io.isotail.incremental.record;

/**
 * Statements of an application that its proxy could not record, or not in full, alike in text and
 * cause.
 *
 * @param fingerprint their text without any literal; empty for all those that are not told apart
 * @param kind what they were to the proxy
 * @param reason why, as a label: {@code aggregate}
 * @param statements how often such a statement was sent
 * @param reads how many reads of rows were not recorded: each row that the application read, and at
 *     least one for each statement that reads
 */
public record NotCaptured(
    String fingerprint, Kind kind, String reason, long statements, long reads) {

  /** What statements were to a proxy. */
  public enum Kind {
    /** Read observed tables; nothing of it was recorded. */
    UNREAD,
    /** May have written any row of some observed tables. */
    OPAQUE,
    /** Concerned only tables that are not observed. */
    OUTSIDE,
    /** Were recorded but for some of the rows that the application read. */
    PARTLY,
    /** Were refused by the server as the proxy had rewritten them, and sent as they are. */
    REFUSED;

    /** Whether such statements are not among the captured ones. */
    public boolean isWhole() {
      return this == UNREAD || this == OPAQUE || this == OUTSIDE;
    }
  }
}
