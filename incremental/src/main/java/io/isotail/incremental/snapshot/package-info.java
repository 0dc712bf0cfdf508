/**
 * The binary form in which a checker's state is saved: chunks, numbers, texts, and things that are
 * referred to by number.
 *
 * <p>Input: what each stage knows. Output: chunks to a {@link
 * io.isotail.incremental.snapshot.StateSink} that ingest or monitor brings, and back from a {@link
 * io.isotail.incremental.snapshot.StateSource}. Owner: the checker's thread, of a part the helper
 * that makes it, and of a cut the thread that writes it. Bound: one chunk, the parts until they are
 * appended, with what they mention, and one table entry for each thing that several others refer
 * to.
 *
 * <p>This package knows no stage. A class with state of its own saves it in a method {@code save}
 * and takes it back in a method {@code load} beside it, in the same order; the transactions and
 * what hangs together with them go through {@code window.GraphWriter}, which notes what never
 * changes, {@code window.IdentityWriter}, which writes that while the checker goes on, and {@code
 * window.GraphReader}. A new field is written in both methods and raises {@link
 * io.isotail.incremental.snapshot.StateWriter#FORMAT}; {@code StateTest} compares every field of
 * the restored checker with the saved one and fails if it was forgotten.
 *
 * <p>A chunk is: magic (4 bytes), format (2), flags (1, bit 0: last), number of the chunk (4),
 * length of the whole chunk (4), content, CRC-32C (4); big-endian. The checksum of a chunk is taken
 * over it and all chunks before it, so that chunks of two snapshots can't be mixed up. The content
 * of all chunks together is one sequence of variable-length numbers, cut anywhere.
 */
@NullMarked
package io.isotail.incremental.snapshot;

import org.jspecify.annotations.NullMarked;
