package io.isotail.incremental.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The checker accepts at a level what the exploration of that level gives, and refuses every other
 * history of the program: for every small program up to a bound.
 *
 * <p>The bound is {@code sessions,transactions,operations,variables}; {@code -Disotail.bounds}
 * takes others, with {@code /} between them, and {@code -Disotail.orders} a number of orders of
 * delivery.
 */
final class CheckerAgainstExplorationTest {
  private static final String BOUNDS = System.getProperty("isotail.bounds", "3,1,2,2/2,2,1,2");
  private static final int ORDERS = Integer.getInteger("isotail.orders", 2);
  private static final long REPORT_EVERY = 1_000_000;
  private static final CheckerConfig CONFIG =
      CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE).withUniqueVersions(true);
  private static final List<IsolationLevel> LEVELS =
      Arrays.stream(IsolationLevel.values()).filter(level -> !level.followsRealTime()).toList();

  private final Random random = new Random(20_261_124);
  private long programs;
  private long histories;
  private long checks;
  private final Map<IsolationLevel, Long> accepted = new EnumMap<>(IsolationLevel.class);

  @Test
  void everySmallProgram() {
    for (String bound : BOUNDS.split("/", -1)) {
      int[] of = Arrays.stream(bound.split(",", -1)).mapToInt(Integer::parseInt).toArray();
      new EveryProgram(of[0], of[1], of[2], of[3]).forEach(this::compare);
      System.out.printf(
          "exhaustive %s: %,d programs, %,d histories, %,d checks; accepted %s; no difference%n",
          bound, programs, histories, checks, accepted);
    }
    assertThat(accepted.get(IsolationLevel.SERIALIZABLE))
        .isLessThan(accepted.get(IsolationLevel.READ_COMMITTED));
    assertThat(accepted.get(IsolationLevel.READ_COMMITTED)).isLessThan(histories);
  }

  private void compare(List<List<List<Integer>>> sessions) {
    Program program = EveryProgram.program(sessions);
    Map<IsolationLevel, Set<String>> allowed = new EnumMap<>(IsolationLevel.class);
    for (IsolationLevel level : LEVELS) {
      Set<String> keys = new HashSet<>();
      Exploration exploration = Exploration.of(program, level);
      exploration.run(history -> keys.add(history.key()), () -> true);
      assertThat(exploration.histories()).as("each once: %s", sessions).isEqualTo(keys.size());
      allowed.put(level, keys);
      accepted.merge(level, (long) keys.size(), Long::sum);
    }
    new NaiveHistories(program)
        .records()
        .forEach(
            (key, records) -> {
              histories++;
              for (int order = 0; order < ORDERS; order++) {
                check(sessions, key, order == 0 ? records : shuffled(records), allowed);
              }
            });
    programs++;
  }

  private void check(
      List<List<List<Integer>>> program,
      String key,
      List<TransactionRecord> records,
      Map<IsolationLevel, Set<String>> allowed) {
    Map<IsolationLevel, Verdict> verdicts = CheckedRecords.verdicts(CONFIG, records);
    for (IsolationLevel level : LEVELS) {
      boolean isAllowed = allowed.get(level).contains(key);
      Verdict expected = isAllowed ? Verdict.PASS : Verdict.FAIL;
      if (verdicts.get(level) != expected) {
        assertThat(verdicts.get(level))
            .as("%s, history %s at %s in the order %s", program, key, level, records)
            .isEqualTo(expected);
      }
    }
    if (++checks % REPORT_EVERY == 0) {
      System.out.printf("exhaustive: %,d programs, %,d checks so far%n", programs, checks);
    }
  }

  /** Another order of delivery; each session's transactions stay in theirs. */
  private List<TransactionRecord> shuffled(List<TransactionRecord> records) {
    Map<SessionInfo, Deque<TransactionRecord>> bySession = new LinkedHashMap<>();
    records.forEach(
        record -> bySession.computeIfAbsent(record.session(), s -> new ArrayDeque<>()).add(record));
    List<Deque<TransactionRecord>> left = new ArrayList<>(bySession.values());
    List<TransactionRecord> shuffled = new ArrayList<>();
    while (!left.isEmpty()) {
      Deque<TransactionRecord> session = left.get(random.nextInt(left.size()));
      shuffled.add(session.remove());
      if (session.isEmpty()) {
        left.remove(session);
      }
    }
    return shuffled;
  }
}
