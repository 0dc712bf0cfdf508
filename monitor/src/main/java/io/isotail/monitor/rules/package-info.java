/**
 * The alert rules for Prometheus, as an operator wants them.
 *
 * <p>Input: settings by name, and the template, a resource of this package. Output: the text of a
 * file of rules, or of a PrometheusRule. Nothing is kept. Bounds: {@link
 * io.isotail.monitor.rules.RuleSetting} lists the settings.
 */
@NullMarked
package io.isotail.monitor.rules;

import org.jspecify.annotations.NullMarked;
