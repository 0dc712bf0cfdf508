package io.isotail.ingest.sql;

/** Where the value behind one {@code ?} of a normalized text comes from. */
public sealed interface Slot {

  /**
   * A parameter.
   *
   * @param index its number, from 1
   */
  record Parameter(int index) implements Slot {}

  /**
   * A literal of the statement text.
   *
   * @param value a {@link Long}, {@link java.math.BigDecimal} or {@link String}, or {@link
   *     Operand#UNKNOWN} when its value is not worth decoding
   */
  record Literal(Object value) implements Slot {}
}
