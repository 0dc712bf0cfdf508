/**
 * The text language of programs to explore: what it says, read from a string, as a {@link
 * io.isotail.incremental.explore.Program}.
 *
 * <p>Input: text. Output: a program, or a {@link
 * io.isotail.incremental.explore.language.SourceError} with line and column. Parsing makes {@link
 * io.isotail.incremental.explore.language.Instruction}s, a list without nesting for each
 * transaction, so that a run can be halted at each read and gone on with from there. Tables are a
 * set variable and a variable for each row ([1] Section 7.2).
 *
 * <p>[1] Bouajjani, Enea, Román-Calvo: Dynamic Partial Order Reduction for Checking Correctness
 * against Transaction Isolation Levels, PLDI 2023.
 */
@NullMarked
package io.isotail.incremental.explore.language;

import org.jspecify.annotations.NullMarked;
