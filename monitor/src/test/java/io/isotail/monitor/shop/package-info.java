/**
 * A shop of three services on a real PostgreSQL: many correct endpoints, and one that goes wrong
 * when it is interrupted at the wrong place.
 *
 * <p>Input: an {@link io.isotail.monitor.shop.Incident}. Output: what the monitor says of it.
 * Owner: the test's thread; the traffic has its own. Bound: the number of requests that it is asked
 * for.
 */
@NullMarked
package io.isotail.monitor.shop;

import org.jspecify.annotations.NullMarked;
