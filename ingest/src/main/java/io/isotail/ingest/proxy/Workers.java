package io.isotail.ingest.proxy;

import io.vertx.core.WorkerExecutor;

/**
 * Threads for what an event loop must not do itself. Safe for any thread.
 *
 * @param waiting for what may wait, as for the server's answer
 * @param computing for what keeps a processor busy: one for each
 */
record Workers(WorkerExecutor waiting, WorkerExecutor computing) {}
