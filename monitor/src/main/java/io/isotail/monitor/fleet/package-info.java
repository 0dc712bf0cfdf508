/**
 * Tells the other instances where this one stands, and hears the same of them.
 *
 * <p>Input: this instance's status, and the records of the status topic. Output: a record every two
 * seconds, and the fleet that pages show. Owned by the pipeline's thread. Bounds: 100 instances,
 * 500 kB a record.
 */
@NullMarked
package io.isotail.monitor.fleet;

import org.jspecify.annotations.NullMarked;
