/**
 * From hashed keys back to rows.
 *
 * <p>Input: hashed keys as the page and the API show them, the secret of the hashes, and a database
 * or a list of candidate keys. Output: the rows whose keys have these hashes. Owning thread: the
 * command's. Bounds: rows stream by; what is kept grows with the keys looked for. Nothing is
 * written to the database.
 */
@NullMarked
package io.isotail.monitor.resolve;

import org.jspecify.annotations.NullMarked;
