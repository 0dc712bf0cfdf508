package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.Limit;
import io.isotail.incremental.explore.MemoryBounds;
import io.isotail.monitor.config.Durations;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** The options that say how far each level is explored, and how. */
final class LimitOptions {
  private static final int MOST_THREADS = 256;

  @Option(
      names = "--time-limit",
      paramLabel = "DURATION",
      defaultValue = "60s",
      description =
          "Stop a level after this time; with --anomaly and --cause, the whole question"
              + " (default: ${DEFAULT-VALUE}).")
  private String timeLimit = "60s";

  @Option(
      names = "--max-histories",
      paramLabel = "N",
      defaultValue = "9223372036854775807",
      showDefaultValue = Visibility.NEVER,
      description = "Stop a level after so many histories (default: no limit).")
  private long maxHistories = Long.MAX_VALUE;

  @Option(
      names = "--max-values",
      paramLabel = "N",
      defaultValue = "1000000",
      description =
          "Stop a level once so many different values are held in memory, by all threads together"
              + " (default: ${DEFAULT-VALUE}).")
  private int maxValues = MemoryBounds.DEFAULT.heldValues();

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description = "Threads that share a level's work (default: ${DEFAULT-VALUE}).")
  private int threads = 1;

  @Option(
      names = "--depth-first",
      description = "Explore every order of whole transactions instead, histories many times over.")
  private boolean depthFirst;

  /** What is wrong with the numbers; null if nothing is. */
  @Nullable String wrong() {
    if (threads < 1 || threads > MOST_THREADS || maxHistories < 1 || maxValues < threads) {
      return "--threads %d, --max-histories %d, --max-values %d: expected 1 to %d, at least 1, and at least one for each thread"
          .formatted(threads, maxHistories, maxValues, MOST_THREADS);
    }
    return null;
  }

  /**
   * How far each level is explored.
   *
   * @throws IllegalArgumentException if the time is none
   */
  LevelRun.Limits limits() {
    long nanos = Durations.parse("--time-limit", timeLimit).toNanos();
    MemoryBounds memory = new MemoryBounds(MemoryBounds.DEFAULT.rememberedSteps(), maxValues);
    return new LevelRun.Limits(nanos, maxHistories, threads, memory, false);
  }

  Exploration.Method method() {
    return depthFirst ? Exploration.Method.DEPTH_FIRST : Exploration.Method.SWAPPING;
  }

  /** What a person can do so that a limit is not reached. */
  static String remedy(Limit limit) {
    return switch (limit) {
      case TIME -> "a larger --time-limit gives more";
      case HISTORIES -> "a larger --max-histories gives more";
      case VALUES -> "a larger --max-values gives more";
      case COMMIT_ORDERS -> "fewer transactions in the program make it shorter";
      case MEMORY -> "a larger -Xmx in JAVA_OPTS gives more";
    };
  }
}
