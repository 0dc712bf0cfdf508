package io.isotail.ingest.format;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What only a whole plume file tells.
 *
 * @param zeroWritten keys to which somebody writes the value 0
 * @param idsGrow whether the transaction ids of every session grow, so that none can come back
 */
record PlumeFacts(LongOpenHashSet zeroWritten, boolean idsGrow) {

  /** Reads the file once, keeping nothing of its transactions. */
  static PlumeFacts of(Path path) throws IOException, HistoryFormatException {
    LongOpenHashSet zeroWritten = new LongOpenHashSet();
    Long2LongOpenHashMap lastIds = new Long2LongOpenHashMap();
    boolean idsGrow = true;
    try (LineReader lines = new LineReader(path)) {
      PlumeLine line = new PlumeLine(lines);
      while (line.next()) {
        if (line.write && line.value == 0) {
          zeroWritten.add(line.key);
        }
        if (!line.aborted) {
          long last = lastIds.put(line.session, line.transaction);
          idsGrow &= Long.compareUnsigned(last, line.transaction) <= 0;
        }
      }
    }
    return new PlumeFacts(zeroWritten, idsGrow);
  }
}
