package io.isotail.explore.junit;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.isotail.incremental.explore.code.CodeProgram;
import io.isotail.incremental.explore.code.TransactionCode;
import io.isotail.incremental.level.IsolationLevel;

/** The test in the guide. */
final class OnCallTest {
  /** A doctor goes off duty, unless nobody else is on call. */
  private static TransactionCode leave(String doctor) {
    return tx -> {
      if (tx.scan("duty/").size() > 1) {
        tx.delete("duty/" + doctor);
      }
    };
  }

  @Explore(level = IsolationLevel.SERIALIZABLE)
  void someoneIsOnCall(CodeProgram program) {
    program
        .initially("duty/alice", 1L)
        .initially("duty/bob", 1L)
        .session("alice", leave("alice"))
        .session("bob", leave("bob"))
        .finalReads(tx -> assertFalse(tx.scan("duty/").isEmpty(), "nobody is on call"));
  }
}
