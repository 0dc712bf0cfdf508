/**
 * Everything around a proxy is killed under load: Kafka, PostgreSQL, clients, the proxy itself.
 * {@code deploy/verify --campaign proxy-chaos} runs it.
 *
 * <p>Input: a folder, the launcher, PostgreSQL's programs, a duration and a seed. Output: rows of a
 * Markdown table, each with what must hold, whether it did, and figures. Owner: the thread of
 * {@link io.isotail.ingest.chaos.ProxyChaosCampaign}; clients are processes of their own, which
 * leave ledgers.
 */
@org.jspecify.annotations.NullMarked
package io.isotail.ingest.chaos;
