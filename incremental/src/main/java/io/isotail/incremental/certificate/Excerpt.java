package io.isotail.incremental.certificate;

import java.util.List;

/**
 * A part of a certificate: those from a number on, and of those before it the ones that matter to
 * these.
 *
 * @param from that number
 * @param earlier writers of versions that the one without room has read; where an excerpt is whole,
 *     also of those that the later ones have read or overwritten
 * @param later all that commit with larger numbers, in this order
 */
public record Excerpt(long from, List<Placed> earlier, List<Placed> later) {}
