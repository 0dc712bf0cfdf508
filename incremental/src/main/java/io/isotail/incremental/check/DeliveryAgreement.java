package io.isotail.incremental.check;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.saturation.EdgeSink;
import io.isotail.incremental.window.Transaction;

/** Agrees to what the order of delivery says as well. */
final class DeliveryAgreement implements EdgeSink {
  @Override
  public void infer(
      Transaction earlier, Transaction writer, long key, Transaction reader, IsolationLevel level) {
    throw new IllegalStateException("only asked whether it agrees");
  }

  @Override
  public boolean agrees(
      Transaction earlier,
      Transaction writer,
      long key,
      Transaction reader,
      IsolationLevel level,
      boolean fresh) {
    return earlier.deliveredAt < writer.deliveredAt;
  }
}
