package io.isotail.monitor.demo;

import io.isotail.incremental.level.IsolationLevel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a demo does.
 *
 * @param isolation level that the database runs transactions at
 * @param promise level that the history is declared to give
 * @param sessions concurrent sessions
 * @param keys number of registers
 * @param duration how long the workload runs, null until it is stopped
 * @param seed seed of the workload
 * @param kafka a running broker's {@code host:port}, null to start one
 * @param port port of the page, 0 for any
 */
public record DemoConfig(
    DatabaseIsolation isolation,
    IsolationLevel promise,
    int sessions,
    int keys,
    @Nullable Duration duration,
    long seed,
    @Nullable String kafka,
    int port) {}
