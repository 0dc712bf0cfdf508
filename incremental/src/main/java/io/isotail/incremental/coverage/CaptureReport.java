package io.isotail.incremental.coverage;

import io.isotail.incremental.record.NotCaptured;
import java.util.List;

/**
 * How much of what applications did was captured, by what their proxies tell. All counts only grow.
 *
 * @param captured statements on observed tables that were recorded
 * @param notCaptured statements of which nothing was recorded
 * @param readsNotCaptured reads of rows that were not recorded
 * @param causes why, by service: exact
 * @param worst the statements with the greatest counts, greatest first: as far as they are kept
 */
public record CaptureReport(
    long captured,
    long notCaptured,
    long readsNotCaptured,
    List<Cause> causes,
    List<Missed> worst) {

  /** No proxy has told anything. */
  public static final CaptureReport NONE = new CaptureReport(0, 0, 0, List.of(), List.of());

  /** Copies the lists. */
  public CaptureReport {
    causes = List.copyOf(causes);
    worst = List.copyOf(worst);
  }

  /**
   * What one service's statements were not captured for.
   *
   * @param statements how many
   * @param reads reads of rows that were not recorded
   */
  public record Cause(String service, String reason, long statements, long reads) {}

  /**
   * Statements that are alike.
   *
   * @param service the application that sent them
   * @param counts which, and how many
   * @param lastMs log append time of the last record that told of them, in ms
   */
  public record Missed(String service, NotCaptured counts, long lastMs) {}
}
