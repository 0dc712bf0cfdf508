package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.cause.Culprit;
import io.isotail.incremental.cause.Difference;
import io.isotail.incremental.cause.Dimension;
import io.isotail.incremental.cause.Fault;
import io.isotail.incremental.cause.Grouping;
import io.isotail.incremental.cause.IncidentLedger;
import io.isotail.incremental.cause.IncidentReport;
import io.isotail.incremental.cause.RootKind;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Causes with one root are one incident, whatever kinds of anomaly it shows. */
final class IncidentsTest {
  private static final String READ_COMMITTED = "postgresql:read-committed";
  private static final String REPEATABLE_READ = "postgresql:repeatable-read";
  private static final String SERIALIZABLE = "postgresql:serializable";
  private static final String MARIADB = "mariadb:repeatable-read";
  private static final String ON_STANDBY = "postgresql-standby:repeatable-read";

  /** Promises more for MariaDB than this documents. */
  private static final CheckerConfig STRENGTHENED =
      CheckerConfig.forFile("shop", IsolationLevel.SERIALIZABLE)
          .withPromises(Map.of(MARIADB, IsolationLevel.SNAPSHOT_ISOLATION));

  private static final CheckerConfig SHOP =
      CheckerConfig.forFile("shop", IsolationLevel.SERIALIZABLE)
          .withPromise(IsolationLevel.SERIALIZABLE);

  @Test
  void manyKindsOfOneEndpointAreOneIncident() {
    Shop shop = Shop.of(1, 6_000, 50, IncidentsTest::anyOfReports);
    CheckRun run = CheckRun.of(SHOP, shop.log());
    assertThat(run.checker.causes()).hasSizeGreaterThan(2);
    assertThat(run.checker.incidents()).hasSize(1);
    IncidentReport incident = run.checker.incidents().get(0);
    assertThat(incident.root().kind()).isEqualTo(RootKind.PROMISE);
    assertThat(incident.root().promised()).isEqualTo(IsolationLevel.SERIALIZABLE);
    assertThat(incident.root().ranAt()).isEqualTo(READ_COMMITTED);
    assertThat(incident.culprits()).containsExactly(new Culprit("reporting", "GET /sum", null));
    assertThat(incident.kinds())
        .containsKeys(
            AnomalyKind.FRACTURED_READ, AnomalyKind.NON_REPEATABLE_READS, AnomalyKind.LONG_FORK);
    assertThat(incident.slot()).isEqualTo(1);
    assertThat(incident.wave().number()).isEqualTo(1);
    assertThat(incident.end()).isNull();
    List<CauseReport> causes = run.checker.causes();
    assertThat(causes)
        .allMatch(cause -> cause.incident().equals(incident.id()) && cause.slot() == 1);
    assertThat(incident.causes())
        .containsExactlyInAnyOrderElementsOf(causes.stream().map(CauseReport::id).toList());
    assertThat(incident.violations())
        .isEqualTo(causes.stream().mapToLong(CauseReport::violations).sum())
        .isEqualTo(incident.kinds().values().stream().mapToLong(Long::longValue).sum());
    assertThat(incident.radius().rows()).isBetween(10, 20);
    assertThat(incident.radius().tables()).containsOnlyKeys("stock");
    assertThat(incident.radius().transactions()).isGreaterThanOrEqualTo(shop.bugs());
    assertThat(incident.radius().delivered())
        .isBetween(incident.radius().transactions(), (long) shop.log().size());
  }

  private static void anyOfReports(Shop shop) {
    switch (shop.bugs() % 3) {
      case 0 -> shop.fractureRead();
      case 1 -> shop.readTwice();
      default -> shop.fork();
    }
  }

  /** Where no endpoint is told, what one service does with one table has one root. */
  @Test
  void manyKindsOfOneServiceOnOneTableAreOneIncident() {
    Shop shop =
        Shop.of(
            2,
            6_000,
            50,
            each -> {
              if (each.bugs() % 2 == 0) {
                each.loseUpdate();
              } else {
                anyOfReports(each);
              }
            });
    List<TransactionRecord> log =
        mapped(shop.log(), t -> with(t, named(t.session(), "workload"), t.ranAt(), null));
    CheckRun run = CheckRun.of(SHOP, log);
    assertThat(run.checker.causes()).hasSizeGreaterThan(2);
    assertThat(run.checker.incidents())
        .singleElement()
        .satisfies(
            incident ->
                assertThat(incident.culprits())
                    .containsExactly(new Culprit("workload", null, "stock")));
  }

  @Test
  void bugsOfTwoEndpointsAreTwoIncidents() {
    CheckRun run = CheckRun.of(SHOP, Shop.of(3, 6_000, 50, IncidentsTest::buyerOrRoster).log());
    assertThat(run.checker.incidents())
        .extracting(incident -> incident.culprits().get(0).name())
        .containsExactlyInAnyOrder("POST /buy of checkout", "POST /off-duty of roster");
    assertThat(run.checker.incidents())
        .extracting(IncidentReport::slot)
        .containsExactlyInAnyOrder(1, 2);
    assertThat(run.checker.incidents()).allMatch(incident -> incident.mergedWith().isEmpty());
  }

  private static void buyerOrRoster(Shop shop) {
    if (shop.bugs() % 2 == 0) {
      shop.loseUpdate();
    } else {
      shop.skewWrites();
    }
  }

  /** What the two do to each other shows that they have one root: a link, and no id changes. */
  @Test
  void aCauseOfTwoIncidentsLinksThem() {
    History history = new History();
    history.loseUpdate("A", "t");
    history.loseUpdate("B", "t");
    CheckRun before = CheckRun.of(SHOP, history.log);
    List<String> ids = before.checker.incidents().stream().map(IncidentReport::id).toList();
    assertThat(ids).hasSize(2);
    history.skewWrites("A", "B");
    List<IncidentReport> incidents = CheckRun.of(SHOP, history.log).checker.incidents();
    assertThat(incidents).extracting(IncidentReport::id).containsExactlyInAnyOrderElementsOf(ids);
    IncidentReport joined = incidents.get(0);
    IncidentReport other = incidents.get(1);
    assertThat(joined.culprits())
        .containsExactly(new Culprit("shop", "A", null), new Culprit("shop", "B", null));
    assertThat(joined.causeCount()).isEqualTo(2);
    assertThat(joined.mergedWith()).containsExactly(other.id());
    assertThat(other.mergedWith()).containsExactly(joined.id());
    assertThat(other.culprits()).containsExactly(new Culprit("shop", "B", null));
    assertThat(joined.wave().number()).isEqualTo(1);
  }

  @Test
  void aDatabaseThatBreaksItsOwnLevelIsOneIncidentOfAllEndpoints() {
    History history = new History();
    history.ranAt = REPEATABLE_READ;
    history.loseUpdate("A", "t");
    history.loseUpdate("B", "u");
    assertThat(CheckRun.of(SHOP, history.log).checker.incidents())
        .singleElement()
        .satisfies(
            incident -> {
              assertThat(incident.root().kind()).isEqualTo(RootKind.DATABASE);
              assertThat(incident.causeCount()).isEqualTo(2);
              assertThat(incident.culprits()).hasSize(2);
              assertThat(incident.wave().number()).isEqualTo(1);
            });
  }

  /** MariaDB documents that an update may be lost at repeatable read. The setting asks for more. */
  @Test
  void aDatabaseIsNotBlamedForAPromiseThatOnlyTheSettingsGive() {
    History history = new History();
    history.ranAt = MARIADB;
    history.loseUpdate("A", "t");
    CheckRun run = CheckRun.of(STRENGTHENED, history.log);
    assertThat(run.checker.incidents())
        .singleElement()
        .satisfies(
            incident -> {
              assertThat(incident.root().kind()).isEqualTo(RootKind.PROMISE);
              assertThat(incident.root().promised()).isEqualTo(IsolationLevel.SNAPSHOT_ISOLATION);
              assertThat(incident.root().ranAt()).isEqualTo(MARIADB);
            });
    assertThat(run.checker.causes())
        .singleElement()
        .satisfies(cause -> assertThat(cause.fault()).isEqualTo(Fault.APPLICATION));
  }

  /**
   * A lost update is mended by a read that locks: that must not page where updates are promised.
   */
  @Test
  void whatReadsAnewWithALockIsPromisedNoSnapshotByTheLevelsWithoutLocks() {
    History history = new History();
    history.fractureRead("A", MARIADB + "-locking");
    assertThat(CheckRun.of(STRENGTHENED, history.log).checker.incidents()).isEmpty();
    CheckerConfig locking =
        STRENGTHENED.withPromises(Map.of(MARIADB + "-locking", IsolationLevel.SNAPSHOT_ISOLATION));
    assertThat(CheckRun.of(locking, history.log).checker.incidents()).hasSize(1);
  }

  /** What the operator knows of a database that documents nothing is what it is held to. */
  @Test
  void aDatabaseThatDocumentsNothingIsHeldToWhatWasDeclared() {
    CheckerConfig declared =
        CheckerConfig.forFile("shop", IsolationLevel.SERIALIZABLE)
            .withPromises(Map.of("other:best", IsolationLevel.SNAPSHOT_ISOLATION));
    History history = new History();
    history.ranAt = "other:best";
    history.loseUpdate("A", "t");
    CheckRun run = CheckRun.of(declared, history.log);
    assertThat(run.checker.incidents())
        .allMatch(incident -> incident.root().kind() == RootKind.DATABASE);
    assertThat(run.checker.causes())
        .singleElement()
        .satisfies(cause -> assertThat(cause.fault()).isEqualTo(Fault.DATABASE));
  }

  @Test
  void whatDoesNotTellItsLevelHasARootOfItsOwn() {
    History history = new History();
    history.ranAt = null;
    history.loseUpdate("A", "t");
    history.ranAt = READ_COMMITTED;
    history.loseUpdate("A", "t");
    assertThat(CheckRun.of(SHOP, history.log).checker.incidents())
        .as("a cause that is known stays where it began")
        .singleElement()
        .satisfies(incident -> assertThat(incident.root().kind()).isEqualTo(RootKind.UNKNOWN));
  }

  @Test
  void oneReplicaThatLagsIsOneIncidentOfAllWhoReadIt() {
    History history = new History();
    history.readStale("A", ON_STANDBY);
    history.readStale("B", ON_STANDBY);
    assertThat(CheckRun.of(SHOP, history.log).checker.incidents())
        .singleElement()
        .satisfies(
            incident -> {
              assertThat(incident.root().kind()).isEqualTo(RootKind.REPLICA);
              assertThat(incident.root().server()).isEqualTo("db:5432");
              assertThat(incident.culprits()).hasSize(2);
            });
  }

  /** Reads that are late, where nothing says that a standby answered. */
  @Test
  void noReplicaIsGuessed() {
    for (String ranAt : new String[] {null, READ_COMMITTED, REPEATABLE_READ}) {
      History history = new History();
      history.readStale("A", ranAt);
      assertThat(CheckRun.of(SHOP, history.log).checker.incidents())
          .as("at %s", ranAt)
          .singleElement()
          .satisfies(incident -> assertThat(incident.root().kind()).isNotEqualTo(RootKind.REPLICA));
    }
    History statements = new History();
    statements.fractureRead("A", "postgresql-standby:read-committed");
    assertThat(CheckRun.of(SHOP, statements.log).checker.incidents())
        .as("two statements of one transaction, which show what was committed in between")
        .singleElement()
        .satisfies(incident -> assertThat(incident.root().kind()).isEqualTo(RootKind.PROMISE));
  }

  @Test
  void anEndpointThatJoinsLaterAndATenfoldRateAreNewWaves() {
    History history = new History();
    CheckRun run = new CheckRun(SHOP);
    history.loseUpdate("A", "t");
    history.handTo(run, 1_000);
    assertThat(wave(run)).isEqualTo(1);
    history.skewWrites("A", "B");
    history.handTo(run, 200_000);
    assertThat(wave(run)).as("what comes at once belongs to the first").isEqualTo(1);
    history.skewWrites("A", "C");
    history.handTo(run, 400_000);
    assertThat(wave(run)).isEqualTo(2);
    assertThat(run.checker.incidents().get(0).wave().reason()).isEqualTo("C of shop joined");

    for (int i = 0; i < 29; i++) {
      history.loseUpdate("A", "t");
      history.handTo(run, 700_000);
    }
    assertThat(wave(run)).as("29 after 3").isEqualTo(2);
    history.loseUpdate("A", "t");
    history.handTo(run, 700_000);
    assertThat(wave(run)).isEqualTo(3);
    assertThat(run.checker.incidents().get(0).wave().reason())
        .isEqualTo("30 violations in 10 minutes, at most 3 before");
    for (int i = 0; i < 100; i++) {
      history.loseUpdate("A", "t");
      history.handTo(run, 700_000);
    }
    assertThat(wave(run)).isEqualTo(3);
  }

  private static int wave(CheckRun run) {
    assertThat(run.checker.incidents()).hasSize(1);
    return run.checker.incidents().get(0).wave().number();
  }

  @Test
  void anIncidentIsOverWhenItsTransactionsRunAtAStrongerLevelAndGoesOnWhenItStrikesAgain() {
    History history = new History();
    CheckRun run = new CheckRun(SHOP);
    history.loseUpdate("A", "t");
    history.ranAt = REPEATABLE_READ;
    for (int i = 0; i < 99; i++) {
      history.update("A", "t");
      history.update("B", "t");
    }
    history.ranAt = "postgresql:read-uncommitted";
    history.update("A", "t");
    history.handTo(run, 1_000);
    assertThat(run.checker.incidents().get(0).end()).isNull();
    long changes = run.checker.causeChanges();
    history.ranAt = REPEATABLE_READ;
    for (int i = 0; i < 100; i++) {
      history.update("A", "t");
    }
    history.handTo(run, 2_000);
    assertThat(run.checker.incidents().get(0).end()).as("one of many instances").isNull();
    history.update("A", "t");
    history.handTo(run, 1_802_000);
    IncidentReport over = run.checker.incidents().get(0);
    assertThat(over.end()).isNotNull();
    assertThat(over.end().reason())
        .isEqualTo(
            "its transactions run at postgresql:repeatable-read now, no longer at"
                + " postgresql:read-committed");
    assertThat(over.end().at().appendTimeMs()).isEqualTo(1_802_000);
    assertThat(run.checker.causeChanges()).isGreaterThan(changes);
    history.ranAt = READ_COMMITTED;
    history.loseUpdate("A", "t");
    history.handTo(run, 1_803_000);
    assertThat(run.checker.incidents().get(0).end()).isNull();
    assertThat(wave(run)).isEqualTo(2);
  }

  /** Else an endpoint of which one instance in a hundred runs weakly would page all the time. */
  @Test
  void whatGoesOnStrikingIsNotOverHoweverManyRunAtAStrongerLevel() {
    History history = new History();
    CheckRun run = new CheckRun(SHOP);
    for (int minute = 0; minute < 120; minute++) {
      history.ranAt = READ_COMMITTED;
      history.loseUpdate("A", "t");
      history.ranAt = REPEATABLE_READ;
      for (int i = 0; i < 150; i++) {
        history.update("A", "t");
      }
      history.handTo(run, 1_000 + minute * 60_000L);
      assertThat(run.checker.incidents().get(0).end()).isNull();
    }
    assertThat(wave(run)).isEqualTo(1);
  }

  /** The buyer's statements, level and instance are common; its endpoint is not. */
  @Test
  void whatDiffersIsToldWithTheMostTellingFirst() {
    Shop shop = Shop.of(4, 6_000, 100);
    IncidentReport incident = CheckRun.of(SHOP, shop.log()).checker.incidents().get(0);
    List<Difference> differences = incident.differences();
    assertThat(differences).isNotEmpty();
    assertThat(differences.stream().map(Difference::excess))
        .isSortedAccordingTo((a, b) -> Double.compare(b, a))
        .allMatch(excess -> excess > 0);
    Difference endpoint =
        differences.stream()
            .filter(difference -> difference.dimension() == Dimension.ENDPOINT)
            .findFirst()
            .orElseThrow();
    assertThat(endpoint.value()).isEqualTo("POST /buy");
    assertThat(endpoint.badOf()).isEqualTo(incident.radius().transactions());
    assertThat(endpoint.bad()).isEqualTo(endpoint.badOf());
    long buys =
        shop.log().stream()
            .filter(t -> t.origin() != null && "POST /buy".equals(t.origin().endpoint()))
            .count();
    assertThat(endpoint.good() + endpoint.bad()).isBetween(buys / 2, buys);
    assertThat(endpoint.goodOf() + endpoint.badOf())
        .as("since it began")
        .isLessThan(shop.log().size());
    assertThat(differences)
        .as("all run at one level")
        .noneMatch(difference -> difference.dimension() == Dimension.LEVEL);
  }

  @Test
  void theVersionThatBroughtTheBugIsTold() {
    Shop shop = Shop.of(4, 6_000, 100);
    List<TransactionRecord> log =
        mapped(
            shop.log(),
            t -> {
              String endpoint = t.origin() == null ? null : t.origin().endpoint();
              String version = "POST /buy".equals(endpoint) ? "shop 1.42" : "shop 1.41";
              return with(t, t.session(), t.ranAt(), Origin.of(null, endpoint, null, version));
            });
    CheckRun run = CheckRun.of(SHOP, log);
    assertThat(run.checker.incidents().get(0).differences())
        .filteredOn(difference -> difference.dimension() == Dimension.VERSION)
        .singleElement()
        .satisfies(
            difference -> {
              assertThat(difference.value()).isEqualTo("shop 1.42");
              assertThat(difference.bad()).isEqualTo(difference.badOf());
            });
    assertThat(run.checker.markers()).hasSize(1);
  }

  /** One that does all it can is not said to run at the level of another one. */
  @Test
  void whoseLevelIsTooWeakIsTold() {
    History history = new History();
    CheckRun run = new CheckRun(SHOP);
    for (int i = 0; i < 20; i++) {
      history.skewWrites("strong", SERIALIZABLE, "weak", READ_COMMITTED);
      history.skewWrites("poor", READ_COMMITTED, "rich", SERIALIZABLE);
    }
    history.handTo(run, 1_000);
    assertThat(run.checker.incidents())
        .allMatch(incident -> incident.root().ranAt().equals(READ_COMMITTED))
        .extracting(incident -> incident.root().others())
        .as("whichever of the two is left out")
        .containsExactlyInAnyOrder(true, false);
    history.ranAt = SERIALIZABLE;
    for (int i = 0; i < 300; i++) {
      history.update("strong", "s");
      history.update("rich", "s");
      history.handTo(run, 1_000 + 60_000L * i);
    }
    assertThat(run.checker.incidents())
        .filteredOn(incident -> incident.root().others())
        .as("it ran there all the time")
        .allMatch(incident -> incident.end() == null);
  }

  /** Else the hour in which an incident begins would be guilty of it, and whatever is new in it. */
  @Test
  void whatRanBeforeItIsNotComparedWith() {
    History history = new History();
    CheckRun run = new CheckRun(SHOP);
    for (int i = 0; i < 1_000; i++) {
      history.update("old", "t");
    }
    history.handTo(run, 1_000);
    for (int i = 0; i < 5; i++) {
      history.loseUpdate("A", "t");
      for (int j = 0; j < 100; j++) {
        history.update("new", "t");
      }
      history.handTo(run, 3_600_000 + 1_000L * i);
    }
    assertThat(run.checker.incidents().get(0).differences())
        .anyMatch(d -> d.dimension() == Dimension.ENDPOINT && d.value().equals("A"))
        .noneMatch(d -> d.dimension() == Dimension.HOUR)
        .allMatch(d -> d.goodOf() < 600);
  }

  @Test
  void howManyAreRememberedIsBounded() {
    int endpoints = IncidentLedger.MAX_INCIDENTS + 50;
    History history = new History();
    for (int i = 0; i < endpoints; i++) {
      history.loseUpdate("E" + i, "t");
    }
    CheckRun run = CheckRun.of(SHOP, history.log);
    List<IncidentReport> incidents = run.checker.incidents();
    assertThat(incidents).hasSize(IncidentLedger.MAX_INCIDENTS);
    assertThat(run.checker.forgottenIncidents()).isEqualTo(50);
    assertThat(run.checker.causes()).hasSize(IncidentLedger.MAX_INCIDENTS);
    assertThat(incidents.stream().map(IncidentReport::slot).filter(slot -> slot > 0))
        .hasSize(IncidentLedger.SLOTS)
        .doesNotHaveDuplicates();
  }

  @Test
  void rowsBeyondTheBoundAreTheLeast() {
    History history = new History();
    for (int i = 0; i < 1_010; i++) {
      history.loseUpdate("A", "t");
    }
    history.loseUpdate("A", "t", 7);
    IncidentReport.Radius radius =
        CheckRun.of(SHOP, history.log).checker.incidents().get(0).radius();
    assertThat(radius.rows()).isEqualTo(1_000);
    assertThat(radius.moreRows()).isTrue();
    assertThat(radius.most()).hasSize(10);
    assertThat(radius.most().get(0).violations()).isEqualTo(2);
    assertThat(radius.most().get(0).row().key()).isEqualTo(7);
  }

  @Test
  void incidentsAreTheSameInEveryRunAndHoweverMuchIsProven() {
    for (long seed = 0; seed < 5; seed++) {
      List<TransactionRecord> log = Shop.of(seed, 3_000, 40, IncidentsTest::buyerOrRoster).log();
      List<IncidentReport> incidents = CheckRun.of(SHOP, log).checker.incidents();
      assertThat(CheckRun.of(SHOP, log).checker.incidents())
          .as("seed %d", seed)
          .isEqualTo(incidents);
      assertThat(CheckRun.of(SHOP.withProvenPerInterval(2), log).checker.incidents())
          .as("seed %d", seed)
          .isEqualTo(incidents);
    }
  }

  /** Those who publish look at all of them many times a second, and few have changed. */
  @Test
  void aReportIsMadeAnewOfWhatHasChangedAlone() {
    for (long seed = 1; seed <= 4; seed++) {
      CheckRun looked = new CheckRun(SHOP);
      CheckRun once = new CheckRun(SHOP);
      Map<String, Grouping> before = new HashMap<>();
      int made = 0;
      int all = 0;
      long nowMs = 0;
      for (TransactionRecord t : eventful(seed)) {
        nowMs += 20_000;
        looked.accept(nowMs, t);
        once.accept(nowMs, t);
        for (Grouping each : groupings(looked)) {
          made += each == before.put(each.getClass() + each.id(), each) ? 0 : 1;
          all++;
        }
      }
      assertThat(made).as("seed %d: of %d", seed, all).isPositive().isLessThan(all / 10);
      assertThat(told(looked))
          .as("seed %d: nothing that changed is left out", seed)
          .isEqualTo(told(once));
    }
  }

  private static List<Grouping> groupings(CheckRun run) {
    List<Grouping> all = new ArrayList<>(run.checker.incidents());
    all.addAll(run.checker.causes());
    return all;
  }

  /** What changes only when a report is made anew; not how many others did nothing wrong. */
  private static List<Object> told(CheckRun run) {
    List<Object> told = new ArrayList<>(run.checker.causes());
    for (IncidentReport each : run.checker.incidents()) {
      told.add(
          List.of(
              each.id(),
              each.slot(),
              each.culprits(),
              each.last(),
              each.violations(),
              each.kinds(),
              each.causes(),
              each.radius().most(),
              each.radius().transactions(),
              each.wave(),
              Optional.ofNullable(each.end()),
              each.mergedWith(),
              each.timeline()));
    }
    return told;
  }

  /** Incidents of every kind, which become more, worse, linked, over and open again. */
  static List<TransactionRecord> eventful(long seed) {
    Random random = Seeds.random(seed);
    History history = new History();
    for (int step = 0; step < 150; step++) {
      history.ranAt = random.nextInt(20) == 0 ? null : READ_COMMITTED;
      String endpoint = random.nextInt(8) == 0 ? null : "E" + random.nextInt(4);
      switch (random.nextInt(8)) {
        case 0 -> history.skewWrites(endpoint, "E" + random.nextInt(4));
        case 1 -> history.readStale(endpoint, ON_STANDBY);
        case 2 -> history.fractureRead(endpoint, READ_COMMITTED);
        case 3 -> history.loseUpdate(endpoint, "t", 1 + random.nextInt(3));
        default -> history.loseUpdate(endpoint, "t");
      }
      if (step % 50 == 10) {
        history.ranAt = REPEATABLE_READ;
        for (int i = 0; i < 110; i++) {
          history.update("E1", "t");
        }
      }
    }
    return history.log;
  }

  private static List<TransactionRecord> mapped(
      List<TransactionRecord> log, UnaryOperator<TransactionRecord> by) {
    return log.stream().map(by).toList();
  }

  private static SessionInfo named(SessionInfo of, String service) {
    return new SessionInfo(of.id(), of.name(), null, service, null, null, 0);
  }

  private static TransactionRecord with(
      TransactionRecord t, SessionInfo session, String ranAt, Origin origin) {
    return new TransactionRecord(
        session,
        t.sequence(),
        t.transaction(),
        t.chunk(),
        t.outcome(),
        ranAt,
        t.beginNs(),
        t.endNs(),
        t.clock(),
        t.operations(),
        origin);
  }

  /** Transactions of a service, each on rows of its own. */
  private static final class History {
    final List<TransactionRecord> log = new ArrayList<>();
    String ranAt = READ_COMMITTED;
    private int handed;
    private long nextKey = 1;
    private long nextVersion = 1;
    private long nextSession = 1;

    void handTo(CheckRun run, long nowMs) {
      while (handed < log.size()) {
        run.accept(nowMs, log.get(handed++));
      }
    }

    /** Two of an endpoint overwrite what they have both read. */
    void loseUpdate(String endpoint, String table) {
      loseUpdate(endpoint, table, nextKey++);
    }

    void loseUpdate(String endpoint, String table, long key) {
      long base = nextVersion++;
      commit(
          "setup",
          new Operations.Builder().statement(new Statement(table, "INSERT")).write(key, base));
      for (int i = 0; i < 2; i++) {
        Operations.Builder ops = new Operations.Builder().statement(new Statement(table, "SELECT"));
        ops.read(key, base).statement(new Statement(table, "UPDATE"));
        commit(endpoint, ops.write(key, nextVersion++));
      }
    }

    /** One that is right. */
    void update(String endpoint, String table) {
      Operations.Builder ops = new Operations.Builder().statement(new Statement(table, "UPDATE"));
      commit(endpoint, ops.write(nextKey++, nextVersion++));
    }

    /** Each of two endpoints misses what the other writes. */
    void skewWrites(String one, String other) {
      skewWrites(one, ranAt, other, ranAt);
    }

    void skewWrites(String one, String oneAt, String other, String otherAt) {
      long first = nextKey++;
      long second = nextKey++;
      skewed(one, oneAt, first, second);
      skewed(other, otherAt, second, first);
    }

    private void skewed(String endpoint, String at, long read, long written) {
      Operations.Builder ops = new Operations.Builder().statement(new Statement("s", "SELECT"));
      ops.readInitial(read).statement(new Statement("s", "UPDATE"));
      commit(nextSession++, 0, endpoint, at, ops.write(written, nextVersion++));
    }

    /** A session does not see what it has written. */
    void readStale(String endpoint, String readAt) {
      long key = nextKey++;
      long session = nextSession++;
      long base = nextVersion++;
      commit(
          "setup",
          new Operations.Builder().statement(new Statement("t", "INSERT")).write(key, base));
      Operations.Builder write = new Operations.Builder().statement(new Statement("t", "SELECT"));
      write.read(key, base).statement(new Statement("t", "UPDATE")).write(key, nextVersion++);
      commit(session, 0, "write", REPEATABLE_READ, write);
      Operations.Builder read = new Operations.Builder().statement(new Statement("t", "SELECT"));
      commit(session, 1, endpoint, readAt, read.read(key, base));
    }

    /** A transaction sees one of two rows that another one writes. */
    void fractureRead(String endpoint, String readAt) {
      long version = nextVersion++;
      Operations.Builder write = new Operations.Builder().statement(new Statement("t", "UPDATE"));
      commit("write", write.write(nextKey, version).write(nextKey + 1, version));
      Operations.Builder read = new Operations.Builder().statement(new Statement("t", "SELECT"));
      read.readInitial(nextKey).read(nextKey + 1, version);
      nextKey += 2;
      commit(nextSession++, 0, endpoint, readAt, read);
    }

    private void commit(String endpoint, Operations.Builder ops) {
      commit(nextSession++, 0, endpoint, ranAt, ops);
    }

    private void commit(
        long session, long sequence, String endpoint, String at, Operations.Builder ops) {
      log.add(
          new TransactionRecord(
              new SessionInfo(session, "s" + session, null, "shop", null, "db:5432", 0),
              sequence,
              sequence + 1,
              0,
              Outcome.COMMITTED,
              at,
              TransactionRecord.NO_TIME,
              TransactionRecord.NO_TIME,
              null,
              ops.build(),
              Origin.of(null, endpoint, null)));
    }
  }
}
