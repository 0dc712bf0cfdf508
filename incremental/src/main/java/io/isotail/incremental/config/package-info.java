/** What a checker assumes of its history, and its bounds. Immutable; shared by all stages. */
@NullMarked
package io.isotail.incremental.config;

import org.jspecify.annotations.NullMarked;
