package io.isotail.ingest.event;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.Changes;
import io.isotail.incremental.record.Control;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.LogMark;
import io.isotail.incremental.record.LogStart;
import io.isotail.incremental.record.LoggedTable;
import io.isotail.incremental.record.NotCaptured;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.RowChange;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Arbitrary valid records of every kind, from a seed. */
public final class RandomRecords {
  private static final String[] TEXTS = {"", "a", "orders", "Übergröße", "値", "x y\n", "null"};

  private final Random random;
  private final List<SessionInfo> sessions = new ArrayList<>();

  /** All that comes is a function of the seed. */
  public RandomRecords(long seed) {
    random = Seeds.random(seed);
  }

  /** A record of any kind. */
  public StreamRecord next() {
    return switch (random.nextInt(9)) {
      case 0 ->
          new Hello(
              text(),
              text(),
              text(),
              random.nextLong(),
              random.nextBoolean() ? Hello.NOT_KNOWN : random.nextLong(),
              random.nextBoolean() ? SessionInfo.NO_DATABASE : random.nextLong(),
              random.nextBoolean() ? Hello.NOT_KNOWN : random.nextLong());
      case 1 -> heartbeat();
      case 2 -> new Goodbye(text());
      case 3 -> new Gap(text(), 1 + random.nextLong(Long.MAX_VALUE));
      case 4 -> control();
      case 5 -> ofLog();
      default -> transaction();
    };
  }

  /** A transaction with any operations. */
  public TransactionRecord transaction() {
    return new TransactionRecord(
        session(),
        random.nextLong(Long.MAX_VALUE),
        random.nextLong(),
        random.nextInt(Integer.MAX_VALUE),
        pick(Outcome.values()),
        maybe(),
        random.nextBoolean() ? TransactionRecord.NO_TIME : random.nextLong(),
        random.nextBoolean() ? TransactionRecord.NO_TIME : random.nextLong(),
        maybe(),
        operations(),
        Origin.of(maybe(), maybe(), maybe(), maybe()));
  }

  /** One that was there before, or a new one. */
  private SessionInfo session() {
    if (!sessions.isEmpty() && random.nextInt(4) > 0) {
      return sessions.get(random.nextInt(sessions.size()));
    }
    SessionInfo session =
        new SessionInfo(
            random.nextLong(),
            text(),
            maybe(),
            maybe(),
            maybe(),
            maybe(),
            random.nextInt(),
            random.nextBoolean() ? SessionInfo.NO_DATABASE : random.nextLong(),
            random.nextBoolean() ? Hello.NOT_KNOWN : random.nextLong());
    sessions.add(session);
    return session;
  }

  private Operations operations() {
    Operations.Builder builder = new Operations.Builder();
    boolean named = random.nextBoolean();
    int size = random.nextInt(12);
    for (int i = 0; i < size; i++) {
      if (random.nextInt(3) == 0) {
        builder.statement(random.nextBoolean() ? null : statement());
      }
      builder.add(
          pick(OperationKind.values()),
          random.nextLong(),
          pick(VersionKind.values()),
          random.nextLong());
      OperationKind last = builder.kindOfLast();
      boolean changes = last == OperationKind.WRITE || last == OperationKind.DELETE;
      if (changes && random.nextInt(3) == 0) {
        builder.replaces(random.nextLong());
      }
      if (random.nextInt(4) == 0) {
        builder.undoFrom(builder.size() - 1);
      }
      if (named) {
        builder.names(maybe(), maybe());
      }
    }
    return builder.build();
  }

  private Statement statement() {
    List<String> columns = random.nextInt(4) == 0 ? List.of(text(), text()) : List.of();
    return new Statement(maybe(), text(), random.nextBoolean(), random.nextBoolean(), columns);
  }

  private StreamRecord ofLog() {
    return switch (random.nextInt(3)) {
      case 0 ->
          new LogStart(
              text(),
              random.nextBoolean() ? SessionInfo.NO_DATABASE : random.nextLong(),
              random.nextLong(),
              random.nextBoolean() ? Set.of() : Set.of("orders", "値"),
              random.nextBoolean() ? null : "before" + text(),
              random.nextBoolean() ? Set.of() : Set.of("値"));
      case 1 -> new LogMark(text(), random.nextLong());
      default -> {
        List<RowChange> rows = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          LoggedTable table =
              random.nextBoolean()
                  ? new LoggedTable("orders", List.of("id", "v"))
                  : new LoggedTable("none", List.of());
          rows.add(new RowChange(table, random.nextLong(), content(table), content(table)));
        }
        yield new Changes(text(), positive(), 1 + positive() / 2, random.nextBoolean(), rows);
      }
    };
  }

  private long[] content(LoggedTable table) {
    return random.nextBoolean() ? null : random.longs(table.columns().size()).toArray();
  }

  private Heartbeat heartbeat() {
    List<Heartbeat.OpenTransaction> open = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      open.add(new Heartbeat.OpenTransaction(random.nextLong(), random.nextLong()));
    }
    return new Heartbeat(
        text(),
        random.nextLong(),
        open,
        random.nextBoolean() ? null : counts(),
        random.nextBoolean() ? TransactionRecord.NO_TIME : random.nextLong());
  }

  private CaptureCounts counts() {
    List<NotCaptured> notCaptured = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      notCaptured.add(
          new NotCaptured(text(), pick(NotCaptured.Kind.values()), text(), positive(), positive()));
    }
    return new CaptureCounts(text(), positive(), notCaptured);
  }

  private long positive() {
    return random.nextLong(Long.MAX_VALUE);
  }

  private Control control() {
    Map<String, String> settings = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      settings.put(text(), text());
    }
    return new Control(settings);
  }

  private String text() {
    return pick(TEXTS);
  }

  private @org.jspecify.annotations.Nullable String maybe() {
    return random.nextBoolean() ? null : text();
  }

  private <T> T pick(T[] choices) {
    return choices[random.nextInt(choices.length)];
  }
}
