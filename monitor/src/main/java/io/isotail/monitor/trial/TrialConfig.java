package io.isotail.monitor.trial;

import io.isotail.ingest.workload.WorkloadConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a trial does.
 *
 * @param name what it is called in messages, and its history on the broker
 * @param database what the workload runs on
 * @param levels that the sessions run at, and what each is held to
 * @param workload its sessions and transactions
 * @param duration how long the workload runs, null until it is stopped
 * @param faults what is done to the database meanwhile
 * @param kafka a running broker's {@code host:port}, null to start one
 * @param port port of the page, 0 for any
 */
public record TrialConfig(
    String name,
    TrialDatabase database,
    SessionLevels levels,
    WorkloadConfig workload,
    @Nullable Duration duration,
    Faults faults,
    @Nullable String kafka,
    int port) {}
