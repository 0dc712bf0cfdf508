package io.isotail.incremental.level;

/**
 * Which transactions t2 a level takes to be observed by t3 when t3 reads a key from t1: if t2 wrote
 * the key too, it commits before t1 ([1] Def. 2.5 to 2.8; [2] Fig. 2 for all levels).
 *
 * <p>Each constant but the last implies the ones before it. So the edges of a level are among those
 * of a stronger one.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 *
 * <p>[2] Biswas, Enea, On the Complexity of Checking Transactional Consistency, OOPSLA 2019.
 */
public enum Observed {
  /** Those that t3 had read from before that read. */
  READ_FROM_BEFORE,
  /** Those that t3 read from at all, and the earlier ones of its session: so ∪ wr. */
  SESSION_OR_READ_FROM,
  /** Those that happen before t3: the transitive closure of so ∪ wr. */
  HAPPENS_BEFORE,
  /** Those that the order of the commits itself puts before t3, which has to be searched for. */
  BY_COMMIT_ORDER
}
