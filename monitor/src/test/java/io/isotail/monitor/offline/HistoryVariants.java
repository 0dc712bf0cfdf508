package io.isotail.monitor.offline;

import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.format.HistoryFormat;
import io.isotail.ingest.format.HistoryFormats;
import io.isotail.ingest.generate.HistoryOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One history in files of every format that can hold it, in its own order and with its sessions
 * mixed at random: none of them may change a verdict.
 */
final class HistoryVariants {
  private HistoryVariants() {}

  /** A file or directory that was written, and its format. */
  record Variant(HistoryFormat format, Path path) {}

  /**
   * Writes them into {@code folder}; what a format has no place for is left out with the format.
   */
  static List<Variant> write(Path folder, List<TransactionRecord> history, long seed)
      throws IOException {
    List<Variant> variants = new ArrayList<>();
    for (HistoryFormat format : HistoryFormats.all()) {
      Path ordered = folder.resolve("ordered." + format.label());
      if (!holds(format, ordered, history)) {
        continue;
      }
      variants.add(new Variant(format, ordered));
      Path shuffled = folder.resolve("shuffled." + format.label());
      if (!holds(format, shuffled, HistoryOrder.SHUFFLED.arrange(history, seed))) {
        throw new IllegalStateException(format + " holds " + ordered + ", but not shuffled");
      }
      variants.add(new Variant(format, shuffled));
    }
    return variants;
  }

  private static boolean holds(HistoryFormat format, Path path, List<TransactionRecord> history)
      throws IOException {
    try {
      FuzzedHistory.write(format, path, history);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Removes a folder with everything in it. */
  static void remove(Path root) throws IOException {
    if (Files.exists(root)) {
      try (var walk = Files.walk(root)) {
        for (Path each : walk.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }
}
