package io.isotail.ingest.generate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** Before which ordinary transaction each transaction of each anomaly comes. */
final class InjectionSchedule {
  private final List<Group> groups = new ArrayList<>();
  private final List<Turn> turns = new ArrayList<>();
  private int next;

  /**
   * Spreads the anomalies over a history.
   *
   * @param transactions ordinary ones of the whole history
   */
  InjectionSchedule(GenerateConfig.Injections config, long transactions, Prng random) {
    long span = Math.min(config.spanTransactions(), transactions);
    new TreeMap<>(config.counts())
        .forEach(
            (kind, count) -> {
              AnomalyPattern pattern = AnomalyPattern.of(kind);
              for (int i = 0; i < count; i++) {
                long start = random.nextLong(transactions - span + 1);
                groups.add(new Group(pattern, positions(pattern, start, span, random)));
              }
            });
    groups.sort(Comparator.comparingLong(group -> group.positions().get(0)));
    for (int group = 0; group < groups.size(); group++) {
      for (long position : groups.get(group).positions()) {
        turns.add(new Turn(position, group));
      }
    }
    turns.sort(Comparator.comparingLong(Turn::position));
  }

  /** One anomaly; {@code positions} has a place for each of its transactions, in order. */
  private record Group(AnomalyPattern pattern, List<Long> positions) {}

  /** The next transaction of a group comes before the ordinary transaction of that number. */
  private record Turn(long position, int group) {}

  int groups() {
    return groups.size();
  }

  AnomalyPattern pattern(int group) {
    return groups.get(group).pattern();
  }

  /**
   * The group whose next transaction is due, or -1; each call takes the turn.
   *
   * @param emitted ordinary transactions so far
   */
  int due(long emitted) {
    return next < turns.size() && turns.get(next).position() <= emitted
        ? turns.get(next++).group()
        : -1;
  }

  private static List<Long> positions(AnomalyPattern pattern, long start, long span, Prng random) {
    return random
        .longs(pattern.parts().size(), span + 1)
        .map(offset -> start + offset)
        .sorted()
        .boxed()
        .toList();
  }
}
