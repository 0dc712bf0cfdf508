package io.isotail.monitor.offline;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.format.HistoryFormat;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.ingest.format.HistoryFormats;
import io.isotail.ingest.format.TransactionConsumer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Feeds damaged history files to the check. Each must be refused with its place, or be read as a
 * history whose verdicts are the definitions'; never a crash, and never longer than the watchdog
 * waits. What a seed does, it does again.
 */
final class FormatFuzz implements AutoCloseable {
  private static final long WATCHDOG_SECONDS = 20;

  /** The naive checker tries all orders of what is small enough. */
  private static final int MAX_JUDGED_TRANSACTIONS = 12;

  private static final int MAX_JUDGED_OPERATIONS = 80;

  /** Files of which every truncation is tried: one in so many. */
  private static final int TRUNCATED_ONE_IN = 40;

  private static final Set<IsolationLevel> LEVELS =
      EnumSet.range(IsolationLevel.READ_COMMITTED, IsolationLevel.CAUSAL);

  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "fuzz");
            thread.setDaemon(true);
            return thread;
          });
  private final Path folder;

  long inputs;
  long refused;
  long read;
  long judged;
  long passed;
  long failed;

  FormatFuzz(Path folder) {
    this.folder = folder;
  }

  /** What a seed found wrong. */
  static final class FoundException extends Exception {
    private static final long serialVersionUID = 1L;

    FoundException(String what, Throwable cause) {
      super(what, cause);
    }
  }

  /** All inputs of one seed. */
  void run(long seed) throws Exception {
    Random random = new Random(seed * 0x9e3779b97f4a7c15L);
    List<HistoryFormat> formats = HistoryFormats.all();
    HistoryFormat format = formats.get(random.nextInt(formats.size()));
    Path path = folder.resolve("history-" + seed);
    try {
      Path file = FuzzedHistory.write(random, format, path);
      HistoryFormat known = random.nextInt(4) == 0 ? null : format;
      String about =
          "seed %d, %s%s".formatted(seed, format.label(), known == null ? ", detected" : "");
      long refusedBefore = refused;
      watched(about, path, known);
      require(refused == refusedBefore, about + ": refused, and nothing is wrong with it");
      byte[] valid = Files.readAllBytes(file);
      if (random.nextInt(TRUNCATED_ONE_IN) == 0) {
        for (int length = 0; length < valid.length; length++) {
          Files.write(file, Arrays.copyOf(valid, length));
          watched(about + ", cut at " + length, path, known);
        }
      }
      for (int i = 0; i < 4; i++) {
        byte[] damaged = FuzzedHistory.damaged(random, valid);
        Files.write(file, damaged);
        watched(about + ", damage " + i, path, known);
      }
    } finally {
      remove(path);
    }
  }

  private void watched(String about, Path path, HistoryFormat known) throws Exception {
    inputs++;
    Future<?> done =
        worker.submit(
            () -> {
              judge(path, known);
              return null;
            });
    try {
      done.get(WATCHDOG_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new FoundException(about + ": no end after %d s".formatted(WATCHDOG_SECONDS), e);
    } catch (ExecutionException e) {
      throw new FoundException(about + ": " + e.getCause(), e.getCause());
    }
  }

  private void judge(Path path, HistoryFormat known) throws IOException {
    List<TransactionRecord> history;
    FileCheck.Result result;
    try {
      HistoryFormat format = known == null ? HistoryFormats.detect(path) : known;
      history = transactions(path, format);
      result =
          FileCheck.run(
              path,
              format,
              CheckerConfig.forFile("h", IsolationLevel.CAUSAL),
              LEVELS,
              Progress.onTerminal(path));
    } catch (HistoryFormatException e) {
      refused++;
      require(
          e.getMessage().startsWith(path.toString())
              && e.getMessage().contains(": found ")
              && e.getMessage().contains("; expected "),
          "message " + e.getMessage());
      return;
    }
    read++;
    long aborted = result.report().aborted() + result.report().unknown();
    require(
        result.report().transactions() + aborted <= history.size(),
        "%d transactions of %d".formatted(result.report().transactions(), history.size()));
    if (isJudgeable(history)) {
      judged++;
      List<NaiveChecker.Input> inputs = inputs(history);
      for (IsolationLevel level : LEVELS) {
        boolean satisfied = NaiveChecker.satisfies(inputs, level, true);
        Verdict verdict = result.verdicts().get(level);
        Verdict held = result.report().transactions() == 0 ? Verdict.NOT_CHECKED : Verdict.PASS;
        require(
            verdict == (satisfied ? held : Verdict.FAIL),
            "%s at %s, but the definitions say %s: %s"
                .formatted(verdict, level, satisfied, history));
        passed += satisfied ? 1 : 0;
        failed += satisfied ? 0 : 1;
      }
    }
  }

  private static List<TransactionRecord> transactions(Path path, HistoryFormat format)
      throws IOException, HistoryFormatException {
    List<TransactionRecord> history = new ArrayList<>();
    format.read(
        path,
        new TransactionConsumer() {
          @Override
          public void accept(long line, TransactionRecord transaction) {
            history.add(transaction);
          }

          @Override
          public void restart() {
            history.clear();
          }
        });
    return history;
  }

  /** The definitions know reads and writes of known versions, each written by one transaction. */
  private static boolean isJudgeable(List<TransactionRecord> history) {
    Map<List<Long>, TransactionRecord> writers = new HashMap<>();
    int size = 0;
    for (TransactionRecord each : history) {
      Operations operations = each.operations();
      size += operations.size();
      for (int i = 0; i < operations.size(); i++) {
        OperationKind kind = operations.kind(i);
        VersionKind version = operations.versionKind(i);
        if (operations.undone(i)
            || kind == OperationKind.DELETE
            || kind == OperationKind.OPAQUE
            || version == VersionKind.UNKNOWN) {
          return false;
        }
        if (kind == OperationKind.WRITE) {
          List<Long> written = List.of(operations.key(i), operations.version(i));
          TransactionRecord other = writers.putIfAbsent(written, each);
          if (other != null && other != each) {
            return false;
          }
        }
      }
    }
    return history.size() <= MAX_JUDGED_TRANSACTIONS && size <= MAX_JUDGED_OPERATIONS;
  }

  private static List<NaiveChecker.Input> inputs(List<TransactionRecord> history) {
    Map<Long, Long> sessions = new HashMap<>();
    List<NaiveChecker.Input> inputs = new ArrayList<>();
    for (TransactionRecord each : history) {
      long session = sessions.computeIfAbsent(each.session().id(), id -> (long) sessions.size());
      Operations.Builder operations = new Operations.Builder();
      for (int i = 0; i < each.operations().size(); i++) {
        if (each.operations().kind(i) != OperationKind.LISTED) {
          operations.addOne(each.operations(), i);
        }
      }
      inputs.add(
          new NaiveChecker.Input(
              session,
              each.sequence(),
              each.outcome(),
              Times.of(each, each.beginNs()),
              operations.build()));
    }
    return inputs;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  private static void remove(Path root) throws IOException {
    if (Files.exists(root)) {
      try (var walk = Files.walk(root)) {
        for (Path each : walk.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  @Override
  public void close() {
    worker.shutdownNow();
  }
}
