package io.isotail.ingest.format;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Random histories of what every format can hold, and what of them every format keeps. */
final class RandomHistories {
  private RandomHistories() {}

  static List<TransactionRecord> of(Random random) {
    List<TransactionRecord> history = new ArrayList<>();
    int sessions = 1 + random.nextInt(4);
    long[] sequences = new long[sessions];
    for (int i = random.nextInt(20); i >= 0; i--) {
      int session = random.nextInt(sessions);
      long sequence = sequences[session]++;
      history.add(
          new TransactionRecord(
              SessionInfo.ofFile(session, Integer.toString(session)),
              sequence,
              sequence,
              0,
              random.nextInt(5) == 0 ? Outcome.ABORTED : Outcome.COMMITTED,
              null,
              TransactionRecord.NO_TIME,
              TransactionRecord.NO_TIME,
              null,
              operations(random)));
    }
    return history;
  }

  private static Operations operations(Random random) {
    Operations.Builder builder = new Operations.Builder();
    for (int i = random.nextInt(6); i >= 0; i--) {
      long key = random.nextInt(8) == 0 ? random.nextLong() : random.nextInt(5);
      long version = random.nextInt(4) == 0 ? random.nextLong() | 1 : 1 + random.nextInt(9);
      switch (random.nextInt(3)) {
        case 0 -> builder.readInitial(key);
        case 1 -> builder.read(key, version);
        default -> builder.write(key, version);
      }
    }
    return builder.build();
  }

  /**
   * Session by session, what each transaction did. Aborted ones in a row are one: no format need
   * tell them apart.
   */
  static Map<Integer, List<String>> essence(List<TransactionRecord> history) {
    Map<Long, List<String>> sessions = new TreeMap<>();
    for (TransactionRecord each : history) {
      List<String> done = sessions.computeIfAbsent(each.session().id(), id -> new ArrayList<>());
      boolean aborted = each.outcome() == Outcome.ABORTED;
      int last = done.size() - 1;
      if (aborted && last >= 0 && done.get(last).startsWith("aborted")) {
        done.set(last, done.get(last) + text(each.operations()));
      } else {
        done.add(
            each.outcome().name().toLowerCase(java.util.Locale.ROOT) + text(each.operations()));
      }
    }
    Map<Integer, List<String>> numbered = new TreeMap<>();
    sessions.values().forEach(done -> numbered.put(numbered.size(), done));
    return numbered;
  }

  private static String text(Operations operations) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < operations.size(); i++) {
      text.append(operations.kind(i) == OperationKind.WRITE ? " w" : " r");
      text.append(operations.key(i)).append('=');
      text.append(operations.versionKind(i) == VersionKind.INITIAL ? "-" : operations.version(i));
    }
    return text.toString();
  }
}
