/**
 * Renders anomalies and states for machines and people: JSON, DOT and SVG; reads an anomaly back.
 *
 * <p>Input: anomalies; where an instance and its histories stand. Output: text, or trees for a JSON
 * writer. No state, no thread of its own. Bounds: the size of one witness, or of one state.
 */
@NullMarked
package io.isotail.monitor.render;

import org.jspecify.annotations.NullMarked;
