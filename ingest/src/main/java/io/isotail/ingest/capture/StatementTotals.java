package io.isotail.ingest.capture;

import io.isotail.incremental.record.NotCaptured;
import java.util.Map;

/**
 * What all statements on tables were to a capture, since it began. Each number only grows.
 *
 * @param captured those that were captured; those of a {@link NotCaptured.Kind} that is not whole
 *     are among them
 * @param kinds what the others were
 * @param reasons why they were not captured, or not in full, as labels
 */
public record StatementTotals(
    long captured, Map<NotCaptured.Kind, Long> kinds, Map<String, Long> reasons) {

  /** Of a capture that has not begun. */
  public static final StatementTotals NONE = new StatementTotals(0, Map.of(), Map.of());

  /** Copies the maps. */
  public StatementTotals {
    kinds = Map.copyOf(kinds);
    reasons = Map.copyOf(reasons);
  }
}
