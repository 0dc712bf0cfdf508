package io.isotail.monitor.bank;

import java.sql.Connection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a run of the bank does.
 *
 * @param levels isolation levels of the transactions
 * @param settings settings of the history in the monitor
 * @param traffic how long the business lasts at least
 * @param ending what happens on the way to the end
 * @param rebooking who deletes and re-inserts whose transfers
 * @param versions what tells the versions of a row apart
 * @param seed decides who tries what
 */
record BankPlan(
    Levels levels,
    Map<String, String> settings,
    Duration traffic,
    Ending ending,
    Rebooking rebooking,
    Versions versions,
    long seed) {

  /** Id of the history. */
  static final String HISTORY = "bank";

  /** Tellers of the application that lives. */
  static final int TELLERS = 6;

  /** Tellers of the application that may be killed. */
  static final int KILLED_TELLERS = 3;

  /** Tellers of the client past isotail. */
  static final int UNSEEN_TELLERS = 1;

  /**
   * Each transaction is held to what it ran at: repeatable read and serializable are promised
   * causal, read committed keeps the default, which is its own name.
   */
  static final Map<String, String> BY_LEVEL =
      Map.of(
          "promises.postgresql:repeatable-read", "causal",
          "promises.postgresql:serializable", "causal");

  /** What PostgreSQL promises: snapshot isolation at repeatable read and above. */
  static final Map<String, String> SNAPSHOTS_BY_LEVEL =
      Map.of(
          "promises.postgresql:repeatable-read", "snapshot-isolation",
          "promises.postgresql:serializable", "snapshot-isolation");

  /** Causal for whatever runs, at whatever level. */
  static final Map<String, String> CAUSAL_FOR_ALL = Map.of("promise", "causal");

  /** Copies the map. */
  BankPlan {
    settings = Map.copyOf(settings);
  }

  /** What tells the versions of a row apart. */
  enum Versions {
    /** The column {@code version}, which isotail is told of. */
    DECLARED,
    /** What the database keeps by itself: isotail is told nothing. */
    KEPT
  }

  /** How transactions choose their level. */
  enum Levels {
    /** 70 of 100 at repeatable read, 15 serializable, 15 read committed. */
    MIXED(15, 15),
    /** All at read committed. */
    READ_COMMITTED(100, 0),
    /** All at read committed, by tellers who set balances by what they have read. */
    CARELESS(100, 0);

    private final int readCommitted;
    private final int serializable;

    Levels(int readCommitted, int serializable) {
      this.readCommitted = readCommitted;
      this.serializable = serializable;
    }

    boolean careless() {
      return this == CARELESS;
    }

    int pick(SplittableRandom random) {
      int at = random.nextInt(100);
      return at < readCommitted
          ? Connection.TRANSACTION_READ_COMMITTED
          : at < readCommitted + serializable
              ? Connection.TRANSACTION_SERIALIZABLE
              : Connection.TRANSACTION_REPEATABLE_READ;
    }
  }

  /** What happens on the way to the end. */
  enum Ending {
    /** The second application is killed while the others go on. */
    KILL,
    /** Business goes on until there is an alarm. */
    ALARM
  }

  /** Who deletes and re-inserts whose transfers. */
  enum Rebooking {
    /** Each application those that it booked itself. */
    OWN,
    /** The two applications those of both, the client past isotail its own. */
    CAPTURED,
    /** Every application, and the client past isotail, those of all. */
    SHARED;

    /** First id of the transfers of the application that lives. */
    long ofLiving() {
      return 0;
    }

    /** First id of the transfers of the application that may be killed. */
    long ofKilled() {
      return this == OWN ? BankTables.TRANSFERS : 0;
    }

    /** First id of the transfers of the client past isotail. */
    long ofUnseen() {
      return this == SHARED ? 0 : 2L * BankTables.TRANSFERS;
    }
  }

  /** Everything at once, and each transaction held to what it ran at. */
  static BankPlan honest(Duration traffic, Rebooking rebooking, long seed) {
    return new BankPlan(
            Levels.MIXED, BY_LEVEL, traffic, Ending.KILL, rebooking, Versions.DECLARED, seed)
        .with("counting-tables", "account");
  }

  /** Read committed under a promise that it does not keep. */
  static BankPlan broken(long seed) {
    return new BankPlan(
            Levels.READ_COMMITTED,
            CAUSAL_FOR_ALL,
            Duration.ZERO,
            Ending.ALARM,
            Rebooking.OWN,
            Versions.DECLARED,
            seed)
        .with("counting-tables", "account");
  }

  /** Everything at once, of an application that was not prepared for isotail. */
  static BankPlan unprepared(Duration traffic, Rebooking rebooking, long seed) {
    return new BankPlan(
        Levels.MIXED, SNAPSHOTS_BY_LEVEL, traffic, Ending.KILL, rebooking, Versions.KEPT, seed);
  }

  /** Read committed, promised snapshot isolation, of an application that was not prepared. */
  static BankPlan unpreparedCareless(long seed) {
    return new BankPlan(
        Levels.CARELESS,
        Map.of("promise", "snapshot-isolation"),
        Duration.ZERO,
        Ending.ALARM,
        Rebooking.OWN,
        Versions.KEPT,
        seed);
  }

  /** A copy with one more setting of the history. */
  BankPlan with(String setting, String value) {
    Map<String, String> more = new HashMap<>(settings);
    more.put(setting, value);
    return new BankPlan(levels, more, traffic, ending, rebooking, versions, seed);
  }
}
