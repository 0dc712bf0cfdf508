package io.isotail.incremental.saturation;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.window.SessionState;
import io.isotail.incremental.window.Slots;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Clocks against the transitive closure, with few sessions and with one for each transaction. */
final class VectorClocksTest {
  private static final long SEED = Seeds.FIRST;
  private static final int TRANSACTIONS = 6_000;
  private static final int WINDOW = 2_000;

  private final Slots slots = new Slots();
  private final List<SessionState> sessions = new ArrayList<>();
  private final List<Transaction> all = new ArrayList<>();
  private final List<BitSet> before = new ArrayList<>();
  private int oldest;
  private long mostEntries;
  private int incomplete;

  @Test
  void theyNameWhatHappensBeforeWhateverIsLetGo() {
    for (int transactionsOfASession : new int[] {1, 3, 100}) {
      for (long bound : new long[] {0, 20_000, Long.MAX_VALUE / 2}) {
        VectorClocksTest run = new VectorClocksTest();
        run.run(tuning(bound, Integer.MAX_VALUE / 2), transactionsOfASession);
        assertThat(run.incomplete).isZero();
        assertThat(run.mostEntries).isLessThan(bound + 6 * 3_000);
      }
    }
  }

  @Test
  void whereTheStepsAreSpentTheyNameLessAndSaySo() {
    VectorClocksTest run = new VectorClocksTest();
    run.run(tuning(0, 0), 1);
    assertThat(run.incomplete).isGreaterThan(0);
    assertThat(run.mostEntries).isLessThan(6 * 3_000);
  }

  /** As with a connection for each transaction: what all have seen costs each of them little. */
  @Test
  void sessionsThatHaveAllSeenEachOtherDoNotTakeTheSquareOfTheirNumber() {
    VectorClocks clocks = new VectorClocks(tuning(Long.MAX_VALUE / 2, Integer.MAX_VALUE / 2));
    for (int i = 0; i < 20_000; i++) {
      Transaction t =
          deliver(new SessionState(SessionInfo.ofFile(i, "s" + i)), i == 0 ? -1 : i - 1);
      assertThat(clocks.assign(t)).isTrue();
    }
    assertThat(clocks.sees(all.get(19_999), all.get(0))).isTrue();
    assertThat(clocks.entries()).isLessThan(20_000L * 250);
  }

  private static Tuning tuning(long clockEntries, int recallSteps) {
    return new Tuning(clockEntries, 0, 0, 0, 0, 0, 0, 0, recallSteps, 0, 0, 0);
  }

  private void run(Tuning tuning, int transactionsOfASession) {
    Random random = new Random(SEED);
    VectorClocks clocks = new VectorClocks(tuning);
    for (int i = 0; i < TRANSACTIONS; i++) {
      if (sessions.size() < 5 || random.nextInt(transactionsOfASession) == 0) {
        sessions.add(new SessionState(SessionInfo.ofFile(i, "s" + i)));
      }
      SessionState session =
          transactionsOfASession == 1
              ? sessions.get(sessions.size() - 1)
              : sessions.get(sessions.size() - 1 - random.nextInt(Math.min(300, sessions.size())));
      Transaction t = deliver(session, read(random), read(random), read(random));
      clocks.forgetBefore(oldest);
      incomplete += clocks.assign(t) ? 0 : 1;
      mostEntries = Math.max(mostEntries, clocks.entries());
      Transaction later = i % 2 == 0 ? t : all.get(oldest + random.nextInt(all.size() - oldest));
      Transaction earlier = all.get(oldest + random.nextInt((int) later.deliveredAt - oldest + 1));
      if (later != earlier) {
        boolean sees = clocks.sees(later, earlier);
        boolean happensBefore = before.get((int) later.deliveredAt).get((int) earlier.deliveredAt);
        assertThat(sees && !happensBefore).as("%s before %s", earlier, later).isFalse();
        assertThat(sees || incomplete > 0 || clocks.incomplete())
            .as("%s before %s, bound %s", earlier, later, tuning)
            .isEqualTo(happensBefore || incomplete > 0 || clocks.incomplete());
      }
      while (all.size() - oldest > WINDOW) {
        truncate(clocks);
      }
    }
  }

  private int read(Random random) {
    int live = all.size() - oldest;
    int back = 1 + random.nextInt(random.nextInt(4) == 0 ? WINDOW : 50);
    return back > live ? -1 : all.size() - back;
  }

  private Transaction deliver(SessionState session, int... reads) {
    int seq = slots.next(session);
    int place = all.size();
    Transaction t =
        new Transaction(
            session,
            seq,
            place,
            place,
            Outcome.COMMITTED,
            null,
            IsolationLevel.CAUSAL,
            Times.NONE,
            Operations.EMPTY,
            false,
            session.slot,
            seq);
    BitSet past = new BitSet();
    Transaction predecessor = session.lastCommitted;
    if (predecessor != null) {
      t.soPrev = predecessor;
      predecessor.soNext = t;
      see(past, predecessor);
    }
    session.lastCommitted = t;
    t.readWriters = new Transaction[reads.length];
    for (int r = 0; r < reads.length; r++) {
      if (reads[r] >= 0) {
        t.readWriters[r] = all.get(reads[r]);
        see(past, all.get(reads[r]));
      }
    }
    t.deliveredAt = place;
    t.state = Transaction.State.DELIVERED;
    all.add(t);
    before.add(past);
    return t;
  }

  private void see(BitSet past, Transaction earlier) {
    past.or(before.get((int) earlier.deliveredAt));
    past.set((int) earlier.deliveredAt);
  }

  private void truncate(VectorClocks clocks) {
    Transaction t = all.get(oldest++);
    clocks.remove(t);
    if (t.soNext != null) {
      t.soNext.soPrev = null;
    }
    if (t.session.lastCommitted == t) {
      t.session.lastCommitted = null;
    }
    slots.release(t.session);
    t.strip();
  }
}
