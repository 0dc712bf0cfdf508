/**
 * Programs to explore that are written in SQL.
 *
 * <p>Input: the text of a file with a schema, its first rows, transactions with parameters,
 * sessions and assertions. Output: the same program in the language of {@link
 * io.isotail.incremental.explore.language}, and where in the SQL each of its lines comes from; or a
 * {@link io.isotail.incremental.explore.language.SourceError} with line and column. Thread: any;
 * nothing is shared. Bound: linear in the text.
 *
 * <p>A table is a variable with the set of its keys, and a variable for each row ([1] Section 7.2).
 * What is read here is a part of SQL, and nothing else: each word must be expected where it stands,
 * so that no clause is passed over. A general parser of SQL accepts far more; a clause that its
 * caller forgets to look at would be explored as if it were not there, and for most of what it
 * finds it tells no column. Tests hold that the general parser accepts each kind of statement that
 * is read here.
 *
 * <p>[1] Bouajjani, Enea, Román-Calvo: Dynamic Partial Order Reduction for Checking Correctness
 * against Transaction Isolation Levels, PLDI 2023.
 */
@NullMarked
package io.isotail.monitor.explore.sql;

import org.jspecify.annotations.NullMarked;
