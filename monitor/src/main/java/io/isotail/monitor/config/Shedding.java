package io.isotail.monitor.config;

import io.isotail.incremental.level.IsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * When the strongest levels of a history are not checked, so that the others are in time.
 *
 * @param to strongest level to check meanwhile, {@code causal} or more; null for never
 * @param afterMs lag from which on levels are shed, in ms
 * @param recoverMs time without lag until all are checked again, in ms
 * @param obey whether control records in the log may say up to which level is checked
 */
public record Shedding(@Nullable IsolationLevel to, int afterMs, int recoverMs, boolean obey) {}
