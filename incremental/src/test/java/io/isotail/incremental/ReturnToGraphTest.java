package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A graph of the whole window gives way to numbers, and takes their place again. */
class ReturnToGraphTest {
  /**
   * Session, begin, end and operations. While there was a graph, the first transaction of L left
   * the window and was kept for its versions; the order then put it behind its successor's begin.
   */
  private static final String KEPT_FOR_ITS_VERSIONS =
      """
          I 149 200 rb43 wb45 ra33
          I 402 435
          F 119 499 rc100 rf22
          R 17 163 wa33
          T 218 265 wc59 rt0 wk61
          L 55 138 wf31 rm0
          N 251 302 rb45 wb79 wa82
          L 286 352 ra82 wc100
          L 367 430
          L 442 498
          K 208 281
          P 352 439 rb119
          P 514 530
          J 44 281 wa74 wt76 rk0
          U 83 119 wa21 wf22 we23
          U 145 191
          U 206 242 rt0
          E 214 306 wa84 wc86
          E 378 390
          B 202 349 re40 ra84
          H? 146 - ra33 wa39 re23 we40 rf31 rb35 wb43
      """;

  @Test
  void what_was_kept_for_its_versions_alone_may_stand_behind_its_session() {
    for (Tuning tuning : CheckRun.TUNINGS) {
      CheckRun run =
          new CheckRun(
              CheckerConfig.forFile("h", IsolationLevel.STRICT_SERIALIZABLE).withWindow(12),
              tuning);
      history(KEPT_FOR_ITS_VERSIONS).forEach(record -> run.accept(0, record));
      run.finish();
      assertThat(run.anomalies)
          .extracting(Anomaly::kind)
          .contains(AnomalyKind.WRITE_SKEW, AnomalyKind.NON_MONOTONIC_READ);
    }
  }

  /** A cycle of reads and overwritten versions, where what stood before one was let go of. */
  @Test
  void what_was_kept_may_stand_behind_what_overwrote_it() {
    runs(
        IsolationLevel.SNAPSHOT_ISOLATION,
        9,
        """
        C - - rt0 wa73
        D - - wb81 ra0 wa82
        B - -
        B - -
        B - -
        H - -
        A - -
        A - -
        A - -
        B - -
        C - - ra82
        C - - ra82
        """);
    runs(
        IsolationLevel.PREFIX,
        4,
        """
        L - - wa7
        T - - rb0 wc13 wd14
        E - -
        E - - rd0
        N - - we22
        S - - wa9
        S - - rc0 ra7
        T - - ra9
        L - -
        J - - re0
        """);
  }

  private static void runs(IsolationLevel level, int window, String text) {
    for (Tuning tuning : CheckRun.TUNINGS) {
      CheckRun run = new CheckRun(CheckerConfig.forFile("h", level).withWindow(window), tuning);
      history(text).forEach(record -> run.accept(0, record));
      run.finish();
      assertThat(run.report.transactions()).isEqualTo(text.strip().split("\n").length);
    }
  }

  private static List<TransactionRecord> history(String text) {
    List<TransactionRecord> history = new ArrayList<>();
    Map<String, Long> sequences = new HashMap<>();
    for (String line : text.strip().split("\n")) {
      String[] words = line.strip().split(" ");
      String session = words[0].substring(0, 1);
      long sequence = sequences.merge(session, 1L, Long::sum) - 1;
      Operations.Builder ops = new Operations.Builder();
      for (int i = 3; i < words.length; i++) {
        long version = Long.parseLong(words[i].substring(2));
        if (words[i].charAt(0) == 'w') {
          ops.write(words[i].charAt(1), version);
        } else if (version == 0) {
          ops.readInitial(words[i].charAt(1));
        } else {
          ops.read(words[i].charAt(1), version);
        }
      }
      history.add(
          new TransactionRecord(
              SessionInfo.ofFile(session.charAt(0), session),
              sequence,
              sequence + 1,
              0,
              words[0].endsWith("?") ? Outcome.UNKNOWN : Outcome.COMMITTED,
              null,
              time(words[1]),
              time(words[2]),
              words[1].equals("-") ? null : "clock",
              ops.build()));
    }
    return history;
  }

  private static long time(String word) {
    return word.equals("-") ? TransactionRecord.NO_TIME : Long.parseLong(word);
  }
}
