package io.isotail.monitor.explore.witness;

/**
 * A read or a write of a row of a witness.
 *
 * @param isRead whether it reads
 * @param row the row, for people: no two have the same
 * @param value what it read or wrote, for people: no two writes wrote the same
 * @param source of a read, the number of the transaction that wrote that; 0 for the initial version
 * @param statement that did it, without literals; empty if that was not recorded
 */
public record WitnessOperation(
    boolean isRead, String row, String value, int source, String statement) {}
