/**
 * Strictly serial traffic on a real PostgreSQL, through isotail's driver and past it: never are two
 * transactions open at once, so that every anomaly at any level is a false alarm, unless it was
 * planted.
 *
 * <p>Input: a {@link io.isotail.monitor.serial.SerialPlan}. Output: {@link
 * io.isotail.monitor.serial.SerialFigures}. Owner: one thread. Bound: the turns of the plan. The
 * captured records go through the wire form and a stream with heartbeats as the emitter sends them
 * ({@link io.isotail.monitor.serial.SerialStream}), without a broker.
 */
@NullMarked
package io.isotail.monitor.serial;

import org.jspecify.annotations.NullMarked;
