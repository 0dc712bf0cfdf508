package io.isotail.ingest.generate;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Generates a history in commit order: ordinary transactions of {@link GenerateConfig#level()} on
 * the keys from 0 on, and the anomalies asked for, on keys of their own above those.
 *
 * <p>Whether anomalies are put in or not, the ordinary transactions of a seed are the same, but for
 * their numbers. Transactions are numbered from 0 in commit order, sessions from 0. Lost updates,
 * long forks and write skews, which causal consistency allows, run in sessions of their own beyond
 * the ordinary ones, so that the ordinary traffic cannot tell one of their transactions of another;
 * so does whatever needs more sessions than there are.
 *
 * <p>Not thread-safe. Holds the store, one number for each session, and the groups of transactions
 * that were asked for.
 */
public final class HistoryGenerator {
  private final GenerateConfig config;
  private final Client client;
  private final SimulatedClocks clocks;
  private final InjectionSchedule schedule;
  private final @Nullable InjectionGroup[] groups;
  private final Prng sessionChoice;
  private final Prng injectionChoice;
  private final Numbering numbers = new Numbering();
  private final SessionBook[] sessions;
  private final List<Injection> injected = new ArrayList<>();
  private final Operations.Builder operations = new Operations.Builder();
  private long nextSession;
  private long nextKey;
  private long ordinary;

  /** Prepares a history. */
  public HistoryGenerator(GenerateConfig config) {
    this.config = config;
    Prng seeds = new Prng(config.seed());
    client =
        new Client(
            config,
            SimulatedStore.of(config, new Prng(seeds.nextLong())),
            new Prng(seeds.nextLong()));
    clocks = new SimulatedClocks(config.clocks(), config.lag(), new Prng(seeds.nextLong()));
    sessionChoice = new Prng(seeds.nextLong());
    injectionChoice = new Prng(seeds.nextLong());
    schedule =
        new InjectionSchedule(
            config.injections(), config.traffic().transactions(), injectionChoice);
    groups = new InjectionGroup[schedule.groups()];
    sessions = new SessionBook[config.traffic().sessions()];
    for (int i = 0; i < sessions.length; i++) {
      sessions[i] = new SessionBook(i, numbers);
    }
    nextSession = sessions.length;
    nextKey = config.shape().keys();
  }

  /** The next transaction in commit order, or null at the end. */
  public @Nullable TransactionRecord next() {
    int group = schedule.due(ordinary);
    if (group >= 0) {
      return inject(group);
    }
    if (ordinary == config.traffic().transactions()) {
      return null;
    }
    ordinary++;
    int session = sessionChoice.nextInt(sessions.length);
    Operations done = client.run(session);
    return clocks.record(sessions[session], client.outcome(), client.missed(), done);
  }

  /** The anomalies whose transactions have all been handed out. */
  public List<Injection> injected() {
    return List.copyOf(injected);
  }

  private TransactionRecord inject(int number) {
    InjectionGroup group = groups[number];
    if (group == null) {
      group = begin(number);
      groups[number] = group;
    }
    AnomalyPattern.Part part = group.nextPart();
    SessionBook session = group.nextSession();
    operations.clear();
    part.appendTo(operations, group.firstKey(), 1);
    TransactionRecord record = clocks.record(session, part.outcome(), 0, operations.build());
    group.emitted(record.transaction());
    if (group.complete()) {
      injected.add(group.injection());
      groups[number] = null;
    }
    return record;
  }

  private InjectionGroup begin(int number) {
    AnomalyPattern pattern = schedule.pattern(number);
    InjectionGroup group = new InjectionGroup(pattern, number + 1L, nextKey, sessionsFor(pattern));
    nextKey += pattern.keys();
    return group;
  }

  private SessionBook[] sessionsFor(AnomalyPattern pattern) {
    if (!pattern.apart() && pattern.sessions() <= sessions.length) {
      return SessionBook.choose(sessions, pattern.sessions(), injectionChoice);
    }
    SessionBook[] own = new SessionBook[pattern.sessions()];
    for (int i = 0; i < own.length; i++) {
      own[i] = new SessionBook(nextSession++, numbers);
    }
    return own;
  }
}
