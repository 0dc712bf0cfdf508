/**
 * The monitor's configuration, from one YAML file, the environment and flags.
 *
 * <p>Input: text. Output: an immutable {@link io.isotail.monitor.config.MonitorConfig}, or every
 * mistake at once. No thread of its own. Bounds: as many settings as {@link
 * io.isotail.monitor.config.Setting} lists, for each history that is declared.
 */
@NullMarked
package io.isotail.monitor.config;

import org.jspecify.annotations.NullMarked;
