package io.isotail.ingest.chaos;

import io.isotail.incremental.record.Outcome;
import io.isotail.ingest.sql.Identities;
import io.isotail.ingest.sql.ObservedTable;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares three accounts of the same transactions: what clients were told, what the database has,
 * and what stands on the stream.
 */
final class Bookings {
  /**
   * Between what a client saw and the heartbeats and gaps around it lie an answer on its way, a
   * queue and a stalled process.
   */
  private static final long SLACK_MS = 2_000;

  private static final ObservedTable BOOKING =
      new ObservedTable(
          null,
          "booking",
          List.of(new ObservedTable.Column("id", null)),
          new ObservedTable.Column("xmin", null));

  private final Map<Long, Ledger.Entry> ledger;
  private final Set<Long> inDatabase;
  private final RecordedStream stream;
  private final List<ChaosProxy.Life> lives;
  private final Identities identities;

  Bookings(
      Map<Long, Ledger.Entry> ledger,
      Set<Long> inDatabase,
      RecordedStream stream,
      List<ChaosProxy.Life> lives,
      String history) {
    this.ledger = ledger;
    this.inDatabase = inDatabase;
    this.stream = stream;
    this.lives = lives;
    this.identities = Identities.ofHistory(history);
  }

  /** Keys of the rows of {@code booking} that are committed. */
  static Set<Long> inDatabase(String url) throws SQLException {
    Set<Long> ids = new HashSet<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM booking")) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
      }
    }
    return ids;
  }

  /** Clients were told the truth. */
  void compareWithDatabase(Findings findings) {
    List<String> wrong = new ArrayList<>();
    long unknownThere = 0;
    for (Ledger.Entry entry : ledger.values()) {
      boolean there = inDatabase.contains(entry.id());
      unknownThere += entry.told() == Ledger.Told.UNKNOWN && there ? 1 : 0;
      if (entry.told() != Ledger.Told.UNKNOWN && there != (entry.told() == Ledger.Told.COMMITTED)) {
        wrong.add("%s, and %s there".formatted(entry, there ? "is" : "is not"));
      }
    }
    inDatabase.stream()
        .filter(id -> !ledger.containsKey(id))
        .forEach(id -> wrong.add(id + " is there, and no client has begun it"));
    findings.none(
        "what is committed is what clients were told",
        wrong,
        "%,d told committed and there, %,d told otherwise and not there, %,d told nothing, of which"
            + " %,d are there; %,d wrong",
        told(Ledger.Told.COMMITTED),
        told(Ledger.Told.NOT_COMMITTED),
        told(Ledger.Told.UNKNOWN),
        unknownThere,
        wrong.size());
  }

  /** The stream tells the truth. */
  void compareOutcomes(Findings findings) {
    List<String> wrong = new ArrayList<>();
    long recorded = 0;
    long unknown = 0;
    for (Ledger.Entry entry : ledger.values()) {
      Set<Outcome> outcomes = outcomes(entry);
      boolean there = inDatabase.contains(entry.id());
      recorded += outcomes.isEmpty() ? 0 : 1;
      unknown += outcomes.contains(Outcome.UNKNOWN) ? 1 : 0;
      // What the client was told has passed the proxy first.
      boolean toldUnknown =
          entry.told() == Ledger.Told.COMMITTED && outcomes.contains(Outcome.UNKNOWN);
      if (outcomes.contains(there ? Outcome.ABORTED : Outcome.COMMITTED)
          || outcomes.size() > 1
          || toldUnknown) {
        wrong.add(
            "%s is recorded as %s, and %s there"
                .formatted(entry, outcomes, there ? "is" : "is not"));
      }
    }
    findings.none(
        "what is recorded as committed or aborted is so",
        wrong,
        "%,d of %,d recorded, %,d of them as unknown; %,d wrong",
        recorded,
        ledger.size(),
        unknown,
        wrong.size());
  }

  /** What is committed and not on the stream lies where records are announced to be missing. */
  void compareGaps(Findings findings) {
    List<String> unannounced = new ArrayList<>();
    Map<String, Long> inGaps = new TreeMap<>();
    long missing = 0;
    long silent = 0;
    long inGap = 0;
    for (long id : inDatabase) {
      Ledger.Entry entry = ledger.get(id);
      if (entry == null || !outcomes(entry).isEmpty()) {
        continue;
      }
      missing++;
      ChaosProxy.Life life = life(entry);
      List<RecordedStream.Incarnation> incarnations =
          life == null ? List.of() : stream.of(life.instance());
      if (life == null) {
        unannounced.add(entry + " went through no proxy that is known");
      } else if (incarnations.stream().anyMatch(i -> i.announcesGap(entry.endMs(), SLACK_MS))) {
        inGap++;
        inGaps.merge(life.instance(), 1L, Long::sum);
      } else if (incarnations.isEmpty()
          ? life.wasKilled()
          : incarnations.stream().allMatch(i -> i.isSilentFrom(entry.endMs(), SLACK_MS))) {
        silent++;
      } else {
        unannounced.add(entry + " through " + life);
      }
    }
    inGaps.forEach(
        (instance, count) -> {
          long lost =
              stream.of(instance).stream().mapToLong(RecordedStream.Incarnation::lost).sum();
          if (count > lost) {
            unannounced.add(
                "%s announced %d lost records; %d are missing".formatted(instance, lost, count));
          }
        });
    long lost = stream.incarnations().stream().mapToLong(RecordedStream.Incarnation::lost).sum();
    findings.none(
        "what is committed and not recorded is announced as lost",
        unannounced,
        "of %,d committed %,d are missing: %,d within gaps (%,d records announced), %,d of proxies that"
            + " fell silent; %,d not announced",
        inDatabase.size(),
        missing,
        inGap,
        lost,
        silent,
        unannounced.size());
  }

  private ChaosProxy.@org.jspecify.annotations.Nullable Life life(Ledger.Entry entry) {
    return lives.stream()
        .filter(life -> life.served(entry.port(), entry.beginMs()))
        .findFirst()
        .orElse(null);
  }

  private Set<Outcome> outcomes(Ledger.Entry entry) {
    return stream.outcomes(identities.key(BOOKING, List.of(Long.toString(entry.id()))));
  }

  private long told(Ledger.Told told) {
    return ledger.values().stream().filter(entry -> entry.told() == told).count();
  }
}
