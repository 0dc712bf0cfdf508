package io.isotail.incremental.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The judge against its second opinion, which reads a history by itself: on histories with unknown
 * outcomes, versions that several transactions installed, undone operations, deletes, opaque
 * statements, unknown versions and lists.
 */
final class SecondOpinionTest {
  private static final int HISTORIES = Seeds.HISTORIES;
  private static final long FIRST_SEED = Seeds.FIRST;

  private static final long K = 1;

  /** What its own transaction wrote may be what the attempt of another one would have written. */
  @Test
  void aReaderThatWroteTheVersionItselfProvesNoOtherWriter() {
    List<CapsuleTransaction> capsule =
        List.of(
            transaction(1, 0, Outcome.UNKNOWN, ops().readInitial(K).write(K, 1)),
            transaction(2, 0, Outcome.COMMITTED, ops().readInitial(K).write(K, 1).read(K, 1)));
    for (IsolationLevel level : IsolationLevel.values()) {
      Judge judge = new Judge(level, CheckerConfig.NEVER_COMPARED);
      assertThat(judge.judge(capsule)).as("%s", level).isInstanceOf(Judgement.Accepted.class);
      assertThat(judge.triesAll(capsule)).as("%s", level).contains(false);
    }
  }

  @Test
  void aReaderThatUndidItsWriteProvesTheOtherWriter() {
    Operations.Builder undone = ops().readInitial(K).write(K, 1);
    undone.undoFrom(1);
    List<CapsuleTransaction> capsule =
        List.of(
            transaction(1, 0, Outcome.UNKNOWN, ops().readInitial(K).write(K, 1)),
            transaction(2, 0, Outcome.COMMITTED, undone.read(K, 1)));
    Judge judge = new Judge(IsolationLevel.READ_ATOMIC, CheckerConfig.NEVER_COMPARED);
    assertThat(judge.judge(capsule)).isInstanceOf(Judgement.Violated.class);
    assertThat(judge.triesAll(capsule)).contains(true);
  }

  @Test
  void bothReadHistoriesAlike() {
    IsolationLevel[] levels = IsolationLevel.values();
    int[] violated = new int[levels.length];
    int promoted = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      List<CapsuleTransaction> capsule = random(seed);
      CapsuleReading reading = CapsuleReading.of(capsule);
      for (int t = 0; t < capsule.size(); t++) {
        boolean committed = capsule.get(t).outcome() == Outcome.COMMITTED;
        promoted += reading.committed(t) && !committed ? 1 : 0;
      }
      for (IsolationLevel level : levels) {
        Judge judge = new Judge(level, Capsules.uncertaintyNs(seed));
        Judgement judgement = judge.judge(capsule);
        String message = "seed %d, %s%n%s".formatted(seed, level, Capsules.describe(capsule));
        assertThat(judge.triesAll(capsule))
            .as(message)
            .contains(judgement instanceof Judgement.Violated);
        assertThat(judgement).as(message).isNotInstanceOf(Judgement.NotConfirmed.class);
        violated[level.ordinal()] += judgement instanceof Judgement.Violated ? 1 : 0;
      }
    }
    System.out.printf(
        "seeds %d to %d: %s of %d histories violate %s; %d unknown outcomes were promoted%n",
        FIRST_SEED,
        FIRST_SEED + HISTORIES - 1,
        Arrays.toString(violated),
        HISTORIES,
        Arrays.toString(levels),
        promoted);
    for (int count : violated) {
      assertThat(count).isBetween(HISTORIES / 20, HISTORIES * 19 / 20);
    }
    assertThat(promoted).isGreaterThan(HISTORIES / 40);
  }

  private static List<CapsuleTransaction> random(long seed) {
    Random random = Seeds.random(seed);
    int sessions = 1 + random.nextInt(4);
    int count = 2 + random.nextInt(5);
    int keys = 1 + random.nextInt(2);
    int versions = 2 + random.nextInt(8);
    int odd = random.nextInt(3);
    boolean lists = random.nextInt(4) == 0;
    List<CapsuleTransaction> capsule = new ArrayList<>();
    int[] positions = new int[sessions];
    for (int n = 0; n < count; n++) {
      int session = random.nextInt(sessions);
      Operations.Builder ops = ops();
      for (int o = 1 + random.nextInt(3); o > 0; o--) {
        long key = random.nextInt(keys);
        ops.statement(random.nextInt(4) == 0 ? null : new Statement("t" + key % 2, "", false));
        add(ops, key, versions, odd, lists, random);
        if (odd > 0 && random.nextInt(8) == 0) {
          ops.undoFrom(ops.size() - 1);
        }
      }
      capsule.add(transaction(session, positions[session]++, outcome(odd, random), ops, random));
    }
    return capsule;
  }

  private static void add(
      Operations.Builder ops, long key, int versions, int odd, boolean lists, Random random) {
    long version = 1 + random.nextInt(versions);
    int kind = random.nextInt(24);
    if (kind == 0 && odd == 2) {
      ops.delete(key);
    } else if (kind == 1 && odd == 2) {
      ops.opaque();
    } else if (kind == 2 && odd > 0) {
      ops.writeUnknown(key);
    } else if (kind == 3 && odd > 0) {
      ops.add(OperationKind.READ, key, VersionKind.UNKNOWN, 0);
    } else if (kind < 14) {
      ops.write(key, version);
    } else if (random.nextInt(4) == 0) {
      ops.readInitial(key);
    } else {
      for (int listed = lists ? random.nextInt(3) : 0; listed > 0; listed--) {
        boolean initial = random.nextInt(3) == 0;
        VersionKind first = initial ? VersionKind.INITIAL : VersionKind.KNOWN;
        ops.add(OperationKind.LISTED, key, first, initial ? 0 : 1 + random.nextInt(versions));
      }
      ops.read(key, version);
    }
  }

  private static Outcome outcome(int odd, Random random) {
    return switch (random.nextInt(odd == 0 ? 1 : 5)) {
      case 1, 2 -> Outcome.UNKNOWN;
      case 3 -> random.nextBoolean() ? Outcome.ABORTED : Outcome.COMMITTED;
      default -> Outcome.COMMITTED;
    };
  }

  private static Operations.Builder ops() {
    return new Operations.Builder();
  }

  private static CapsuleTransaction transaction(
      int session, int number, Outcome outcome, Operations.Builder ops) {
    return transaction(session, number, outcome, ops, null);
  }

  private static CapsuleTransaction transaction(
      int session, int number, Outcome outcome, Operations.Builder ops, @Nullable Random times) {
    boolean timed = times != null && times.nextInt(4) > 0;
    long beginNs = timed ? times.nextInt(30) : TransactionRecord.NO_TIME;
    return CapsuleTransaction.of(
        new TransactionRecord(
            SessionInfo.ofFile(session, "s" + session),
            number,
            number,
            0,
            outcome,
            null,
            beginNs,
            timed && outcome != Outcome.UNKNOWN
                ? beginNs + times.nextInt(8)
                : TransactionRecord.NO_TIME,
            timed ? "c" + times.nextInt(2) : null,
            ops.build()),
        10L * session + number);
  }
}
