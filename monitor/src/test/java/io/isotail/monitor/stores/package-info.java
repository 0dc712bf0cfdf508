/**
 * Real stores without SQL, as examples of what {@link io.isotail.ingest.store.StoreProvider} asks
 * for: Redis and ZooKeeper.
 *
 * <p>Input: URLs such as {@code redis://127.0.0.1:6379} and {@code
 * zookeeper://127.0.0.1:2181,127.0.0.1:2182}. Output: what the store answers. Owning thread: that
 * of each session. Bounds: those of the client libraries; each request waits for seconds at most.
 */
@NullMarked
package io.isotail.monitor.stores;

import org.jspecify.annotations.NullMarked;
