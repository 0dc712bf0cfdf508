/**
 * Whether an application's database and settings are ready for the driver, and whether what goes
 * into a proxy comes out.
 *
 * <p>Input: the driver's settings, a connection of the real driver, the brokers; or a proxy, its
 * metrics, and the database behind it. Output: {@link io.isotail.monitor.doctor.Diagnosis}. One
 * thread; every question has a time limit. Nothing is changed anywhere.
 */
@NullMarked
package io.isotail.monitor.doctor;

import org.jspecify.annotations.NullMarked;
