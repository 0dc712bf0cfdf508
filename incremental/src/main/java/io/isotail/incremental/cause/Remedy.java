package io.isotail.incremental.cause;

/**
 * One way to make a cause end.
 *
 * @param what which statement to change, or which transactions to run otherwise, and how
 * @param cost what that costs
 */
public record Remedy(String what, String cost) {}
