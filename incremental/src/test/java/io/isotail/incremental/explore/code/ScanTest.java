package io.isotail.incremental.explore.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.level.IsolationLevel;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScanTest {
  private static AssertionVerdict explore(Program program, IsolationLevel level) {
    return AssertionVerdict.of(program, level, () -> true);
  }

  private static TransactionCode leave(String doctor) {
    return tx -> {
      if (tx.scan("duty/").size() > 1) {
        tx.delete("duty/" + doctor);
      }
    };
  }

  /** Each doctor deletes a key that the scan of the other has seen. */
  private static Program leaving() {
    return CodeProgram.named("leaving")
        .initially("duty/alice", 1L)
        .initially("duty/bob", 1L)
        .session("alice", leave("alice"))
        .session("bob", leave("bob"))
        .finalReads(tx -> tx.check(!tx.scan("duty/").isEmpty(), "nobody is on call"))
        .build();
  }

  private static TransactionCode book(String guest) {
    return tx -> {
      if (tx.scan("room/").isEmpty()) {
        tx.put("room/" + guest, 1L);
      }
    };
  }

  /** Each guest inserts a key that the scan of the other has not found. */
  private static Program booking() {
    return CodeProgram.named("booking")
        .withKeys("room/alice", "room/bob")
        .session("alice", book("alice"))
        .session("bob", book("bob"))
        .finalReads(tx -> tx.check(tx.scan("room/").size() == 1, "booked twice"))
        .build();
  }

  @ParameterizedTest
  @CsvSource({"SNAPSHOT_ISOLATION, true", "SERIALIZABLE, false"})
  void aPhantomIsPossibleBelowSerializable(IsolationLevel level, boolean possible) {
    for (Program program : new Program[] {leaving(), booking()}) {
      AssertionVerdict verdict = explore(program, level);
      assertThat(verdict.fail()).as(program.name()).isEqualTo(possible);
      assertThat(verdict.hold()).as(program.name()).isEqualTo(!possible);
    }
  }

  @Test
  void thePhantomIsToldAsReadsOfTheKeys() {
    assertThat(explore(booking(), IsolationLevel.SNAPSHOT_ISOLATION).witness())
        .satisfies(
            witness ->
                assertThat(String.join("\n", witness.timeline()))
                    .contains("read room/alice = absent", "read room/bob = absent")
                    .contains("write room/alice = 1", "write room/bob = 1"));
  }

  @Test
  void aScanIsSortedAndSeesWhatTheTransactionWrote() {
    Program program =
        CodeProgram.named("own")
            .initially("k/3", "three")
            .initially("k/2", "two")
            .initially("l/1", "other")
            .withKeys("k/4", "k/1", "k/5")
            .session(
                "s",
                tx -> {
                  tx.put("k/4", "four");
                  tx.put("k/5", "five");
                  tx.delete("k/5");
                  tx.delete("k/2");
                  tx.put("k/3", "new");
                  Map<String, Object> found = tx.scan("k/");
                  assertThat(found.toString()).isEqualTo("{k/3=new, k/4=four}");
                  assertThatCode(() -> found.put("k/6", 1L))
                      .isInstanceOf(UnsupportedOperationException.class);
                  assertThat(tx.scan("")).containsEntry("l/1", "other").hasSize(3);
                  assertThat(tx.scan("none/")).isEmpty();
                })
            .finalReads(
                tx -> {
                  assertThat(tx.scan("k/").toString()).isEqualTo("{k/3=new, k/4=four}");
                  assertThat(tx.get("k/2", Object.class)).isEqualTo(Program.ABSENT);
                })
            .build();
    AssertionVerdict verdict = explore(program, IsolationLevel.SERIALIZABLE);
    assertThat(verdict.witness()).isNull();
    assertThat(verdict.hold()).isTrue();
  }

  @Test
  void keysMayBeDeclaredAfterTheSessionThatScans() {
    Program program =
        CodeProgram.named("late")
            .session("s", tx -> tx.put("k/1", 1L))
            .finalReads(tx -> tx.check(tx.scan("k/").size() == 1, "missed"))
            .withKeys("k/1")
            .build();
    assertThat(explore(program, IsolationLevel.SERIALIZABLE).hold()).isTrue();
  }

  /** Whichever comes first, the scan or the write of a key that it would miss. */
  @Test
  void aKeyThatAScanWouldMissIsAnError() {
    TransactionCode scan = tx -> tx.scan("k/");
    TransactionCode put = tx -> tx.put("k/9", 1L);
    TransactionCode delete = tx -> tx.delete("k/9");
    TransactionCode both =
        tx -> {
          tx.put("k/9", 1L);
          tx.scan("k/");
        };
    for (TransactionCode[] sessions :
        new TransactionCode[][] {{scan, put}, {put, scan}, {delete, scan}, {both}}) {
      CodeProgram program = CodeProgram.named("missed").withKeys("k/1", "l/9");
      for (int s = 0; s < sessions.length; s++) {
        program.session("s" + s, sessions[s]);
      }
      assertThatThrownBy(() -> explore(program.build(), IsolationLevel.CAUSAL))
          .isInstanceOf(IllegalStateException.class)
          .message()
          .contains("'k/9'", "scan of 'k/'", "withKeys(\"k/9\")", ".t1");
    }
  }

  @Test
  void aMissedKeyIsAnErrorEvenIfTheCodeCatchesIt() {
    Program program =
        CodeProgram.named("swallows")
            .session(
                "s",
                tx -> {
                  tx.scan("k/");
                  try {
                    tx.put("k/9", 1L);
                  } catch (IllegalStateException e) {
                    tx.check(true, "never");
                  }
                })
            .build();
    assertThatThrownBy(() -> explore(program, IsolationLevel.CAUSAL))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("s.t1 writes 'k/9', which the scan of 'k/' in s.t1 would miss");
  }

  @Test
  void aKeyThatNoScanMissesNeedNotBeDeclared() {
    Program program =
        CodeProgram.named("apart")
            .initially("k/1", 1L)
            .session("s", tx -> tx.scan("k/"), tx -> tx.put("sold", 1L))
            .build();
    assertThat(explore(program, IsolationLevel.CAUSAL).exhausted()).isTrue();
  }

  @Test
  void codeThatScansSomethingElseWhenItIsRunAgainIsAnError() {
    AtomicLong calls = new AtomicLong();
    Program program =
        CodeProgram.named("clock")
            .withKeys("k1/a", "k2/a")
            .session("s", tx -> tx.scan("k" + calls.incrementAndGet() + "/"))
            .build();
    assertThatThrownBy(() -> explore(program, IsolationLevel.CAUSAL))
        .isInstanceOf(NotDeterministic.class)
        .hasMessageContaining("its step 1 was 'scan k1/', and 'scan k2/'")
        .hasMessageContaining("ScanTest");
  }

  @Test
  void codeThatDeletesSomethingElseWhenItIsRunAgainIsAnError() {
    AtomicLong calls = new AtomicLong();
    Program program =
        CodeProgram.named("clock")
            .session("s", tx -> tx.delete("k" + calls.incrementAndGet()))
            .build();
    assertThatThrownBy(() -> explore(program, IsolationLevel.CAUSAL))
        .isInstanceOf(NotDeterministic.class)
        .hasMessageContaining("its step 1 was 'delete k1', and 'delete k2'");
  }

  @Test
  void codeThatCatchesWhatEndsAScanIsRunAgainWithWhatItFinds() {
    Program program =
        CodeProgram.named("catches")
            .withKeys("k/1")
            .session(
                "s",
                tx -> {
                  try {
                    tx.scan("k/");
                  } catch (Throwable e) {
                    tx.scan("");
                  }
                })
            .build();
    assertThat(explore(program, IsolationLevel.CAUSAL).hold()).isTrue();
  }
}
