package io.isotail.incremental;

import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.NotCaptured;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A history as two proxies would emit it: with heartbeats, and damaged on the way. */
final class LiveStream {
  private static final Statement TABLE = new Statement("t", "UPDATE t SET v = ? WHERE k = ?");

  private final Random random;
  private final List<TransactionRecord> rest;
  private final List<StreamRecord> stream = new ArrayList<>();
  private final double damage;
  private final long[] lastHeartbeats = {0, 0};

  private static final long[] UNKNOWN = {Hello.NOT_KNOWN, Hello.NOT_KNOWN};

  private final long[] oldestRunning;
  private final long[] nextIds;
  private final boolean[] started = new boolean[2];

  /** In the order in which they ran, one after the other; empty if that is not known. */
  private final List<TransactionRecord> ran;

  /** How many of those had run when the last one ran that is in the stream. */
  private int hadRun;

  private LiveStream(
      List<TransactionRecord> arrival,
      long seed,
      double damage,
      long[] oldestRunning,
      long[] nextIds,
      List<TransactionRecord> ran) {
    this.ran = ran;
    this.random = Seeds.random(seed);
    this.oldestRunning = oldestRunning;
    this.nextIds = nextIds;
    this.rest = new ArrayList<>(arrival);
    this.damage = damage;
  }

  /**
   * The stream of {@code arrival}.
   *
   * @param damage share of the records that something happens to: loss, duplication, an outcome
   *     that the client never learnt, chunks, invisible versions, statements that are not
   *     understood
   */
  static List<StreamRecord> of(List<TransactionRecord> arrival, long seed, double damage) {
    return of(arrival, seed, damage, UNKNOWN, UNKNOWN, false, List.of());
  }

  /**
   * The stream of {@code arrival} from proxies that know ids of transactions.
   *
   * @param oldestRunning what the hello of each proxy says
   * @param nextIds from which ids on it says that transactions are of later
   * @param late whether the second proxy's hello comes no sooner than its first transaction
   * @param ran {@code arrival} in the order in which they ran, one after the other, so that a
   *     heartbeat lists those alone that had; empty if it lists all that are to come
   */
  static List<StreamRecord> of(
      List<TransactionRecord> arrival,
      long seed,
      double damage,
      long[] oldestRunning,
      long[] nextIds,
      boolean late,
      List<TransactionRecord> ran) {
    LiveStream live = new LiveStream(arrival, seed, damage, oldestRunning, nextIds, ran);
    live.start(0);
    if (!late) {
      live.start(1);
    }
    live.emit();
    return live.stream;
  }

  /** Whether each transaction whose end is in the stream has the outcome that it had. */
  static boolean outcomesKept(List<TransactionRecord> history, List<StreamRecord> stream) {
    for (StreamRecord record : stream) {
      if (record instanceof TransactionRecord t && t.outcome() == Outcome.UNKNOWN) {
        boolean kept =
            history.stream()
                .anyMatch(
                    h ->
                        h.session().id() == t.session().id()
                            && h.transaction() == t.transaction()
                            && h.outcome() == Outcome.UNKNOWN);
        if (!kept) {
          return false;
        }
      }
    }
    return true;
  }

  private static String proxyOf(long session) {
    return "p" + session % 2;
  }

  private void start(int proxy) {
    if (!started[proxy]) {
      started[proxy] = true;
      String instance = proxy == 0 ? "a" : "b";
      stream.add(
          new Hello(
              "p" + proxy,
              "shop",
              instance,
              100,
              oldestRunning[proxy],
              SessionInfo.NO_DATABASE,
              nextIds[proxy]));
    }
  }

  private void emit() {
    long[] sequence = new long[16];
    while (!rest.isEmpty()) {
      TransactionRecord t = rest.remove(0);
      int session = (int) t.session().id();
      start(session % 2);
      hadRun = Math.max(hadRun, ran.indexOf(t) + 1);
      emitTransaction(t, sequence);
      if (random.nextInt(3) == 0) {
        heartbeat(random.nextInt(2));
      }
      if (damage > 0 && random.nextInt(100) == 0) {
        sequence[session]++; // a record that nobody announces, seen only by the hole it leaves
      }
    }
    start(1);
    for (int i = 0; i < 3; i++) {
      heartbeat(0);
      heartbeat(1);
    }
    stream.add(new Goodbye("p0"));
    stream.add(new Goodbye("p1"));
  }

  private void emitTransaction(TransactionRecord t, long[] sequence) {
    int session = (int) t.session().id();
    String proxy = proxyOf(session);
    Outcome outcome = t.outcome();
    Operations ops = t.operations();
    if (hit()) {
      switch (random.nextInt(5)) {
        case 0 -> {
          sequence[session]++;
          stream.add(new Gap(proxy, 1));
          return;
        }
        case 1 -> outcome = Outcome.UNKNOWN;
        case 2 -> ops = blurred(ops);
        case 3 -> {
          StreamRecord whole = record(t, sequence[session]++, 0, outcome, ops);
          stream.add(whole);
          stream.add(whole);
          return;
        }
        default -> {
          emitChunks(t, sequence, outcome, ops);
          return;
        }
      }
    }
    stream.add(record(t, sequence[session]++, 0, outcome, ops));
  }

  private void emitChunks(
      TransactionRecord t, long[] sequence, Outcome outcome, Operations operations) {
    int session = (int) t.session().id();
    boolean lose = random.nextInt(3) == 0;
    for (int i = 0; i < operations.size(); i++) {
      boolean last = i == operations.size() - 1;
      StreamRecord chunk =
          record(
              t,
              sequence[session]++,
              i,
              last ? outcome : Outcome.OPEN,
              new Operations.Builder().addOne(operations, i).build());
      if (lose && random.nextInt(3) == 0) {
        stream.add(new Gap(proxyOf(session), 1));
      } else {
        stream.add(chunk);
      }
    }
  }

  /** Some versions become invisible, some writes are not understood. */
  private Operations blurred(Operations ops) {
    Operations.Builder blurred = new Operations.Builder();
    for (int i = 0; i < ops.size(); i++) {
      blurred.statement(ops.statement(i).table() == null ? TABLE : ops.statement(i));
      boolean write = ops.kind(i) == OperationKind.WRITE;
      if (random.nextBoolean()) {
        blurred.add(ops.kind(i), ops.key(i), ops.versionKind(i), ops.version(i));
      } else if (write && random.nextBoolean()) {
        blurred.opaque();
      } else {
        blurred.add(ops.kind(i), ops.key(i), VersionKind.UNKNOWN, 0);
      }
      if (ops.undone(i)) {
        blurred.undoFrom(blurred.size() - 1);
      }
    }
    return blurred.build();
  }

  private boolean hit() {
    return random.nextDouble() < damage;
  }

  /** Every transaction that is still to come may have sent a write, if it has begun. */
  private void heartbeat(int proxy) {
    if (!started[proxy]) {
      return;
    }
    List<Heartbeat.OpenTransaction> open = new ArrayList<>();
    for (TransactionRecord t : rest) {
      if (t.session().id() % 2 == proxy && (ran.isEmpty() || ran.indexOf(t) < hadRun)) {
        open.add(new Heartbeat.OpenTransaction(t.session().id(), t.transaction()));
      }
    }
    long number = lastHeartbeats[proxy]++;
    stream.add(new Heartbeat("p" + proxy, number, open, number % 2 == 0 ? null : counts(number)));
  }

  private static CaptureCounts counts(long number) {
    NotCaptured one =
        new NotCaptured("select " + number % 5, NotCaptured.Kind.UNREAD, "join", 1, number);
    return new CaptureCounts("shop", number, List.of(one));
  }

  private static TransactionRecord record(
      TransactionRecord t, long sequence, int chunk, Outcome outcome, Operations ops) {
    SessionInfo info =
        new SessionInfo(
            t.session().id(), t.session().name(), proxyOf(t.session().id()), "shop", "a", "db", 7);
    return new TransactionRecord(
        info,
        sequence,
        t.transaction(),
        chunk,
        outcome,
        t.ranAt(),
        t.beginNs(),
        t.endNs(),
        t.clock(),
        ops);
  }
}
