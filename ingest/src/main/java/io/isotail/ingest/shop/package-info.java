/**
 * A small shop on PostgreSQL, to show isotail on traffic as a company has it: three services, eight
 * endpoints that keep serializable, and one that loses updates.
 *
 * <p>Input: a source of connections for each service, which decides whether the traffic is
 * observed. Output: traffic, and counts of it. Owning threads: one for each session. Bounds: {@link
 * io.isotail.ingest.shop.ShopTables#ROWS} items and customers, a fixed number of sessions and a
 * rate.
 */
@NullMarked
package io.isotail.ingest.shop;

import org.jspecify.annotations.NullMarked;
