package io.isotail.incremental.saturation;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.Transaction;

/** Receives inferred edges. */
public interface EdgeSink {

  /**
   * {@code earlier} must commit before {@code writer}, because {@code reader} read {@code key} from
   * {@code writer} and had observed {@code earlier}, which writes {@code key} too.
   *
   * @param earlier a delivered transaction, t2 in [1] Fig. 3
   * @param writer t1, a delivered transaction or the initial one
   * @param reader t3
   * @param level weakest level whose axiom asks for it
   */
  void infer(
      Transaction earlier, Transaction writer, long key, Transaction reader, IsolationLevel level);

  /**
   * Tries to add an edge. It is called only while nothing is violated. No level weaker than {@code
   * level} is known to need the edge.
   *
   * @param fresh whether the edge is certainly new
   * @return whether the edge agrees with everything; if not, nothing has been changed
   */
  boolean agrees(
      Transaction earlier,
      Transaction writer,
      long key,
      Transaction reader,
      IsolationLevel level,
      boolean fresh);
}
