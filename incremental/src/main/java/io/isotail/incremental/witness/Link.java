package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.Proof;

/**
 * Why one transaction of a capsule comes before another: an edge of a cycle that names, sentences
 * and the published cycle are made from.
 *
 * <p>Transactions are told by their places in the capsule, operations by their places in the
 * transaction. Two sources give links. {@link ProofLinks} takes them from the judge's proof. {@link
 * CapsuleGraph} has those that one order of the commits gives, which need not be edges of the
 * proof: a proof must fail every order, a person is told the most plausible one.
 *
 * <table>
 * <caption>What a link rests on; none where the table is empty</caption>
 * <tr><th>kind</th><th>earlier</th><th>reader</th><th>read</th><th>write</th></tr>
 * <tr><td>so, rt</td><td></td><td></td><td></td><td></td></tr>
 * <tr><td>wr</td><td></td><td>{@code to}</td><td>the read</td><td>by {@code from}</td></tr>
 * <tr><td>ww</td><td>whose version {@code to} comes behind</td><td>the transaction whose list shows
 * it, if there is one</td><td></td><td>by {@code to}</td></tr>
 * <tr><td>rw</td><td>who wrote what was read</td><td>{@code from}</td><td>the read</td><td>by {@code
 * to}</td></tr>
 * <tr><td>co</td><td></td><td>the transaction whose read implies it</td><td>its first read of the version
 * by {@code to}</td><td>by {@code from}</td></tr>
 * </table>
 *
 * @param from comes first; {@link #INITIAL} only up to {@code causal}
 * @param to comes later; {@link #INITIAL} only for co
 * @param kind why
 * @param key key that it is about; 0 for so and rt
 * @param earlier see the table; may be {@link #INITIAL}
 * @param reader see the table
 * @param read the operation of {@code reader} that justifies it
 * @param write the last write of the key that justifies it
 * @param assumed whether it rests on an order of two writers that nobody saw: {@code earlier}
 *     before {@code to}; of a co that is told, {@code to} before {@code from}
 */
record Link(
    int from,
    int to,
    EdgeKind kind,
    long key,
    int earlier,
    int reader,
    int read,
    int write,
    boolean assumed) {

  /** In place of a transaction: the initial one, which wrote the first version of every key. */
  static final int INITIAL = Proof.INITIAL;

  /** In place of a transaction or an operation: there is none. */
  static final int NONE = Proof.NONE;

  /** Session order or real time. */
  static Link plain(int from, int to, EdgeKind kind) {
    return new Link(from, to, kind, 0, NONE, NONE, NONE, NONE, false);
  }

  /** The link, if it rests on an order of two writers that nobody saw. */
  Link assuming(boolean order) {
    return new Link(from, to, kind, key, earlier, reader, read, write, order);
  }

  /** Whether it is about a key. */
  boolean hasKey() {
    return kind != EdgeKind.SO && kind != EdgeKind.RT;
  }

  /** The transaction of {@link #write}. */
  int writer() {
    return kind == EdgeKind.WW || kind == EdgeKind.RW ? to : from;
  }
}
