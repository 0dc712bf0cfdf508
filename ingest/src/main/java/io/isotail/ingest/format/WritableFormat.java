package io.isotail.ingest.format;

import java.io.IOException;
import java.nio.file.Path;

/** A format of history files that can be written too. */
public interface WritableFormat extends HistoryFormat {

  /** A writer of a new file that refuses whatever the format has no place for. */
  default HistoryWriter create(Path path) throws IOException {
    return create(path, Fidelity.EXACT);
  }

  /**
   * A writer of a new file, which replaces one that is there.
   *
   * @param fidelity what becomes of what the format has no place for
   */
  HistoryWriter create(Path path, Fidelity fidelity) throws IOException;
}
